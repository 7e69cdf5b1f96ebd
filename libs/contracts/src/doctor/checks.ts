import { type Static, Type } from 'typebox';
import { OneOf } from '../shapes/building-blocks.ts';

/** The names of the checks before and during production; docs/production.md has a line for each. */
export const CHECKS = [
  'environment',
  'test-hooks',
  'seed-file',
  'specimens',
  'sandbox',
  'four-eyes',
  'sign-in-issuer',
  'sign-in-secret',
  'sign-in-redirect',
  'simulated-sources',
  'simulated-authorities',
  'master-key',
  'master-keys-differ',
  'master-key-age',
  'key-service',
  'signing-key',
  'secrets-in-files',
  'api-key-age',
  'api-key-use',
  'administrators',
  'database-login',
  'database-open',
  'database-rights',
  'database-copies',
  'database-indexes',
  'broker-login',
  'broker-default-user',
  'database-tls',
  'broker-tls',
  'service-tls',
  'certificate',
  'public-address',
  'front-tls',
  'proxies',
  'private-targets',
  'webhooks',
  'outside-addresses',
  'one-time-codes',
  'clocks',
  'services',
  'process-user',
  'log-level',
  'metrics',
  'alerts',
  'audit-log',
] as const;
export type CheckName = (typeof CHECKS)[number];

/** From harmless to severe. UNKNOWN: the check could not be made, and the message says why. */
const FINDING_STATUSES = ['OK', 'UNKNOWN', 'WARNING', 'PROBLEM'] as const;
export type FindingStatus = (typeof FINDING_STATUSES)[number];

/** The result of one check in one place. It names settings and ids, never a secret. */
const members = { check: OneOf(CHECKS), status: OneOf(FINDING_STATUSES), message: Type.String() };
const FindingSchema = Type.Object(members);
export type Finding = Static<typeof FindingSchema>;

/**
 * The reply of every service to GET /internal/v1/doctor: its time, its findings about itself, and a
 * fingerprint of its master key, which is compared with those of the other services.
 */
export const ServiceFindingsSchema = Type.Object({
  at: Type.String(),
  findings: Type.Array(FindingSchema),
  masterKeyFingerprint: Type.Optional(Type.String()),
});
export type ServiceFindings = Static<typeof ServiceFindingsSchema>;

/** GET /admin/v1/doctor. `where`: the service a finding is about. */
export const DoctorReplySchema = Type.Object({
  at: Type.String(),
  findings: Type.Array(Type.Object({ ...members, where: Type.String() })),
});
export type DoctorReply = Static<typeof DoctorReplySchema>;
