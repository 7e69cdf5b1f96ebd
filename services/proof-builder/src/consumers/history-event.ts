import type { Envelope } from '@assay/contracts';
import type { Histories } from '../store/histories.ts';
import type { Tombstones } from '../store/tombstones.ts';

export interface HistoryEventNeeds {
  histories: Histories;
  tombstones: Tombstones;
}

/** Every event of an open identity is kept as it came; the proof is made of them. Events of a closed one have no effect. */
export const onHistoryEvent =
  ({ histories, tombstones }: HistoryEventNeeds) =>
  async (event: Envelope<unknown>): Promise<void> => {
    await histories.add(event);
    // Only now: an identity that was closed and purged before the line above is seen, whenever it was.
    if (await tombstones.has(event.identityId)) await histories.purge(event.identityId);
  };
