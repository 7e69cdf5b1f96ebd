import { type Static, Type } from 'typebox';
import { WEBHOOK_MODES } from '../vocabulary.ts';
import { AdjudicationSettings, USUAL_ADJUDICATION } from './adjudication-settings.ts';
import { Exact, group, OneOf } from './building-blocks.ts';
import { CaptureSettings, Origin } from './capture-settings.ts';
import { SandboxPlaySchema } from './sandbox.ts';
import { flag, LONGEST_SECONDS, positive, seconds } from './setting-kinds.ts';

const HOUR = 3600;
const usual = {
  sandbox: false,
  issuingSources: { enabled: false, userCategory: 'COMMERCIAL' },
  adjudication: USUAL_ADJUDICATION,
  policy: 'default',
  acceptSpecimens: false,
  transactionLifetimeSeconds: HOUR / 2,
  pauseResume: { enabled: false, pauseDurationSeconds: 72 * HOUR },
  videosInProof: false,
  limits: { maxFileBytes: 15 * 1024 * 1024, requestsPerMinute: 600 },
  retention: { tombstoneSeconds: 30 * 24 * HOUR, deliveryLogSeconds: 7 * 24 * HOUR, proofGraceSeconds: HOUR / 4 },
  liveCapture: { timeoutSeconds: 120 },
  chip: { timeoutSeconds: 300 },
  otp: { timeoutSeconds: 300, attempts: 3 },
  capture: {},
  webhook: null,
} as const;

export const WebhookSettingsSchema = Exact({
  url: Type.String({
    minLength: 1,
    maxLength: 2048,
    format: 'whole-characters',
    title: 'Address',
    description: 'where notifications go; https, or http outside production',
  }),
  mode: Type.Enum([...WEBHOOK_MODES], {
    title: 'Security',
    description: 'NONE, API_KEY (the secret in a header) or HMAC (a signature in a header)',
  }),
  headerName: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$",
      title: 'Header',
      description: 'name of the header that carries the secret or the signature, without spaces or colons',
    }),
  ),
  secret: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 512,
      format: 'whole-characters',
      title: 'Secret',
      description: 'stored sealed and never shown again',
    }),
  ),
  attempts: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      title: 'Attempts',
      description: 'how often one notification is tried',
      default: 3,
    }),
  ),
  delaySeconds: seconds('Pause', 'between two attempts', 10),
  schedule: Type.Optional(
    Type.Array(Type.Integer({ minimum: 1, maximum: 7 * 24 * 3600 }), {
      minItems: 1,
      maxItems: 30,
      title: 'Schedule',
      description: 'seconds between attempts, up to days; in place of attempts and pause',
    }),
  ),
  formerSecret: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 512,
      format: 'whole-characters',
      title: 'Former secret',
      description: 'signs too until it is removed; never shown again',
    }),
  ),
  disableAfterSeconds: Type.Optional(
    Type.Integer({
      minimum: 60,
      maximum: LONGEST_SECONDS,
      title: 'Disable after',
      description: 'seconds in which every attempt has failed',
      default: 5 * 24 * HOUR,
    }),
  ),
  enabled: flag('Enabled', 'a receiver that answers 410, or fails for too long, disables it', true),
});
export type WebhookSettings = Static<typeof WebhookSettingsSchema>;

const issuingSources = group('Issuing sources', {
  enabled: flag(
    'Ask issuing sources',
    'documents are checked with their issuer, with consent',
    usual.issuingSources.enabled,
  ),
  userCategory: Type.Optional(
    Type.Enum(['COMMERCIAL', 'GOVERNMENT'], {
      title: 'User category',
      description: 'as which kind of user sources are asked',
      default: usual.issuingSources.userCategory,
    }),
  ),
  recheckAfterSeconds: seconds('Ask again', 'a source that did not answer is asked again after this long'),
});

const retention = group('Retention', {
  tombstoneSeconds: seconds(
    'Tombstone',
    'how long a closed identity still answers 410 and has a deletion receipt',
    usual.retention.tombstoneSeconds,
  ),
  deliveryLogSeconds: seconds('Delivery log', 'how long deliveries are kept', usual.retention.deliveryLogSeconds),
  proofGraceSeconds: seconds(
    'Grace of a proof',
    'how long a retrieved archive can be fetched again',
    usual.retention.proofGraceSeconds,
  ),
});

/**
 * Every switch of a tenant (specification, Administration). All optional in a request; defaults are
 * `DEFAULT_SETTINGS`.
 */
export const TenantSettingsSchema = Exact({
  sandbox: Type.Optional(
    Type.Boolean({
      title: 'Sandbox',
      description: 'outcomes can be played; decided when the tenant is made, and never changed',
      default: usual.sandbox,
      readOnly: true,
    }),
  ),
  policy: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      title: 'Policy',
      description: 'by which evidence is evaluated; identities keep the one they begin with',
      default: usual.policy,
    }),
  ),
  acceptSpecimens: flag('Accept specimens', 'specimen documents count; never in production', usual.acceptSpecimens),
  acceptedIssuers: Type.Optional(
    Type.Array(Type.String({ pattern: '^[A-Z]{3}$', description: 'three capital letters' }), {
      maxItems: 300,
      title: 'Accepted issuers',
      description: 'countries whose documents are accepted, three letters each; all where it is absent',
    }),
  ),
  allowedOrigins: Type.Optional(
    Type.Array(Origin, {
      maxItems: 50,
      uniqueItems: true,
      title: 'Allowed origins',
      description: 'exact origins whose pages may call the API',
      default: [],
    }),
  ),
  capture: CaptureSettings,
  transactionLifetimeSeconds: seconds(
    'Life of a transaction',
    'since the last accepted submission',
    usual.transactionLifetimeSeconds,
  ),
  videosInProof: flag('Videos in the proof', 'of live captures', usual.videosInProof),
  issuingSources,
  adjudication: AdjudicationSettings,
  pauseResume: group('Pause and resume', {
    enabled: flag('Pause', 'a transaction whose time is up pauses instead of ending', usual.pauseResume.enabled),
    pauseDurationSeconds: seconds(
      'Length of a pause',
      'then the transaction ends',
      usual.pauseResume.pauseDurationSeconds,
    ),
  }),
  limits: group('Limits', {
    maxFileBytes: positive('Largest file', 'in bytes', usual.limits.maxFileBytes),
    requestsPerMinute: positive('Requests a minute', 'of each key', usual.limits.requestsPerMinute),
  }),
  retention,
  liveCapture: group('Live capture', {
    timeoutSeconds: seconds('Live session', 'its longest life', usual.liveCapture.timeoutSeconds),
  }),
  chip: group('Chip', { timeoutSeconds: seconds('Chip session', 'its longest life', usual.chip.timeoutSeconds) }),
  otp: group('One-time codes', {
    timeoutSeconds: seconds('Life of a code', 'then a new one is needed', usual.otp.timeoutSeconds),
    attempts: positive('Attempts at a code', 'wrong ones until it is good for nothing', usual.otp.attempts, 100),
  }),
  webhook: Type.Optional(
    Type.Union([WebhookSettingsSchema, Type.Null()], { title: 'Webhook', default: usual.webhook }),
  ),
});
export type TenantSettings = Static<typeof TenantSettingsSchema>;

/** The settings of a tenant that sets nothing. */
export const DEFAULT_SETTINGS = { ...usual, allowedOrigins: [] } satisfies TenantSettings;

/**
 * The settings of a tenant that a verification needs; they travel in the internal token and in
 * evidence.submitted.
 */
export const VerificationSettingsSchema = Exact({
  policy: Exact({ name: Type.String(), version: Type.String() }),
  acceptSpecimens: Type.Boolean(),
  acceptedIssuers: Type.Optional(Type.Array(Type.String())),
  issuingSources: Exact({
    enabled: Type.Boolean(),
    userCategory: OneOf(['COMMERCIAL', 'GOVERNMENT']),
    recheckAfterSeconds: Type.Optional(Type.Integer()),
  }),
  adjudication: Exact({ enabled: Type.Boolean(), fourEyes: Type.Boolean(), expirySeconds: Type.Integer() }),
  /** Sandbox tenants only. `play`: the outcome that was armed for this submission. */
  sandbox: Type.Optional(Exact({ play: Type.Optional(SandboxPlaySchema) })),
});
export type VerificationSettings = Static<typeof VerificationSettingsSchema>;
