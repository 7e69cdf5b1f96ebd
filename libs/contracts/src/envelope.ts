import { type Static, type TSchema, Type } from 'typebox';
import { Exact, Id, Instant } from './shapes/building-blocks.ts';

/**
 * What every event has beside its data. `id` is the message id, the same on every repeat of one
 * event. An event contains no key: whoever may open its sealed data asks the gateway for the
 * identity's key, which is destroyed with the identity (invariant 7).
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
 * One kind of event: its type, which is also the routing key, the schema of its data, and the
 * schema of the envelope around it. libs/bus checks the envelope on publish and on consume. The
 * envelope's schema is made once, here: a validator is compiled for each schema object, which takes
 * longer than all other work on a message.
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
