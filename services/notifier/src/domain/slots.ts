/**
 * The deliveries that this process has leased. One for each identity, so that its notifications go
 * out in order as long as none fails. Many for each endpoint, so that the process need not ask the
 * database for each. When all slots are taken, each endpoint still gets a few: receivers that hang
 * delay no other tenant.
 */
export interface Slots {
  enter(tenantId: string, identityId: string): boolean;
  leave(tenantId: string, identityId: string): void;
  has(tenantId: string, identityId: string): boolean;
  /** How many more deliveries of the tenant the process may lease. */
  roomFor(tenantId: string): number;
  countOf(tenantId: string): number;
  identitiesIn(tenantId: string): string[];
  tenants(): string[];
  count(): number;
}

export interface SlotLimits {
  perEndpoint: number;
  overall: number;
  /** Each endpoint has so many although `overall` is reached, up to as many again. */
  reserved: number;
}

export const createSlots = ({ perEndpoint, overall, reserved }: SlotLimits): Slots => {
  const busy = new Map<string, Set<string>>();
  let count = 0;
  const countOf = (tenantId: string): number => busy.get(tenantId)?.size ?? 0;
  const roomFor = (tenantId: string): number => {
    const size = countOf(tenantId);
    const free = Math.min(perEndpoint - size, overall - count);
    const ofItsOwn = Math.min(reserved - size, 2 * overall - count);
    return Math.max(0, free, ofItsOwn);
  };
  const has = (tenantId: string, identityId: string): boolean => busy.get(tenantId)?.has(identityId) ?? false;
  return {
    roomFor,
    countOf,
    has,
    count: () => count,
    identitiesIn: (tenantId) => [...(busy.get(tenantId) ?? [])],
    tenants: () => [...busy.keys()],
    enter: (tenantId, identityId) => {
      if (roomFor(tenantId) === 0 || has(tenantId, identityId)) return false;
      busy.set(tenantId, (busy.get(tenantId) ?? new Set()).add(identityId));
      count += 1;
      return true;
    },
    leave: (tenantId, identityId) => {
      const identities = busy.get(tenantId);
      if (!identities?.delete(identityId)) return;
      count -= 1;
      if (identities.size === 0) busy.delete(tenantId);
    },
  };
};
