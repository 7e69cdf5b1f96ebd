import { Type } from 'typebox';
import { eventType } from '../envelope.ts';
import { Exact, Id, OneOf } from '../shapes/building-blocks.ts';
import { ConsentSchema } from '../shapes/consent.ts';
import { IDENTITY_OPERATION_TYPES } from '../vocabulary.ts';

/**
 * consents.changed: all consents as they are now, and which of them this change added or removed.
 * Consumed by verification-worker, issuing-source-adapter and proof-builder.
 */
export const consentsChanged = eventType(
  'consents.changed',
  Exact({
    /** It grows with each change of the identity's consents. An older one is ignored. */
    consentsRevision: Type.Integer(),
    consents: Type.Array(ConsentSchema),
    change: Exact({ type: OneOf(IDENTITY_OPERATION_TYPES), consents: Type.Array(ConsentSchema) }),
    operationId: Id,
  }),
);
