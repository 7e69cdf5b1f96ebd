import { type DataOf, type Envelope, type identityClosed, parseDateTime } from '@assay/contracts';
import type { Purge } from '../flows/purge.ts';

/**
 * identity.closed: removes everything of the identity except the media of its archive. A tombstone
 * makes late messages and uploads have no effect.
 */
export const onIdentityClosed =
  (purge: Purge) =>
  ({ identityId, data }: Envelope<DataOf<typeof identityClosed>>): Promise<void> =>
    purge(identityId, parseDateTime(data.forgetAt));
