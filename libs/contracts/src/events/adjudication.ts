import { Type } from 'typebox';
import { eventType } from '../envelope.ts';
import { DateTime, Exact, Id, OneOf, Sealed } from '../shapes/building-blocks.ts';
import { CASE_WITHDRAWALS, ChipFoundSchema, SimilaritySchema } from '../shapes/operator.ts';
import { EVIDENCE_TYPES, IDENTITY_STATUSES } from '../vocabulary.ts';

const request = {
  caseId: Id,
  evidenceId: Id,
  type: OneOf(EVIDENCE_TYPES),
  submitDateTime: DateTime,
  requestedAt: DateTime,
  expiresAt: DateTime,
  fourEyes: Type.Boolean(),
};

/**
 * adjudication.requested: an evidence waits for an operator. Consumed by gateway, which stores the
 * operators' queue as a read model.
 */
export const adjudicationRequested = eventType(
  'adjudication.requested',
  Exact({
    ...request,
    raisedIndicators: Type.Array(Type.String()),
    reasons: Type.Array(Type.String()),
    /**
     * The media that an operator looks at: captures, crops, those of the reference portrait and of
     * a document whose photograph a selfie is, and the portraits in chips.
     */
    media: Type.Array(Exact({ mediaId: Id, label: Type.String() })),
    /** The findings on the identity's chips. */
    chips: Type.Optional(Type.Array(ChipFoundSchema)),
    /** For a selfie: the measured distance to its reference. */
    similarity: Type.Optional(SimilaritySchema),
    /** Sealed JSON of the fields that were read. */
    sealedFields: Type.Optional(Sealed),
  }),
);

/**
 * adjudication.withdrawn: an evidence no longer waits for an operator, and none decided. Consumed
 * by gateway. It contains all that the record of a case needs, since it may arrive before the
 * request.
 */
export const adjudicationWithdrawn = eventType(
  'adjudication.withdrawn',
  Exact({
    ...request,
    withdrawnAt: DateTime,
    reason: OneOf(CASE_WITHDRAWALS),
  }),
);

/**
 * adjudication.decided: operators decided, or (EXPIRED) nobody did in time. Consumed by
 * verification-worker.
 */
export const adjudicationDecided = eventType(
  'adjudication.decided',
  Exact({
    caseId: Id,
    evidenceId: Id,
    decision: OneOf(['ACCEPT', 'REJECT', 'EXPIRED']),
    /** Reasons of a rejection: names of indicators of the adjudication group. */
    reasons: Type.Array(Type.String()),
    decidedAt: DateTime,
    details: Type.Array(
      Exact({
        operatorId: Type.String(),
        decision: OneOf(['ACCEPT', 'REJECT']),
        reasons: Type.Array(Type.String()),
        startTime: DateTime,
        endTime: DateTime,
        sealedComment: Type.Optional(Sealed),
      }),
    ),
  }),
);

/**
 * adjudication.waiting: a case has waited for operators longer than its tenant wants. Consumed by
 * notifier.
 */
export const adjudicationWaiting = eventType(
  'adjudication.waiting',
  Exact({
    caseId: Id,
    evidenceId: Id,
    type: OneOf(EVIDENCE_TYPES),
    identityStatus: OneOf(IDENTITY_STATUSES),
    requestedAt: DateTime,
    expiresAt: DateTime,
    /** Whether the tenant gets a webhook. */
    webhook: Type.Boolean(),
    /** Sealed JSON of the address of a mail. */
    sealedMail: Type.Optional(Sealed),
    /** The address of the case in the console. */
    url: Type.Optional(Type.String()),
    sealedBusinessId: Type.Optional(Sealed),
  }),
);
