import { type Static, Type } from 'typebox';
import { EVIDENCE_STATUSES, EVIDENCE_TYPES, LEVELS_OF_ASSURANCE, WEBHOOK_MODES } from '../vocabulary.ts';
import { Exact, GivenDateTime, OneOf } from './building-blocks.ts';

const text = Type.Optional(Type.String());

/**
 * One notification to a tenant's webhook, with each attempt to deliver it. A receiver recognises a
 * repeat by the header `webhookId`.
 */
export const DeliverySchema = Type.Object({
  deliveryId: Type.String(),
  webhookId: Type.String(),
  identityId: Type.String(),
  event: Type.String(),
  state: OneOf(['PENDING', 'DELIVERED', 'FAILED']),
  createdAt: Type.String(),
  nextAttemptAt: text,
  attempts: Type.Array(
    Type.Object({
      at: Type.String(),
      statusCode: Type.Optional(Type.Integer()),
      error: text,
      bodySha256: Type.Optional(Type.String({ description: 'SHA-256 of the body of this attempt, in hexadecimal' })),
    }),
  ),
  /** True for a test notification, which is about no identity. */
  test: Type.Optional(Type.Boolean()),
});
export type Delivery = Static<typeof DeliverySchema>;
export const DeliveriesSchema = Type.Object({ items: Type.Array(DeliverySchema), cursor: text });

/** The condition of a tenant's webhook. */
export const EndpointHealthSchema = Type.Object({
  enabled: Type.Boolean({ description: 'false where it was switched off, or disabled itself after failures or a 410' }),
  consecutiveFailures: Type.Integer({ description: 'attempts that failed since the last that succeeded' }),
  failingSince: text,
  lastError: Type.Optional(Type.String({ description: 'of the newest attempt: a status, or why nothing was reached' })),
});
export type EndpointHealth = Static<typeof EndpointHealthSchema>;

/** A tenant's webhook as the notifier has it, never its secret, and how it has been going. */
export const ShownEndpointSchema = Type.Object({
  url: Type.String(),
  mode: OneOf(WEBHOOK_MODES),
  headerName: text,
  liveSecrets: Type.Optional(Type.Integer({ description: '2 while a former secret signs too' })),
  attempts: Type.Integer(),
  delaySeconds: Type.Integer(),
  schedule: Type.Optional(Type.Array(Type.Integer(), { description: 'seconds between attempts' })),
  goneAt: Type.Optional(Type.String({ description: 'when a 410 disabled it' })),
  disabledAt: Type.Optional(Type.String({ description: 'when failures disabled it' })),
  lastSuccessAt: text,
  lastFailureAt: text,
  ...EndpointHealthSchema.properties,
});
export type ShownEndpoint = Static<typeof ShownEndpointSchema>;

/** What a receiver said to a test notification: a status, or why it was not reached. */
export const TestAttemptSchema = Type.Object({
  deliveryId: Type.String(),
  statusCode: Type.Optional(Type.Integer()),
  error: text,
  durationMs: Type.Number(),
});
export type TestAttempt = Static<typeof TestAttemptSchema>;

/** Sends again the deliveries that have failed since a time. */
export const RecoverSchema = Exact({ since: GivenDateTime, until: Type.Optional(GivenDateTime) });
export const RecoveredSchema = Type.Object({ recovered: Type.Integer() });
export type Recovered = Static<typeof RecoveredSchema>;
export type Deliveries = Static<typeof DeliveriesSchema>;

/**
 * The state of an identity, as administrators search for it: its status (specification, Identity
 * status) while it runs, then CLOSED.
 */
export const IDENTITY_SUMMARY_STATUSES = ['EXPECTING_INPUT', 'PROCESSING', 'PAUSED', 'ERROR', 'CLOSED'] as const;
export type IdentitySummaryStatus = (typeof IDENTITY_SUMMARY_STATUSES)[number];

/** An identity as administrators see it, without personal data. */
export const IdentitySummarySchema = Type.Object({
  identityId: Type.String(),
  status: OneOf(IDENTITY_SUMMARY_STATUSES),
  levelOfAssurance: OneOf(LEVELS_OF_ASSURANCE),
  policy: Type.String(),
  evidences: Type.Array(
    Type.Object({ evidenceId: Type.String(), type: OneOf(EVIDENCE_TYPES), status: OneOf(EVIDENCE_STATUSES) }),
  ),
  createdAt: Type.String(),
  expiresAt: Type.String(),
  closedAt: text,
  /** Why it was closed. */
  reason: text,
});
export type IdentitySummary = Static<typeof IdentitySummarySchema>;

/**
 * One entry in the history of an identity: an event, an evaluation, a delivery, or an act of the
 * audit log. It has no personal data.
 */
export const TimelineItemSchema = Type.Object({
  at: Type.String(),
  kind: OneOf(['EVENT', 'EVALUATION', 'DELIVERY', 'ACT']),
  /** The type of the event, or the name of the notification or of the act. */
  type: Type.String(),
  evidenceId: text,
  details: Type.Record(Type.String(), Type.Unknown()),
});
export type TimelineItem = Static<typeof TimelineItemSchema>;

export const TimelineSchema = Type.Object({ identity: IdentitySummarySchema, items: Type.Array(TimelineItemSchema) });
export type Timeline = Static<typeof TimelineSchema>;
