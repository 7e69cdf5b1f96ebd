import { formatDateTime, present } from '@assay/contracts';
import { ApiError } from '@assay/http';
import type { Clock } from '@assay/runtime';
import { isChip, isDocumentImage } from '../domain/access-key.ts';
import { type Evidence, type Identity, secondsAfter } from '../domain/identity.ts';
import { effectiveSettings } from '../domain/settings.ts';
import { postAccepted } from '../domain/transaction.ts';
import {
  type CaptureStep,
  finish,
  handOver,
  handoverOf,
  isFollower,
  takeBack,
  type UserAgentSession,
  useSession,
  whyNotAllowed,
} from '../domain/user-agent-session.ts';
import type { Identities } from '../store/identities.ts';
import type { Tenants } from '../store/tenants.ts';
import { deviceHashOf, newToken, tokenHashOf, type UserAgentSessions } from '../store/user-agent-sessions.ts';
import type { Access, Opened } from './access.ts';
import { attemptOf, type Caller, type CallerTenant, tenantOf } from './caller.ts';
import { accepted, runsElsewhere } from './refusal.ts';

export interface Deps {
  userAgentSessions: UserAgentSessions;
  tenants: Tenants;
  identities: Identities;
  access: Access;
  now: Clock;
}

/** What a Relying Service asks of a session. */
export interface SessionRequest {
  expiresInSeconds?: number;
  returnUrl?: string;
  locale?: string;
  steps?: CaptureStep[];
  allowedOrigins?: string[];
}

/** A token is in this answer and nowhere else. */
export interface GivenSession {
  sessionId: string;
  token: string;
  expireAt: string;
}

const DEFAULT_SECONDS = 1800;
const DEFAULT_STEPS: CaptureStep[] = ['DOCUMENT', 'PORTRAIT'];
const RETURN_URL = 'return-url';

const ownSession = async (
  { userAgentSessions }: Pick<Deps, 'userAgentSessions'>,
  { session }: Caller,
): Promise<{ session: UserAgentSession; tokenHash: string }> => {
  const found = session && (await userAgentSessions.find(session.sessionId));
  // A key is no session.
  if (!session || !found) throw new ApiError('NOT_FOUND', { message: 'the request carries no token of a session' });
  return { session: found, tokenHash: session.tokenHash };
};

interface Found {
  session: UserAgentSession;
  tokenHash: string;
  tenant: CallerTenant;
  follows?: true;
}

/** Whose token it is; undefined where no session has it. */
const sessionFinder =
  ({ userAgentSessions, tenants, now }: Deps) =>
  async (token: string, device: string): Promise<Found | undefined> => {
    const tokenHash = tokenHashOf(token);
    const session = await userAgentSessions.findByToken(tokenHash);
    const tenant = session && (await tenants.find(session.tenantId));
    if (!session || !tenant || session.expiresAt <= now()) return undefined;
    const use = { tokenHash, deviceHash: deviceHashOf(session._id, device), now: now() };
    const found = { session, tokenHash, tenant: { ...tenant, effective: effectiveSettings(tenant.settings) } };
    if (isFollower(session, use)) return { ...found, follows: true };
    accepted(await userAgentSessions.change(session, (current) => useSession(current, use)));
    return found;
  };

/**
 * Each accepted POST on the identity restarts its clock (specification, Identity status). Refuses
 * if the identity is not open.
 */
const clockRestarter =
  ({ identities, now }: Pick<Deps, 'identities' | 'now'>) =>
  async (caller: Caller, { identity }: Opened): Promise<void> => {
    const { transactionLifetimeSeconds } = tenantOf(caller).effective;
    const at = now();
    const decide = (current: Identity) => postAccepted(current, transactionLifetimeSeconds, at);
    accepted(await identities.change(identity._id, decide, { now: at, known: identity }));
  };

/**
 * Which evidence is a document by images, and which a chip: types do not tell them apart. Undefined
 * while there is none at all.
 */
const idsByStep = ({ evidences }: Pick<Identity, 'evidences'>) => {
  if (evidences.length === 0) return undefined;
  const idsOf = (isOfStep: (evidence: Evidence) => boolean): string[] =>
    evidences.filter(isOfStep).map(({ evidenceId }) => evidenceId);
  return { DOCUMENT: idsOf(isDocumentImage), CHIP: idsOf(isChip) };
};

/** Gives a session to a Relying Service, for an open identity. */
const sessionCreator =
  (deps: Deps) =>
  async (caller: Caller, identityId: string, request: SessionRequest): Promise<GivenSession> => {
    const { userAgentSessions, access, now } = deps;
    const opened = await access.open(caller, identityId);
    const { tenantId, effective } = tenantOf(caller);
    accepted(whyNotAllowed(request, effective.allowedOrigins) ?? {});
    await clockRestarter(deps)(caller, opened);
    const { expiresInSeconds = DEFAULT_SECONDS, steps = DEFAULT_STEPS, returnUrl, locale, allowedOrigins } = request;
    const token = newToken();
    const tokenHash = tokenHashOf(token);
    const at = now();
    const expiresAt = secondsAfter(at, expiresInSeconds);
    const isStored = await userAgentSessions.create({
      _id: caller.seedId,
      attempt: attemptOf(caller),
      revision: 0,
      tenantId,
      identityId,
      createdAt: at,
      expiresAt,
      tokenHash,
      tokenHashes: [tokenHash],
      formerTokenHashes: [],
      steps,
      ...present({ locale, allowedOrigins }),
      ...(returnUrl === undefined ? {} : { sealedReturnUrl: access.seal(opened, RETURN_URL, returnUrl) }),
    });
    if (!isStored) throw runsElsewhere();
    return { sessionId: caller.seedId, token, expireAt: formatDateTime(expiresAt) };
  };

/** Where the person returns to, as long as the tenant allows its origin. */
const returnUrlOf = (
  access: Access,
  opened: Opened,
  { sealedReturnUrl }: Pick<UserAgentSession, 'sealedReturnUrl'>,
  { allowedOrigins }: Pick<CallerTenant['effective'], 'allowedOrigins'>,
): string | undefined => {
  if (sealedReturnUrl === undefined) return undefined;
  const returnUrl = access.unseal<string>(opened, RETURN_URL, sealedReturnUrl);
  return whyNotAllowed({ returnUrl }, allowedOrigins) ? undefined : returnUrl;
};

/**
 * Gives a token for another device. The session moves with its first use; until then this device
 * goes on.
 */
const handoverGiver =
  (deps: Deps) =>
  async (caller: Caller, identityId: string): Promise<GivenSession> => {
    const { userAgentSessions, access } = deps;
    const opened = await access.open(caller, identityId);
    const { session, tokenHash } = await ownSession(deps, caller);
    const token = newToken();
    const request = { seedId: caller.seedId, attempt: attemptOf(caller) };
    const decide = (current: UserAgentSession) => handOver(current, tokenHash, tokenHashOf(token), request);
    accepted(await userAgentSessions.change(session, decide));
    if (opened.identity.state === 'OPEN') await clockRestarter(deps)(caller, opened);
    return { sessionId: session._id, token, expireAt: formatDateTime(session.expiresAt) };
  };

export type UserAgentSessionFlow = ReturnType<typeof createUserAgentSessionFlow>;

/**
 * Sessions of user agents: leave for one device to act for one identity (specification, User-agent
 * sessions).
 */
export const createUserAgentSessionFlow = (deps: Deps) => {
  const { userAgentSessions, access } = deps;
  return {
    identify: sessionFinder(deps),

    create: sessionCreator(deps),

    handOver: handoverGiver(deps),

    /** What the page that opened the session has to know. */
    current: async (caller: Caller) => {
      const { session } = await ownSession(deps, caller);
      const opened = await access.open(caller, session.identityId);
      const { identityId, steps, locale, expiresAt } = session;
      const { effective } = tenantOf(caller);
      return {
        identityId,
        steps,
        ...present({ locale, returnUrl: returnUrlOf(access, opened, session, effective) }),
        expireAt: formatDateTime(expiresAt),
        ...present({ evidenceIds: idsByStep(opened.identity) }),
        page: effective.capture,
      };
    },

    /** What became of a handover, for the device that handed over. */
    handover: async (caller: Caller) => ({ handover: handoverOf((await ownSession(deps, caller)).session) }),

    /** This device goes on in place of the one it handed over to; answers what became of that. */
    takeBack: async (caller: Caller) => {
      const { session, tokenHash } = await ownSession(deps, caller);
      accepted(await userAgentSessions.change(session, (current) => takeBack(current, tokenHash)));
      const after = (await userAgentSessions.find(session._id)) ?? session;
      return { handover: handoverOf(after) };
    },

    /** The person has been through all steps: whoever handed over to this device goes on. */
    done: async (caller: Caller): Promise<void> => {
      const doneAt = deps.now();
      const { session, tokenHash } = await ownSession(deps, caller);
      accepted(await userAgentSessions.change(session, (current) => finish(current, tokenHash, doneAt)));
    },

    delete: async (caller: Caller, identityId: string, sessionId: string): Promise<void> => {
      await access.open(caller, identityId);
      if (!(await userAgentSessions.delete(identityId, sessionId))) throw new ApiError('NOT_FOUND');
    },
  };
};
