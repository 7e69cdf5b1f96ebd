import { Type } from 'typebox';
import { eventType } from '../envelope.ts';
import { Exact, Id, OneOf } from '../shapes/building-blocks.ts';
import { ConsentSchema } from '../shapes/consent.ts';
import { IDENTITY_OPERATION_TYPES } from '../vocabulary.ts';

/**
 * consents.changed: all consents as they now stand, and which of them this change added or removed.
 * Heard by verification-worker, issuing-source-adapter and proof-builder.
 */
export const consentsChanged = eventType(
  'consents.changed',
  Exact({
    /** Grows with each change of the identity's consents; an older one is ignored. */
    consentsRevision: Type.Integer(),
    consents: Type.Array(ConsentSchema),
    change: Exact({ type: OneOf(IDENTITY_OPERATION_TYPES), consents: Type.Array(ConsentSchema) }),
    operationId: Id,
  }),
);
