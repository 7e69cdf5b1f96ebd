import { present } from '@assay/contracts';
import { type Clock, type Log, newId } from '@assay/runtime';
import { openJson, sealJson } from '@assay/sealing';
import type { Asked, OpenId } from '../clients/openid.ts';
import { nameInClaims } from '../domain/person.ts';
import {
  type Grant,
  grantFor,
  groupsIn,
  isLive,
  isStillGranted,
  isUseDue,
  type SessionRules,
  type SignInPage,
  type StaffSession,
} from '../domain/sign-in.ts';
import type { People } from '../store/people.ts';
import type { StaffSessions } from '../store/staff-sessions.ts';
import type { Tenant, Tenants } from '../store/tenants.ts';
import { type AuditLog, SUITE_CHAIN } from './audit.ts';

/** Sign-in by OpenID Connect, as it is configured. */
export interface SignInRules extends SessionRules {
  openId: OpenId;
  issuer: string;
  /** What the button says. */
  label: string;
  groupsClaim: string;
  grants: readonly Grant[];
}

export interface Deps {
  signIn?: SignInRules | undefined;
  people: People;
  staffSessions: StaffSessions;
  tenants: Pick<Tenants, 'find'>;
  auditLog: AuditLog;
  /** Address of the gateway as its clients see it. */
  publicUrl?: string | undefined;
  /** Seals what a browser carries through a sign-in. */
  signInSecret: Buffer;
  now: Clock;
  log: Log;
}

/** What a sign-in is for. */
export interface SignInWish {
  page: SignInPage;
  /** Where in the page the person wants to be. */
  place: string;
  tenantId?: string | undefined;
}

/** What the browser carries of each sign-in until the person comes back from the issuer. */
interface Carried extends SignInWish {
  asked: Asked;
  until: number;
}
/** Tabs and windows of one browser that may be on their way at once. */
const MOST_UNDERWAY = 4;
/** Browsers take no cookie above 4,096 characters with its name, and go on with the former one. */
const LONGEST_CARRIED = 4000;

/** Why nobody was signed in; the page has words for each. */
export type SignInFailure = 'refused' | 'away' | 'no-role' | 'expired';

/** `carried`: what the browser still carries, of its other tabs. */
type SignInOutcome = { carried: string | undefined } & (
  | { wish: SignInWish; token: string }
  | { wish: SignInWish | undefined; failure: SignInFailure }
);

/** Where the issuer sends people back to. */
export const CALLBACK_PATH = '/sign-in/callback';
export const callbackAt = (base: string): string => `${base.replace(/\/+$/, '')}${CALLBACK_PATH}`;

const CONTEXT = 'sign-in';
const SIGN_IN_MS = 600_000;

/** Who uses a session. */
export interface StaffCaller {
  session: StaffSession;
  tenant?: Tenant;
}

/** The sign-ins that a browser has begun and that can still end, the latest last. */
const underway =
  ({ signInSecret, now }: Deps) =>
  (sealed: string): Promise<Carried[]> =>
    Promise.resolve()
      // The release before carried one, and not a list.
      .then(() => [openJson<Carried | Carried[]>(signInSecret, CONTEXT, sealed)].flat())
      // Anybody can send a cookie.
      .catch(() => [])
      .then((all) => all.filter(({ until }) => until > now().getTime()));

/** The latest sign-ins, as many as a cookie holds: what another site begins keeps nobody out. */
const sealedIn = (secret: Buffer, all: readonly Carried[]): string => {
  const sealed = sealJson(secret, CONTEXT, all);
  return sealed.length <= LONGEST_CARRIED || all.length === 1 ? sealed : sealedIn(secret, all.slice(1));
};

const beginner = (deps: Deps) => ({
  /**
   * Where to send the browser, and what it carries there and back, with what it carried before; or
   * why not.
   */
  begin: async (
    wish: SignInWish,
    redirectUri: string,
    before: string,
  ): Promise<{ url: URL; carried: string } | { failure: SignInFailure } | undefined> => {
    const { signIn, signInSecret, now } = deps;
    if (!signIn) return undefined;
    const begun = await signIn.openId.begin(redirectUri);
    if ('refused' in begun) return { failure: begun.refused === 'AWAY' ? 'away' : 'refused' };
    const carried: Carried = { ...wish, asked: begun.asked, until: now().getTime() + SIGN_IN_MS };
    const all = [...(await underway(deps)(before)), carried].slice(-MOST_UNDERWAY);
    return { url: begun.url, carried: sealedIn(signInSecret, all) };
  },
});

const finisher = (deps: Deps) => {
  const { signIn, people, staffSessions, tenants, auditLog, signInSecret, log } = deps;
  const beginSession = async (
    { issuer, sessionSeconds }: SignInRules,
    { page, asked }: Carried,
    { group, role, tenantId }: Grant,
    claims: Readonly<Record<string, unknown>> & { sub: string },
    requestId: string,
  ): Promise<string | undefined> => {
    const personId = await people.signedIn({ issuer, subject: claims.sub }, nameInClaims(claims), tenantId);
    const at = deps.now();
    const expiresAt = new Date(at.getTime() + sessionSeconds * 1000);
    const sessionId = newId();
    const owner = present({ tenantId });
    const session = { _id: sessionId, page, personId, group, role, ...owner, createdAt: at, usedAt: at, expiresAt };
    const caller = { keyId: sessionId, role, personId, requestId };
    await auditLog.record(tenantId ?? SUITE_CHAIN, caller, 'session.begin', { sessionId });
    return staffSessions.begin(asked.state, session);
  };

  /** Of the tab that comes back; of a state that no tab has, the latest, which is then refused. */
  const signedInBy = async (
    carried: Carried,
    currentUrl: URL,
    requestId: string,
  ): Promise<{ token: string } | { failure: SignInFailure }> => {
    if (!signIn) return { failure: 'expired' };
    const signedIn = await signIn.openId.finish(currentUrl, carried.asked);
    if ('refused' in signedIn) return { failure: signedIn.refused === 'AWAY' ? 'away' : 'refused' };
    const groups = groupsIn(signedIn.claims, signIn.groupsClaim);
    const grant = grantFor(signIn.grants, groups, carried);
    const isKnown = grant?.tenantId === undefined || (await tenants.find(grant.tenantId)) !== undefined;
    if (!grant || !isKnown) {
      log.warn({ msg: 'sign-in.no-role', page: carried.page, requestId });
      return { failure: 'no-role' };
    }
    const token = await beginSession(signIn, carried, grant, signedIn.claims, requestId);
    return token === undefined ? { failure: 'expired' } : { token };
  };

  return {
    /** The person came back from the issuer to this address. */
    finish: async (sealed: string, currentUrl: URL, requestId: string): Promise<SignInOutcome> => {
      const all = await underway(deps)(sealed);
      const state = currentUrl.searchParams.get('state');
      const own = all.find(({ asked }) => asked.state === state) ?? all.at(-1);
      const others = all.filter(({ asked }) => asked.state !== state);
      const carried = others.length === 0 ? undefined : sealJson(signInSecret, CONTEXT, others);
      if (!own) return { carried, wish: undefined, failure: 'expired' };
      const { asked: _, until: __, ...wish } = own;
      return { carried, wish, ...(await signedInBy(own, currentUrl, requestId)) };
    },
  };
};

export type SignInFlow = ReturnType<typeof createSignInFlow>;

/** Signing in by OpenID Connect, and the sessions it begins. */
export const createSignInFlow = (deps: Deps) => {
  const { signIn, staffSessions, tenants, now, log } = deps;
  return {
    /** What the sign-in page shows; undefined where there are only keys. */
    label: signIn?.label,
    issuer: signIn?.issuer ?? '',
    idleSeconds: signIn?.idleSeconds ?? 0,
    /** What the issuer makes of this service; undefined where there are only keys. */
    examineIssuer: async () => signIn?.openId.examine(deps.publicUrl && callbackAt(deps.publicUrl)),
    ...beginner(deps),
    ...finisher(deps),

    /** Who uses this token on this page; `byItself`: the page asked, not the person. */
    identify: async (page: SignInPage, token: string, byItself: boolean): Promise<StaffCaller | undefined> => {
      const session = signIn && (await staffSessions.findByToken(token));
      const at = now();
      if (!session || session.page !== page || !isLive(session, signIn, at)) return undefined;
      if (!isStillGranted(signIn.grants, session)) return undefined;
      if (!byItself && isUseDue(session, signIn, at))
        // The request does not wait for it, nor fail with it.
        staffSessions
          .recordUse(session._id, at)
          .catch((error: unknown) => log.warn({ msg: 'session.use-not-recorded', sessionId: session._id, error }));
      if (session.tenantId === undefined) return { session };
      const tenant = await tenants.find(session.tenantId);
      return tenant && { session, tenant };
    },

    /** Ends the session of a token, whoever sends it. */
    forget: async (page: SignInPage, token: string): Promise<void> => {
      const session = await staffSessions.findByToken(token);
      if (session?.page === page) await staffSessions.end(session._id, now());
    },
    end: (sessionId: string): Promise<void> => staffSessions.end(sessionId, now()),
    endAll: (personId: string, tenantId?: string): Promise<number> =>
      staffSessions.endAll({ personId, tenantId }, now()),
  };
};
