import { type Static, Type } from 'typebox';
import { EVIDENCE_OPERATIONS, EVIDENCE_TYPES, IDENTITY_STATUSES } from '../vocabulary.ts';
import { DateTime, Exact, Id, OneOf } from './building-blocks.ts';

const subject = { identityId: Id, businessId: Type.Optional(Type.String()), identityStatus: OneOf(IDENTITY_STATUSES) };

/**
 * Body of the webhook Evaluation (specification, Events): an evidence was evaluated, or deleted.
 */
export const EvaluationNotificationSchema = Exact({
  event: Type.Literal('Evaluation'),
  ...subject,
  completedAt: DateTime,
  evidence: Exact({
    evidenceId: Id,
    evidenceType: OneOf(EVIDENCE_TYPES),
    evidenceOperation: OneOf(EVIDENCE_OPERATIONS),
  }),
});
export type EvaluationNotification = Static<typeof EvaluationNotificationSchema>;

/** Body of the webhook IdentityStatusUpdate: PAUSED, TIMEOUT or ERROR. */
export const StatusNotificationSchema = Exact({
  event: Type.Literal('IdentityStatusUpdate'),
  ...subject,
  expireAt: Type.Optional(DateTime),
  completedAt: Type.Optional(DateTime),
});
export type StatusNotification = Static<typeof StatusNotificationSchema>;

/**
 * Body of the webhook AdjudicationWaiting: an evidence has waited for operators for too long. It is
 * sent once for each case, to tenants that ask for it.
 */
export const WaitingNotificationSchema = Exact({
  event: Type.Literal('AdjudicationWaiting'),
  ...subject,
  evidence: Exact({ evidenceId: Id, evidenceType: OneOf(EVIDENCE_TYPES) }),
  caseId: Id,
  waitingSince: DateTime,
});
export type WaitingNotification = Static<typeof WaitingNotificationSchema>;
