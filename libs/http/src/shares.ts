/** Slots that are shared among keys and tenants. */
export interface Shares {
  /** Takes a slot for each of these, or none; returns the function that releases it. */
  take(tenant: string, key: string): (() => void) | undefined;
}

/**
 * A tenant with many keys gets at most so many times what is free; a single key as much as is free.
 */
const TENANT_FACTOR = 3;

const createCounts = () => {
  const counts = new Map<string, number>();
  const add = (name: string, more: number): void => {
    const next = (counts.get(name) ?? 0) + more;
    if (next === 0) counts.delete(name);
    else counts.set(name, next);
  };
  return { countOf: (name: string): number => counts.get(name) ?? 0, add };
};

/**
 * Shares `total` slots. A key may take as many as are free, a tenant three times as many: one key
 * alone gets half of all, one tenant three quarters, so that others always find some.
 */
export const createShares = (total: number): Shares => {
  const tenants = createCounts();
  const keys = createCounts();
  let used = 0;
  return {
    take: (tenant, key) => {
      const free = total - used;
      if (keys.countOf(key) >= free || tenants.countOf(tenant) >= TENANT_FACTOR * free) return undefined;
      const change = (by: number): void => {
        used += by;
        tenants.add(tenant, by);
        keys.add(key, by);
      };
      change(1);
      let returned = false;
      return () => {
        if (!returned) change(-1);
        returned = true;
      };
    },
  };
};
