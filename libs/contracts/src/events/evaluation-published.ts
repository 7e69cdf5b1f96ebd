import { Type } from 'typebox';
import { eventType } from '../envelope.ts';
import { DateTime, Exact, Id, OneOf } from '../shapes/building-blocks.ts';
import { EVIDENCE_OPERATIONS, EVIDENCE_TYPES, IDENTITY_STATUSES } from '../vocabulary.ts';

/**
 * evaluation.published: the gateway's read model shows the evaluation, so the client may be told. Emitted in the write that updates what
 * GET answers (invariant 4). Heard by notifier.
 */
export const evaluationPublished = eventType(
  'evaluation.published',
  Exact({
    identityStatus: OneOf(IDENTITY_STATUSES),
    completedAt: DateTime,
    businessId: Type.Optional(Type.String()),
    evidence: Exact({
      evidenceId: Id,
      evidenceType: OneOf(EVIDENCE_TYPES),
      evidenceOperation: OneOf(EVIDENCE_OPERATIONS),
    }),
  }),
);
