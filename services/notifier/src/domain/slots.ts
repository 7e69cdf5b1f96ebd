/**
 * The deliveries being attempted now. An endpoint has a few slots, so that a receiver that hangs
 * delays no other tenant; an identity has one, so that its notifications go out in order as long as
 * none fails.
 */
export interface Slots {
  enter(tenantId: string, identityId: string): boolean;
  leave(tenantId: string, identityId: string): void;
  hasRoom(tenantId: string): boolean;
  identitiesIn(tenantId: string): string[];
  fullTenants(): string[];
  count(): number;
}

export const createSlots = (perEndpoint: number, overall: number): Slots => {
  const busy = new Map<string, Set<string>>();
  let count = 0;
  const size = (tenantId: string): number => busy.get(tenantId)?.size ?? 0;
  const hasRoom = (tenantId: string): boolean => count < overall && size(tenantId) < perEndpoint;
  return {
    hasRoom,
    count: () => count,
    identitiesIn: (tenantId) => [...(busy.get(tenantId) ?? [])],
    fullTenants: () => [...busy.keys()].filter((tenantId) => size(tenantId) >= perEndpoint),
    enter: (tenantId, identityId) => {
      if (!hasRoom(tenantId) || busy.get(tenantId)?.has(identityId)) return false;
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
