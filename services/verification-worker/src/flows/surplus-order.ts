import type { Envelope } from '@assay/contracts';
import type { TenantShares } from './tenant-shares.ts';

/** Who has taken fewer turns than this lets nobody pass. */
const FEWEST = 8;
/** How many times the turns of another tenant one has to have taken to let it pass. */
const TIMES = 2;
/** So many places are remembered: of a longer queue the end is not put in order. */
const MOST_REMEMBERED = 100_000;

/** The order in which the surplus is verified: not the one that it came in (decision 40). */
export interface SurplusOrder {
  /** Remembers that an event is put at the end of the queue. */
  put(event: Envelope<unknown>): void;
  /**
   * Forgets the place of an event that came out of the queue, and tells whether it is to go to the
   * end again: its tenant has had many more turns lately than one whose events are behind it.
   */
  letsPass(event: Envelope<unknown>): boolean;
}

/**
 * Knows what this process put into the queue. Others may have taken it out again: an event that
 * comes out shows that all that was put there before it is gone.
 */
export const createSurplusOrder = (shares: Pick<TenantShares, 'turns'>): SurplusOrder => {
  let last = 0;
  /** By event. */
  const places = new Map<string, number>();
  /** By tenant, the place of its last event. */
  const waiting = new Map<string, number>();

  const cameOut = (place: number): void => {
    for (const [tenantId, itsLast] of waiting) if (itsLast <= place) waiting.delete(tenantId);
  };

  return {
    put: ({ id, tenantId }) => {
      last += 1;
      places.delete(id);
      places.set(id, last);
      waiting.set(tenantId, last);
      const [oldest] = places.keys();
      if (places.size > MOST_REMEMBERED && oldest !== undefined) places.delete(oldest);
    },
    letsPass: ({ id, tenantId }) => {
      cameOut(places.get(id) ?? 0);
      places.delete(id);
      const turns = shares.turns();
      const mine = turns.get(tenantId) ?? 0;
      return mine >= FEWEST && [...waiting.keys()].some((other) => TIMES * (turns.get(other) ?? 0) < mine);
    },
  };
};
