import { type Static, Type } from 'typebox';
import { WEBHOOK_MODES } from '../vocabulary.ts';
import { Exact, OneOf } from './building-blocks.ts';

const seconds = Type.Integer({ minimum: 1, description: 'whole seconds, from 1' });
const positive = Type.Integer({ minimum: 1 });

export const WebhookSettingsSchema = Exact({
  url: Type.String({ minLength: 1, maxLength: 2048 }),
  mode: OneOf(WEBHOOK_MODES),
  headerName: Type.Optional(Type.String({ minLength: 1, maxLength: 128, pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$" })),
  secret: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
  attempts: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  delaySeconds: Type.Optional(seconds),
  enabled: Type.Optional(Type.Boolean()),
});
export type WebhookSettings = Static<typeof WebhookSettingsSchema>;

/** Every switch of a tenant (interfaces, Administration). All optional in a request; defaults are `DEFAULT_SETTINGS`. */
export const TenantSettingsSchema = Exact({
  issuingSources: Type.Optional(
    Exact({
      enabled: Type.Optional(Type.Boolean()),
      userCategory: Type.Optional(OneOf(['COMMERCIAL', 'GOVERNMENT'])),
      recheckAfterSeconds: Type.Optional(seconds),
    }),
  ),
  adjudication: Type.Optional(
    Exact({
      enabled: Type.Optional(Type.Boolean()),
      fourEyes: Type.Optional(Type.Boolean()),
      expirySeconds: Type.Optional(seconds),
    }),
  ),
  policy: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  acceptSpecimens: Type.Optional(Type.Boolean()),
  acceptedIssuers: Type.Optional(Type.Array(Type.String({ pattern: '^[A-Z]{3}$' }), { maxItems: 300 })),
  transactionLifetimeSeconds: Type.Optional(seconds),
  pauseResume: Type.Optional(
    Exact({ enabled: Type.Optional(Type.Boolean()), pauseDurationSeconds: Type.Optional(seconds) }),
  ),
  videosInProof: Type.Optional(Type.Boolean()),
  limits: Type.Optional(Exact({ maxFileBytes: Type.Optional(positive), requestsPerMinute: Type.Optional(positive) })),
  retention: Type.Optional(
    Exact({
      tombstoneSeconds: Type.Optional(seconds),
      deliveryLogSeconds: Type.Optional(seconds),
      proofGraceSeconds: Type.Optional(seconds),
    }),
  ),
  liveCapture: Type.Optional(Exact({ timeoutSeconds: Type.Optional(seconds) })),
  otp: Type.Optional(Exact({ timeoutSeconds: Type.Optional(seconds), attempts: Type.Optional(positive) })),
  webhook: Type.Optional(Type.Union([WebhookSettingsSchema, Type.Null()])),
});
export type TenantSettings = Static<typeof TenantSettingsSchema>;

const HOUR = 3600;
/** What a tenant that sets nothing has. */
export const DEFAULT_SETTINGS = {
  issuingSources: { enabled: false, userCategory: 'COMMERCIAL' },
  adjudication: { enabled: false, fourEyes: false, expirySeconds: 24 * HOUR },
  policy: 'default',
  acceptSpecimens: false,
  transactionLifetimeSeconds: HOUR / 2,
  pauseResume: { enabled: false, pauseDurationSeconds: 72 * HOUR },
  videosInProof: false,
  limits: { maxFileBytes: 15 * 1024 * 1024, requestsPerMinute: 600 },
  retention: { tombstoneSeconds: 30 * 24 * HOUR, deliveryLogSeconds: 7 * 24 * HOUR, proofGraceSeconds: HOUR / 4 },
  liveCapture: { timeoutSeconds: 120 },
  otp: { timeoutSeconds: 300, attempts: 3 },
  webhook: null,
} as const satisfies TenantSettings;

/** The settings of a tenant that a verification needs; they travel in the internal token and in evidence.submitted. */
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
});
export type VerificationSettings = Static<typeof VerificationSettingsSchema>;
