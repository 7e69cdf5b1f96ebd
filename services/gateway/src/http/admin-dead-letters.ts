import type { Bus, DeadLetters } from '@assay/bus';
import { ApiError, ok } from '@assay/http';
import { Type } from 'typebox';
import { ROLES } from '../domain/roles.ts';
import { type CallOf, param, query } from './call.ts';
import { type Route, route } from './route.ts';

interface Deps {
  rabbitmq: Pick<Bus, 'deadLetters'>;
}

const MOST_SHOWN = 1000;
const QueueSchema = Type.Object({ queue: Type.String(), count: Type.Integer() });
const DeadLetterSchema = Type.Object({
  messageId: Type.Optional(Type.String()),
  type: Type.Optional(Type.String()),
  tenantId: Type.Optional(Type.String()),
  identityId: Type.Optional(Type.String()),
  reason: Type.String(),
  firstFailedAt: Type.Optional(Type.String()),
});
const ReplaySchema = Type.Object(
  { limit: Type.Optional(Type.Integer({ minimum: 1 })) },
  { additionalProperties: false },
);
const items = (schema: typeof QueueSchema | typeof DeadLetterSchema) => Type.Object({ items: Type.Array(schema) });

const common = { tag: 'Administration', roles: ROLES.ADMINISTRATORS };
const ofQueue = '/dead-letters/{queue}';

const limitOf = (call: CallOf<never, 'limit'>): number | undefined => {
  const text = query(call, 'limit');
  if (text === undefined) return undefined;
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MOST_SHOWN)
    throw new ApiError('BAD_FIELD', { field: 'limit', message: `must be a whole number from 1 to ${MOST_SHOWN}` });
  return limit;
};

const found = <T>(value: T | undefined): T => {
  if (value === undefined) throw new ApiError('NOT_FOUND');
  return value;
};

const readRoutes = (deadLetters: DeadLetters): Route[] => [
  route({
    ...common,
    id: 'listDeadLetters',
    method: 'get',
    path: '/dead-letters',
    summary: 'Queues that hold dead letters',
    reply: { description: 'Queues', schema: items(QueueSchema) },
    errors: [],
    handle: async () => ok({ items: await deadLetters.list() }),
  }),
  route({
    ...common,
    id: 'showDeadLetters',
    method: 'get',
    path: ofQueue,
    summary: 'The oldest dead letters of a queue, left where they are and without their data',
    query: { limit: `1 to ${MOST_SHOWN}, 100 by default` },
    reply: { description: 'Dead letters', schema: items(DeadLetterSchema) },
    errors: ['BAD_FIELD'],
    handle: async (call) => ok({ items: found(await deadLetters.peek(param(call, 'queue'), limitOf(call))) }),
  }),
];

const actRoutes = (deadLetters: DeadLetters): Route[] => [
  route({
    ...common,
    id: 'replayDeadLetters',
    audit: 'dead-letters.replay',
    method: 'post',
    path: `${ofQueue}/replay`,
    summary: 'Hand dead letters to their queue again, the oldest first',
    body: { kind: 'json', schema: ReplaySchema, nullIsAbsent: true, mayBeAbsent: true },
    reply: { description: 'How many', schema: Type.Object({ replayed: Type.Integer() }) },
    errors: ['BAD_FIELD', 'UNSUPPORTED_MEDIA_TYPE'],
    handle: async (call) => {
      const { limit } = call.body;
      return ok({ replayed: found(await deadLetters.replay(param(call, 'queue'), limit)) });
    },
  }),
  route({
    ...common,
    id: 'removeDeadLetters',
    audit: 'dead-letters.remove',
    method: 'delete',
    path: ofQueue,
    summary: 'Remove all dead letters of a queue',
    reply: { description: 'How many', schema: Type.Object({ removed: Type.Integer() }) },
    errors: [],
    handle: async (call) => ok({ removed: found(await deadLetters.remove(param(call, 'queue'))) }),
  }),
];

/**
 * Dead letters: which queues hold some, what is known of them, handing them out again, removing
 * them.
 */
export const adminDeadLetterRoutes = ({ rabbitmq }: Deps): Route[] => [
  ...readRoutes(rabbitmq.deadLetters),
  ...actRoutes(rabbitmq.deadLetters),
];
