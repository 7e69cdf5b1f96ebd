import { Type } from 'typebox';
import { eventType } from '../envelope.ts';
import { DateTime, Exact, Id, OneOf } from '../shapes/building-blocks.ts';
import { EVIDENCE_TYPES, IDENTITY_OPERATION_NAMES } from '../vocabulary.ts';

/**
 * evidence.deleted: the client deleted it, or a new portrait replaced it. Consumed by gateway,
 * evidence-intake, verification-worker, issuing-source-adapter and proof-builder.
 */
export const evidenceDeleted = eventType(
  'evidence.deleted',
  Exact({
    evidenceId: Id,
    type: OneOf(EVIDENCE_TYPES),
    operation: OneOf(IDENTITY_OPERATION_NAMES),
    reason: OneOf(['DELETED', 'REPLACED']),
    deletedAt: DateTime,
    operationId: Type.Optional(Id),
    replacedBy: Type.Optional(Id),
  }),
);
