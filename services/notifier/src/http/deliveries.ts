import { formatDateTime, parseDateTime, present, RecoverSchema } from '@assay/contracts';
import { ApiError, claimsOf, ok, parseBody, type Reply } from '@assay/http';
import type { Clock } from '@assay/runtime';
import type { Request } from 'express';
import type { DeliveryState } from '../domain/delivery.ts';
import type { Dispatcher } from '../flows/dispatcher.ts';
import type { DeliveryStore, ListFilter } from '../store/deliveries.ts';
import type { Delivery } from '../store/delivery-model.ts';
import type { EndpointStore } from '../store/endpoints.ts';

export interface Deps {
  deliveries: DeliveryStore;
  endpoints: EndpointStore;
  dispatcher: Pick<Dispatcher, 'lookForDue'>;
  now: Clock;
}

const PAGE = 100;
const LONGEST_PAGE = 500;
const STATES: readonly string[] = ['PENDING', 'DELIVERED', 'FAILED'] satisfies DeliveryState[];

/** A delivery as the administration lists it. */
const itemOf = (delivery: Delivery) => ({
  deliveryId: delivery._id,
  webhookId: delivery._id,
  identityId: delivery.identityId,
  event: delivery.event,
  state: delivery.state,
  createdAt: formatDateTime(delivery.createdAt),
  ...(delivery.isTest ? { test: true } : {}),
  ...present({ nextAttemptAt: delivery.nextAttemptAt && formatDateTime(delivery.nextAttemptAt) }),
  attempts: delivery.attempts.map(({ at, statusCode, error, bodySha256 }) => ({
    at: formatDateTime(at),
    ...present({ statusCode, error, bodySha256 }),
  })),
});

const cursorOf = ({ createdAt, _id }: Delivery): string =>
  Buffer.from(`${createdAt.toISOString()} ${_id}`).toString('base64url');

const afterOf = (cursor: string): NonNullable<ListFilter['after']> => {
  const [at = '', id = ''] = Buffer.from(cursor, 'base64url').toString('utf8').split(' ');
  const createdAt = new Date(at);
  if (Number.isNaN(createdAt.getTime()) || id === '')
    throw new ApiError('BAD_FIELD', { field: 'cursor', message: 'must be the cursor of the page before' });
  return { createdAt, id };
};

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

// The token names the tenant: nothing in the query names another one.
const tenantOf = (request: Request): string => claimsOf(request).tenantId;

const limitOf = (value: unknown): number => {
  if (value === undefined) return PAGE;
  const limit = typeof value === 'string' && /^\d{1,4}$/.test(value) ? Number(value) : 0;
  if (limit < 1 || limit > LONGEST_PAGE)
    throw new ApiError('BAD_FIELD', { field: 'limit', message: `must be a whole number from 1 to ${LONGEST_PAGE}` });
  return limit;
};

/**
 * GET /internal/v1/deliveries?identityId&state&cursor&limit: the newest first, {items, cursor?}.
 */
export const createDeliveriesRoute =
  ({ deliveries }: Deps) =>
  async (request: Request): Promise<Reply> => {
    const [identityId, state, cursor] = ['identityId', 'state', 'cursor'].map((name) => textOf(request.query[name]));
    if (state !== undefined && !STATES.includes(state))
      throw new ApiError('BAD_FIELD', { field: 'state', message: `must be one of ${STATES.join(', ')}` });
    const limit = limitOf(request.query.limit);
    const page = await deliveries.list({
      tenantId: tenantOf(request),
      ...present({ identityId, state: state as DeliveryState | undefined }),
      ...(cursor === undefined ? {} : { after: afterOf(cursor) }),
      limit: limit + 1,
    });
    const items = page.slice(0, limit);
    const last = items.at(-1);
    return ok({ items: items.map(itemOf), ...(page.length > limit && last ? { cursor: cursorOf(last) } : {}) });
  };

/** Throws while the webhook is off: whatever is sent again then ends as FAILED at once. */
const requireEnabled = async (endpoints: Pick<EndpointStore, 'find'>, tenantId: string): Promise<void> => {
  const endpoint = await endpoints.find(tenantId);
  if (!endpoint?.enabled)
    throw new ApiError('STATE_CONFLICT', {
      message: 'the webhook is off: set it again before you send anything again',
    });
};

/**
 * POST /internal/v1/deliveries/recover {since, until?}: another round of every delivery of that
 * time that failed, the oldest first about each identity. 409 while the webhook is off.
 */
export const createRecoverRoute =
  ({ deliveries, endpoints, dispatcher, now }: Deps) =>
  async (request: Request): Promise<Reply> => {
    const { since, until } = parseBody(RecoverSchema, request.body);
    const tenantId = tenantOf(request);
    const at = now();
    const end = until === undefined ? at : parseDateTime(until);
    await requireEnabled(endpoints, tenantId);
    const recovered = await deliveries.recover(tenantId, parseDateTime(since), end, at);
    dispatcher.lookForDue(tenantId);
    return ok({ recovered });
  };

/**
 * POST /internal/v1/deliveries/:deliveryId/resend: another round at once, the same bytes under the
 * same webhook-id. 409 while an attempt is being made, and while the webhook is off.
 */
export const createResendRoute =
  ({ deliveries, endpoints, dispatcher, now }: Deps) =>
  async (request: Request): Promise<Reply> => {
    const tenantId = tenantOf(request);
    const id = String(request.params.deliveryId);
    if (!(await deliveries.find(id, tenantId))) throw new ApiError('NOT_FOUND');
    await requireEnabled(endpoints, tenantId);
    const again = await deliveries.resend(id, tenantId, now());
    if (!again) throw new ApiError('STATE_CONFLICT', { message: 'an attempt is being made' });
    dispatcher.lookForDue(tenantId);
    return ok(itemOf(again));
  };
