import type { Envelope } from '@assay/contracts';
import type { Tombstones } from '@assay/mongo';
import type { Histories } from '../store/histories.ts';

export interface Deps {
  histories: Histories;
  tombstones: Tombstones;
}

/**
 * Stores every event of an open identity as it arrives; the proof is made of them. Events of a
 * closed identity have no effect.
 */
export const addToHistories =
  ({ histories, tombstones }: Deps) =>
  async (events: readonly Envelope<unknown>[]): Promise<void> => {
    await histories.add(events);
    // Only now: an identity that was closed and purged before the line above is seen, whenever it
    // was.
    const closed = await tombstones.among([...new Set(events.map(({ identityId }) => identityId))]);
    for (const identityId of closed) await histories.purge(identityId);
  };
