import type { KeyRole } from '@assay/contracts';

/** Who may call a route (specification, Roles). Decided before anything is looked up. */
export const ROLES = {
  /** User agents create, consent, submit, poll and read the reduced identity. */
  CLIENTS: ['RELYING_SERVICE', 'USER_AGENT'],
  /** Relying services alone: proof, captures, deletions, resume. */
  RELYING_SERVICE: ['RELYING_SERVICE'],
  /** The sessions of user agents: what only their tokens are for. */
  USER_AGENT: ['USER_AGENT'],
  OPERATORS: ['OPERATOR'],
  /** What is the suite's: only its administrators. */
  ADMINISTRATORS: ['ADMINISTRATOR'],
  /** What is one tenant's: also that tenant's own administrators. */
  ADMINISTRATORS_OF_TENANT: ['ADMINISTRATOR', 'TENANT_ADMINISTRATOR'],
  OPERATORS_AND_ADMINISTRATORS: ['OPERATOR', 'ADMINISTRATOR'],
} as const satisfies Record<string, readonly KeyRole[]>;

export const mayCall = (roles: readonly KeyRole[], role: KeyRole): boolean => roles.includes(role);
