/**
 * The acts that the audit log records. An entry has ids, roles and names of acts, and no personal
 * data.
 */
export const AUDIT_ACTS = [
  'tenant.create',
  'tenant.change',
  'session.begin',
  'session.end',
  'key.create',
  'key.delete',
  'person.delete',
  'master-key.rotate',
  'signing-key.rotate',
  'delivery.resend',
  'delivery.recover',
  'dead-letters.replay',
  'dead-letters.remove',
  'endpoint.test',
  'case.claim',
  'case.close',
  'case.decide',
  'case.expire',
  'case.view',
  'case.view-image',
  'proof.retrieve',
  'evidence.delete',
  'identity.delete',
  'identity.read',
  'identity.export',
  'identity.purge',
  'identity.re-evaluate',
  'identity.closed',
  'trust.import',
  'trust.remove',
  'role.refused',
  'act.refused',
] as const;
export type AuditAct = (typeof AUDIT_ACTS)[number];
