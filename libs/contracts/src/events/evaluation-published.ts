import { Type } from 'typebox';
import { eventType } from '../envelope.ts';
import { DateTime, Exact, Id, OneOf, Sealed } from '../shapes/building-blocks.ts';
import { EVIDENCE_OPERATIONS, EVIDENCE_TYPES, IDENTITY_STATUSES } from '../vocabulary.ts';

/**
 * evaluation.published: the gateway's read model shows the evaluation, so the webhook may be sent.
 * The write that changes the answer of GET emits it (invariant 4). Consumed by notifier.
 */
export const evaluationPublished = eventType(
  'evaluation.published',
  Exact({
    identityStatus: OneOf(IDENTITY_STATUSES),
    completedAt: DateTime,
    /** What the relying service calls the person, sealed under the identity's notice key. */
    sealedBusinessId: Type.Optional(Sealed),
    evidence: Exact({
      evidenceId: Id,
      evidenceType: OneOf(EVIDENCE_TYPES),
      evidenceOperation: OneOf(EVIDENCE_OPERATIONS),
    }),
    /** Sandbox tenants only: how many attempts of the notification fail without being made. */
    simulatedFailures: Type.Optional(Type.Integer({ minimum: 1 })),
  }),
);
