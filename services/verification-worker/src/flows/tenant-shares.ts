import type { Envelope } from '@assay/contracts';
import type { Clock } from '@assay/runtime';

/** An event that waited no longer than this is handled whoever submitted it. */
const WAITED_MS = 2000;
/** What a tenant has taken counts for this long, and for up to twice as long. */
const PERIOD_MS = 15_000;
/** Nobody who has taken fewer turns than this exceeds a share. */
const FEWEST = 8;
/** An event is one turn, and a longer one a turn for each of these. */
const TURN_MS = 1000;

type Counts = Map<string, number>;
const add = (counts: Counts, tenantId: string, turns: number): void => {
  counts.set(tenantId, (counts.get(tenantId) ?? 0) + turns);
};

/** Whether the reconciler gives the evidence up with this event. */
const givesUp = ({ data }: Envelope<unknown>): boolean =>
  (data as { endWith?: unknown } | undefined)?.endWith === 'PROCESSING_FAILED';

/** What this process took from the queues of evidence for each tenant lately. */
export interface TenantShares {
  /** Counts an event whose verification begins. Call the result when the verification has ended. */
  begin(event: Envelope<unknown>): () => void;
  /**
   * Whether an event exceeds its tenant's share (decision 40). It does if it has waited (more is
   * submitted than is verified), and its tenant has had more than an equal share of the recent
   * turns. One share is reserved for a tenant whose events are still behind those of the others.
   * The event that gives an evidence up always exceeds the share: it must not overtake the
   * verification of that evidence, which may wait in the surplus queue.
   */
  exceeds(event: Envelope<unknown>): boolean;
  /** The turns that each tenant has taken lately. */
  turns(): ReadonlyMap<string, number>;
}

interface Unacknowledged {
  tenantId: string;
  /** Since when it is worked on, in milliseconds. */
  since?: number;
}

/**
 * The unacknowledged events, in their order: as many as `atOnce` are worked on, and the others wait
 * for them, which is not their own time.
 */
const createUnacknowledged = (atOnce: number, nowMs: () => number) => {
  const all: Unacknowledged[] = [];
  const begin = (): void => {
    for (const one of all.slice(0, atOnce)) one.since ??= nowMs();
  };
  return {
    all,
    put: (tenantId: string): Unacknowledged => {
      const one = { tenantId };
      all.push(one);
      begin();
      return one;
    },
    remove: (one: Unacknowledged): void => {
      all.splice(all.indexOf(one), 1);
      begin();
    },
    /** The turns it has taken beyond its first. */
    furtherTurns: ({ since = nowMs() }: Unacknowledged): number => Math.max(0, (nowMs() - since) / TURN_MS - 1),
  };
};

/** `atOnce`: how many events are worked on at once. */
export const createTenantShares = (now: Clock, atOnce: number): TenantShares => {
  const nowMs = (): number => now().getTime();
  const unacknowledged = createUnacknowledged(atOnce, nowMs);
  let periodFrom = 0;
  let present: Counts = new Map();
  let former: Counts = new Map();

  const beginPeriodIfDue = (): void => {
    const passed = nowMs() - periodFrom;
    if (passed >= 0 && passed < PERIOD_MS) return;
    former = passed >= 0 && passed < 2 * PERIOD_MS ? present : new Map();
    present = new Map();
    periodFrom = nowMs();
  };

  const turnsLately = (): Counts => {
    beginPeriodIfDue();
    const turns: Counts = new Map(former);
    for (const [tenantId, more] of present) add(turns, tenantId, more);
    for (const one of unacknowledged.all) add(turns, one.tenantId, unacknowledged.furtherTurns(one));
    return turns;
  };

  return {
    begin: ({ tenantId }) => {
      beginPeriodIfDue();
      add(present, tenantId, 1);
      const one = unacknowledged.put(tenantId);
      return () => {
        beginPeriodIfDue();
        add(present, tenantId, unacknowledged.furtherTurns(one));
        unacknowledged.remove(one);
      };
    },
    exceeds: (event) => {
      if (givesUp(event)) return true;
      const { tenantId, at } = event;
      const turns = turnsLately();
      const mine = turns.get(tenantId) ?? 0;
      if (mine < FEWEST || nowMs() - Date.parse(at) < WAITED_MS) return false;
      const all = [...turns.values()].reduce((sum, count) => sum + count, 0);
      return mine > all / (turns.size + 1);
    },
    turns: turnsLately,
  };
};
