import type { KeyRole } from '@assay/contracts';

/** The pages that people sign in to. */
export const SIGN_IN_PAGES = ['console', 'admin'] as const;
export type SignInPage = (typeof SIGN_IN_PAGES)[number];

/** The roles of people; programs never have them. */
export const STAFF_ROLES = ['OPERATOR', 'TENANT_ADMINISTRATOR', 'ADMINISTRATOR'] as const satisfies KeyRole[];
export type StaffRole = (typeof STAFF_ROLES)[number];
export const isStaffRole = (role: KeyRole): role is StaffRole => STAFF_ROLES.some((each) => each === role);

/** The grant of a group at the issuer. Administrators of the suite belong to no tenant. */
export interface Grant {
  group: string;
  role: StaffRole;
  tenantId?: string | undefined;
}

const ROLES_OF: Readonly<Record<SignInPage, readonly StaffRole[]>> = {
  console: ['OPERATOR'],
  admin: ['ADMINISTRATOR', 'TENANT_ADMINISTRATOR'],
};

/** A claim by its name; if there is none, the name is read as a path. */
const claimAt = (claims: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(claims, name)
    ? claims[name]
    : name
        .split('.')
        .reduce<unknown>(
          (value, part) =>
            typeof value === 'object' && value !== null && Object.hasOwn(value, part)
              ? (value as Record<string, unknown>)[part]
              : undefined,
          claims,
        );

/** The groups that a claim names: a list, or a single one. */
export const groupsIn = (claims: Readonly<Record<string, unknown>>, name: string): string[] => {
  const value = claimAt(claims, name);
  const all: unknown[] = Array.isArray(value) ? value : [value];
  return all.filter((one): one is string => typeof one === 'string');
};

export interface Wanted {
  page: SignInPage;
  /** The tenant to act for, if several are possible. */
  tenantId?: string | undefined;
}

/** The first configured grant that these groups have for a page. */
export const grantFor = (
  grants: readonly Grant[],
  groups: readonly string[],
  { page, tenantId }: Wanted,
): Grant | undefined =>
  grants.find(
    (grant) =>
      groups.includes(grant.group) &&
      ROLES_OF[page].includes(grant.role) &&
      (tenantId === undefined || grant.tenantId === tenantId),
  );

/** A session: one browser acts for one person. Only a hash of its token is stored. */
export interface StaffSession {
  _id: string;
  tokenHash: string;
  page: SignInPage;
  personId: string;
  group: string;
  role: StaffRole;
  tenantId?: string;
  createdAt: Date;
  usedAt: Date;
  expiresAt: Date;
  endedAt?: Date;
}

export interface SessionRules {
  /** The longest time a session lasts, however much it is used. */
  sessionSeconds: number;
  /** A session ends after this time without an act of the person. */
  idleSeconds: number;
}

const isOver = (since: Date, seconds: number, now: Date): boolean => now.getTime() - since.getTime() >= seconds * 1000;

export const isLive = (session: StaffSession, { idleSeconds }: SessionRules, now: Date): boolean =>
  session.endedAt === undefined && session.expiresAt > now && !isOver(session.usedAt, idleSeconds, now);

/** How often a use is stored: after a tenth of the idle limit, a minute at most. */
const MOST_SECONDS_UNWRITTEN = 60;
export const isUseDue = ({ usedAt }: StaffSession, { idleSeconds }: SessionRules, now: Date): boolean =>
  isOver(usedAt, Math.min(MOST_SECONDS_UNWRITTEN, idleSeconds / 10), now);

/** Whether the configuration still grants what the session began with. */
export const isStillGranted = (grants: readonly Grant[], { group, role, tenantId }: StaffSession): boolean =>
  grants.some((grant) => grant.group === group && grant.role === role && grant.tenantId === tenantId);

/** A fragment of a page's address (`#...`): nothing that leads to another page. */
export const PLACE = /^\/[\w\-./%]{0,300}$/;
