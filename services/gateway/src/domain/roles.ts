import type { KeyRole } from '@assay/contracts';

/** Who may call a route (specification, Roles). Decided before anything is looked up. */
export const ROLES = {
  /** User agents create, consent, submit, poll and read the reduced identity. */
  CLIENTS: ['RELYING_SERVICE', 'USER_AGENT'],
  /** Relying services alone: proof, captures, deletions, resume. */
  RELYING_SERVICE: ['RELYING_SERVICE'],
  /** Only for tokens of user-agent sessions. */
  USER_AGENT: ['USER_AGENT'],
  OPERATORS: ['OPERATOR'],
  /** Only for administrators of the suite. */
  ADMINISTRATORS: ['ADMINISTRATOR'],
  /** For administrators of the suite and of the tenant. */
  ADMINISTRATORS_OF_TENANT: ['ADMINISTRATOR', 'TENANT_ADMINISTRATOR'],
  OPERATORS_AND_ADMINISTRATORS: ['OPERATOR', 'ADMINISTRATOR'],
} as const satisfies Record<string, readonly KeyRole[]>;

export const mayCall = (roles: readonly KeyRole[], role: KeyRole): boolean => roles.includes(role);
