import { present } from '@assay/contracts';
import { ApiError, isRefusal, type Reply } from '@assay/http';
import type { Clock, Log } from '@assay/runtime';
import { markerOf } from '../domain/markers.ts';
import { bodyIn } from '../flows/marked-reply.ts';
import { runsElsewhere } from '../flows/refusal.ts';
import type { AcquireResult, BodyPrints, IdempotencyKeys, Owned, StoredReply } from '../store/idempotency-keys.ts';
import type { Identities } from '../store/identities.ts';
import type { IdentityKeys } from '../store/identity-keys.ts';
import { hmacWith, isSameBody, printsOf } from './body-prints.ts';
import { type Call, param } from './call.ts';
import { createLockRenewal } from './lock-renewal.ts';
import type { Route } from './route.ts';
import { digestOf, readAlong } from './upload-digest.ts';

const KEY = /^[\x21-\x7e]{1,255}$/;

interface Deps {
  locks: IdempotencyKeys;
  identities: Identities;
  keys: Pick<IdentityKeys, 'find'>;
  secret: Buffer;
  /** The names under which the API is served. */
  prefixes: readonly string[];
  /** Waits for what an upload takes while its bytes are read. */
  slot: (call: Call) => Promise<void>;
  now: Clock;
  log: Log;
}

export type RunOnce = (route: Route, call: Call) => Promise<Reply>;

const headerOf = ({ request }: Call): string | undefined => {
  const value = request.headers['idempotency-key'];
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || !KEY.test(value))
    throw new ApiError('BAD_FIELD', { field: 'Idempotency-Key', message: 'must be 1 to 255 visible ASCII characters' });
  return value;
};

const storedReply = ({ storedOf }: Route, { status, body }: StoredReply): StoredReply => ({
  status,
  body: storedOf ? storedOf(body) : body,
});

/** A reply, told again: what may be deleted meanwhile is read anew. */
const replayed = async (route: Route, call: Call, stored: StoredReply): Promise<Reply> => {
  const left = storedReply(route, stored);
  return asRepeated(route.complete ? await route.complete(call, left) : left);
};

const asRepeated = ({ status, body }: Reply): Reply => ({
  status,
  ...present({ body }),
  headers: { 'idempotency-replayed': 'true' },
});

const isForm = (route: Route): boolean => route.body?.kind === 'form';

const LARGEST_FILE = 16 * 1024 * 1024;
const FILES_A_FORM = 4;
const OTHER_BYTES = 2 * 1024 * 1024;

/** More bytes than any form has that is taken in: a longer one repeats none. */
const longestForm = ({ tenant }: Call): number =>
  FILES_A_FORM * (tenant?.effective.limits.maxFileBytes ?? LARGEST_FILE) + OTHER_BYTES;

/**
 * Who may hear a reply again: a user agent's session of the same identity, or the same session
 * where the reply is about it; keys of the same role of a client; of those who decide something
 * themselves only the same person, or the same key. A person may be of several tenants: none of
 * them hears what was asked in another.
 */
const whoRepeats = ({ ofSession }: Route, { tenant, role, keyId, personId, session }: Call): string => {
  if (session) return ofSession ? session.sessionId : session.identityId;
  const isClient = role === 'RELYING_SERVICE' || role === 'USER_AGENT';
  const who = [tenant?.tenantId, role, isClient ? undefined : (personId ?? keyId)];
  return who.filter((part) => part !== undefined).join('\n');
};

/**
 * The path in its one spelling: a repeat may have a slash behind it, encoded letters, or other
 * cases where the routes read none; and another of the names that the API has.
 */
const pathOf = ({ path }: Route, call: Call, prefixes: readonly string[]): string => {
  const own = path
    .split('/')
    .slice(1)
    .map((step) => (step.startsWith('{') ? encodeURIComponent(param(call, step.slice(1, -1))) : step));
  const steps = call.uri.split('/').filter((step) => step !== '');
  const [prefix = '', ...rest] = steps.slice(0, steps.length - own.length).map((step) => step.toLowerCase());
  const isName = prefixes.some((name) => name.toLowerCase() === prefix);
  return ['', isName ? prefixes[0] : prefix, ...rest, ...own].join('/');
};

/** The identity a reply tells of, so that its stored copy goes with that identity. */
const concernedBy =
  (identities: Identities) =>
  async (route: Route, call: Call, { body }: StoredReply, seedId: string): Promise<string | undefined> => {
    const inBody = (body as { identityId?: unknown } | null | undefined)?.identityId;
    const named = param(call, 'identityId') || inBody;
    if (typeof named === 'string') return named;
    if (route.body?.kind === 'creation') return seedId;
    const sessionId = param(call, 'sessionId');
    if (!sessionId || !call.tenant) return undefined;
    return (await identities.findBySession(call.tenant.tenantId, sessionId))?._id;
  };

/** A lock that this request has. */
type Acquired = Extract<AcquireResult, { owned: Owned }>;

/** Runs the request under its lock, which is renewed meanwhile, and stores the reply. */
const lockedRunner = (deps: Deps) => {
  const { locks, identities, secret } = deps;
  const identityOf = concernedBy(identities);
  const renewWhileRunning = createLockRenewal(deps);
  return async (route: Route, call: Call, { owned, seedId, attempt }: Acquired): Promise<Reply> => {
    const along = isForm(route) ? readAlong(call.request, secret) : undefined;
    const locked: Call = {
      ...call,
      seedId,
      idempotency: { lockId: owned.lockId, attempt },
      ...present({ upload: along?.stream }),
    };
    const endRenewal = renewWhileRunning(owned);
    const reply = await Promise.resolve()
      .then(() => route.handle(locked))
      .catch(async (error: unknown) => {
        // What came of an earlier request under this key, the refusal of its repeat does not say.
        const isUnused = isRefusal(error) && attempt === 0;
        await (isUnused ? locks.release(owned) : locks.abandon(owned));
        throw error;
      })
      .finally(endRenewal);
    const prints = along ? { fingerprint: along.digest() } : printsOf(call.body, secret);
    const stored = storedReply(route, { status: reply.status, body: reply.body });
    await locks.finish(owned, prints, stored, await identityOf(route, call, stored, seedId));
    return reply;
  };
};

/**
 * The reply that the effect of an abandoned request left in the identity's document, if it came to
 * that.
 */
const markerFinder =
  ({ identities, keys }: Pick<Deps, 'identities' | 'keys'>) =>
  async (call: Call, lockId: string, seedId: string): Promise<StoredReply | undefined> => {
    if (!call.tenant) return undefined;
    const { tenantId } = call.tenant;
    const sessionId = param(call, 'sessionId');
    const identity = sessionId
      ? await identities.findBySession(tenantId, sessionId)
      : await identities.find(tenantId, param(call, 'identityId') || seedId);
    const marker = identity ? markerOf(identity, lockId) : undefined;
    if (!identity || !marker) return undefined;
    const dataKey = await keys.find(identity._id);
    return dataKey && { status: marker.status, body: bodyIn({ identity, dataKey }, marker) };
  };

/**
 * Runs a POST once for each Idempotency-Key (stored 24 hours): a repeat gets the first reply, one
 * while it runs 409, one with another body 422. The reply is in the same write as the effect, so
 * that a crash between the two leaves both or neither. A refusal leaves the key unused, unless an
 * earlier request's outcome is not known: the next repeat goes on with that one.
 */
export const createRunOnce = (deps: Deps): RunOnce => {
  const { locks, identities, secret, prefixes, slot, now } = deps;
  const hmac = hmacWith(secret);
  const run = lockedRunner(deps);
  const markerLeft = markerFinder(deps);
  const identityOf = concernedBy(identities);
  const lockIdOf = (route: Route, call: Call, given: string): string =>
    hmac(`${whoRepeats(route, call)}\n${call.request.method} ${pathOf(route, call, prefixes)}\n${given}`);
  const printsOfBody = async (route: Route, call: Call): Promise<BodyPrints> => {
    if (!isForm(route)) return printsOf(call.body, secret);
    // To read a form costs the same whether it is taken in or compared.
    await slot(call);
    return { fingerprint: await digestOf(call.request, secret, longestForm(call)) };
  };

  return async (route, call) => {
    const given = headerOf(call);
    if (given === undefined) return route.handle(call);
    const lockId = lockIdOf(route, call, given);
    const result = await locks.acquire(lockId, call.seedId, now());
    switch (result.state) {
      case 'RUNNING':
        throw runsElsewhere();
      case 'DONE':
        if (!isSameBody(await printsOfBody(route, call), result)) throw new ApiError('IDEMPOTENCY_MISMATCH');
        if (!result.reply) throw new ApiError('CLOSED');
        return replayed(route, call, result.reply);
      case 'TAKEN_OVER': {
        const left = await markerLeft(call, lockId, result.seedId);
        if (!left) return run(route, call, result);
        const concerned = await identityOf(route, call, left, result.seedId);
        await locks.finish(result.owned, await printsOfBody(route, call), storedReply(route, left), concerned);
        return replayed(route, call, left);
      }
      default:
        return run(route, call, result);
    }
  };
};
