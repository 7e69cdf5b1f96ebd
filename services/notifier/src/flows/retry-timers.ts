/** Longer than this nobody waits in memory: the rounds find what is due then. */
const LONGEST_MS = 3_600_000;

/**
 * Looks at a tenant's deliveries when the next of them is to be tried again. A hint and no more:
 * the time is in the delivery, and the rounds find it in whatever process.
 */
export const createRetryTimers = (look: (tenantId: string) => void) => {
  const timers = new Map<string, { at: number; timer: NodeJS.Timeout }>();
  return {
    expect: (tenantId: string, at: Date, now: Date): void => {
      const known = timers.get(tenantId);
      const ms = at.getTime() - now.getTime();
      if (ms > LONGEST_MS || (known && known.at <= at.getTime())) return;
      clearTimeout(known?.timer);
      const timer = setTimeout(() => {
        timers.delete(tenantId);
        look(tenantId);
      }, ms);
      timers.set(tenantId, { at: at.getTime(), timer });
    },
    clear: (): void => {
      for (const { timer } of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
};
