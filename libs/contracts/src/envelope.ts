import { type Static, type TSchema, Type } from 'typebox';
import { Exact, Id, Instant } from './shapes/building-blocks.ts';

/**
 * What every event carries beside its data. `id` is the message id: the same on every repeat of one
 * event. No key: whoever may open what is sealed in it asks the gateway for the identity's key,
 * which ends with the identity (invariant 7).
 */
export interface Envelope<T> {
  id: string;
  type: string;
  at: string;
  tenantId: string;
  identityId: string;
  traceparent?: string;
  data: T;
}

const envelopeOf = (type: string, data: TSchema) =>
  Exact({
    id: Id,
    type: Type.Literal(type),
    at: Instant,
    tenantId: Id,
    identityId: Id,
    traceparent: Type.Optional(Type.String()),
    data,
  });

/**
 * One kind of event: its type (also the routing key), the schema of its data, and that of the
 * envelope around it, which libs/bus checks on publish and on consume. The envelope's is made here,
 * once: a validator is compiled for each schema object, which takes longer than all else done with
 * a message.
 */
export interface EventType<T extends TSchema = TSchema> {
  type: string;
  schema: T;
  envelope: TSchema;
}

export type DataOf<E extends EventType> = Static<E['schema']>;

/** Declares an event: type = routing key, schema of the data. */
export const eventType = <T extends TSchema>(type: string, schema: T): EventType<T> => ({
  type,
  schema,
  envelope: envelopeOf(type, schema),
});
