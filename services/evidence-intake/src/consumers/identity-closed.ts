import type { DataOf, Envelope, identityClosed } from '@assay/contracts';
import { parseDateTime } from '@assay/contracts';
import type { Purge } from '../flows/purge.ts';

/**
 * identity.closed: everything of the identity goes but what its archive holds; a tombstone keeps
 * late messages and uploads from bringing anything back.
 */
export const onIdentityClosed =
  (purge: Purge) =>
  ({ identityId, data }: Envelope<DataOf<typeof identityClosed>>): Promise<void> =>
    purge(identityId, parseDateTime(data.forgetAt));
