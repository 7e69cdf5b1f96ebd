/**
 * Who is being told something at this moment. An endpoint has a few lanes, so that one which hangs holds up nobody else; an identity has one, so that
 * its notifications go out in order as long as nothing fails.
 */
export interface Lanes {
  enter(tenantId: string, identityId: string): boolean;
  leave(tenantId: string, identityId: string): void;
  hasRoom(tenantId: string): boolean;
  identitiesIn(tenantId: string): string[];
  fullTenants(): string[];
  count(): number;
}

export const createLanes = (perEndpoint: number, overall: number): Lanes => {
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
