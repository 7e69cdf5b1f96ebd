import { type DataOf, type Envelope, type identityClosed, parseDateTime } from '@assay/contracts';
import type { Tombstones } from '@assay/mongo';
import type { Grace } from '../flows/grace.ts';
import type { Histories } from '../store/histories.ts';

export interface Deps {
  histories: Histories;
  tombstones: Tombstones;
  grace: Grace;
}

/**
 * The tombstone comes first: events that arrive later find it. Only the retrieved archive outlives
 * the identity, for its grace period.
 */
export const onIdentityClosed =
  ({ histories, tombstones, grace }: Deps) =>
  async ({ identityId, data }: Envelope<DataOf<typeof identityClosed>>): Promise<void> => {
    await tombstones.put(identityId, parseDateTime(data.forgetAt));
    await histories.purge(identityId);
    await grace.closed(identityId, data.proofId, parseDateTime(data.closedAt));
  };
