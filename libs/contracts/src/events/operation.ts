import { type Static, Type } from 'typebox';
import { eventType } from '../envelope.ts';
import { Exact, Id, OneOf, Sealed } from '../shapes/building-blocks.ts';
import { RestDetailsSchema } from '../shapes/proof-elements.ts';
import { IDENTITY_OPERATION_NAMES, IDENTITY_OPERATION_TYPES } from '../vocabulary.ts';

/**
 * A call that changed the identity. `contextIds`: the evidences or consents that it changed
 * (participantContextId in the proof).
 */
export const OperationSchema = Exact({
  operationId: Id,
  name: Type.Optional(OneOf(IDENTITY_OPERATION_NAMES)),
  type: OneOf(IDENTITY_OPERATION_TYPES),
  contextIds: Type.Array(Id),
  rest: RestDetailsSchema,
  /** Sealed JSON {ip?, userAgent?}: who called. */
  sealedCaller: Type.Optional(Sealed),
});
export type Operation = Static<typeof OperationSchema>;

/**
 * operation.recorded: the gateway accepted a call that changed the identity. Consumed by
 * proof-builder.
 */
export const operationRecorded = eventType('operation.recorded', OperationSchema);
