import { createHmac } from 'node:crypto';
import { ApiError, type Reply } from '@assay/http';
import { type Clock, type Log, startSweeper } from '@assay/runtime';
import { markerOf } from '../domain/markers.ts';
import type { IdempotencyKeys, KeptReply } from '../store/idempotency-keys.ts';
import type { Identities } from '../store/identities.ts';
import { type Call, param } from './call.ts';
import type { Route } from './route.ts';
import { digestOf, readAlong } from './upload-digest.ts';

const KEY = /^[\x21-\x7e]{1,255}$/;
const RENEWED_EVERY_MS = 1500;

export interface IdempotencyParts {
  claims: IdempotencyKeys;
  identities: Identities;
  secret: Buffer;
  clock: Clock;
  log: Log;
}

export type RunOnce = (route: Route, call: Call) => Promise<Reply>;

const headerOf = ({ request }: Call): string | undefined => {
  const value = request.headers['idempotency-key'];
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || !KEY.test(value)) throw new ApiError('BAD_FIELD', { field: 'Idempotency-Key' });
  return value;
};

const replayed = ({ status, body }: KeptReply): Reply => ({
  status,
  ...(body === undefined ? {} : { body }),
  headers: { 'idempotency-replayed': 'true' },
});

/**
 * Runs a POST once for each Idempotency-Key (kept 24 hours): a repeat gets the first reply, one while it runs 409, one with another body 422. The reply stands in
 * the same write as the effect, so that a crash between the two leaves both or neither. A refusal leaves the key unused.
 */
export const createRunOnce = ({ claims, identities, secret, clock, log }: IdempotencyParts): RunOnce => {
  const hmac = (text: string): string => createHmac('sha256', secret).update(text).digest('hex');
  const claimIdOf = ({ key, request }: Call, given: string): string =>
    hmac(`${key.tenantId ?? key.keyId}\n${request.method} ${request.originalUrl.split('?')[0]}\n${given}`);
  const bodyDigest = (call: Call): string => hmac(JSON.stringify(call.body ?? null));
  const isForm = (route: Route): boolean => route.body?.kind === 'form';

  /** The reply that the effect of an abandoned request left in the identity's document, if it came to that. */
  const markerLeft = async (call: Call, claimId: string, seedId: string): Promise<KeptReply | undefined> => {
    const { tenantId } = call.key;
    if (tenantId === undefined) return undefined;
    const sessionId = param(call, 'sessionId');
    const identity = sessionId
      ? await identities.findBySession(tenantId, sessionId)
      : await identities.find(tenantId, param(call, 'identityId') || seedId);
    return identity ? markerOf(identity, claimId) : undefined;
  };

  const run = async (route: Route, call: Call, claimId: string, seedId: string): Promise<Reply> => {
    const along = isForm(route) ? readAlong(call.request, secret) : undefined;
    const claimed: Call = { ...call, seedId, claim: { claimId }, ...(along ? { upload: along.stream } : {}) };
    const renewing = startSweeper({
      name: 'idempotency claim',
      everyMs: RENEWED_EVERY_MS,
      run: () => claims.renew(claimId, clock()),
      log,
    });
    const reply = await Promise.resolve()
      .then(() => route.handle(claimed))
      .catch(async (error: unknown) => {
        const refused = error instanceof ApiError && error.status < 500;
        await (refused ? claims.release(claimId) : claims.abandon(claimId, clock()));
        throw error;
      })
      .finally(() => renewing.close());
    await claims.finish(claimId, along ? along.digest() : bodyDigest(call), { status: reply.status, body: reply.body });
    return reply;
  };

  return async (route, call) => {
    const given = headerOf(call);
    if (given === undefined) return route.handle(call);
    const claimId = claimIdOf(call, given);
    const outcome = await claims.claim(claimId, call.seedId, clock());
    switch (outcome.state) {
      case 'RUNNING':
        throw new ApiError('IDEMPOTENCY_RUNNING', { headers: { 'Retry-After': '1' } });
      case 'DONE': {
        const digest = isForm(route) ? await digestOf(call.request, secret) : bodyDigest(call);
        if (digest !== outcome.fingerprint) throw new ApiError('IDEMPOTENCY_MISMATCH');
        return replayed(outcome.reply);
      }
      case 'TAKEN_OVER': {
        const left = await markerLeft(call, claimId, outcome.seedId);
        if (!left) return run(route, call, claimId, outcome.seedId);
        const digest = isForm(route) ? await digestOf(call.request, secret) : bodyDigest(call);
        await claims.finish(claimId, digest, { status: left.status, body: left.body });
        return replayed(left);
      }
      default:
        return run(route, call, claimId, outcome.seedId);
    }
  };
};
