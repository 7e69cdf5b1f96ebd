import type { Envelope } from '@assay/contracts';
import type { Clock } from '@assay/runtime';

/** An event that waited no longer than this is handled whoever submitted it. */
const WAITED_MS = 2000;
/** What a tenant has taken counts for this long, and for up to twice as long. */
const PERIOD_MS = 15_000;
/** Nobody who has taken fewer than this exceeds a share. */
const FEWEST = 8;

type Counts = Map<string, number>;
const countOf = (counts: Counts, tenantId: string): number => counts.get(tenantId) ?? 0;

/** What this process took from the queues of evidence for each tenant lately. */
export interface TenantShares {
  /** Counts an event. */
  took(event: Envelope<unknown>): void;
  /**
   * Whether an event exceeds its tenant's share (decision 40): it waited, so more is submitted than
   * is verified, and its tenant has taken more than an equal share of what was taken lately. One
   * share is left for a tenant whose events are still behind those of the others.
   */
  exceeds(event: Envelope<unknown>): boolean;
}

export const createTenantShares = (now: Clock): TenantShares => {
  let periodFrom = 0;
  let present: Counts = new Map();
  let former: Counts = new Map();

  const turnPeriod = (): void => {
    const passed = now().getTime() - periodFrom;
    if (passed >= 0 && passed < PERIOD_MS) return;
    former = passed >= 0 && passed < 2 * PERIOD_MS ? present : new Map();
    present = new Map();
    periodFrom = now().getTime();
  };

  return {
    took: ({ tenantId }) => {
      turnPeriod();
      present.set(tenantId, countOf(present, tenantId) + 1);
    },
    exceeds: ({ tenantId, at }) => {
      turnPeriod();
      const mine = countOf(present, tenantId) + countOf(former, tenantId);
      if (mine < FEWEST || now().getTime() - Date.parse(at) < WAITED_MS) return false;
      const counts = [...present.values(), ...former.values()];
      const tenants = new Set([...present.keys(), ...former.keys()]);
      const all = counts.reduce((sum, count) => sum + count, 0);
      return mine > all / (tenants.size + 1);
    },
  };
};
