import { type Clock, counter, createRecent, type Log, systemClock } from '@assay/runtime';
import * as openid from 'openid-client';
import { boundedFetch } from './bounded-fetch.ts';

export interface OpenIdOptions {
  /** As its own description names it, to the letter. */
  issuer: string;
  clientId: string;
  /** Of a client that can hold one; PKCE is used with and without it. */
  clientSecret?: string | undefined;
  /** How the secret is sent. */
  clientAuth: 'client_secret_basic' | 'client_secret_post';
  scopes: string;
  /** The claim with the groups: where the ID token lacks it, or a name, UserInfo is asked. */
  groupsClaim: string;
  /** An issuer without TLS: only on a development machine. */
  mayBePlain: boolean;
  now: Clock;
  log: Log;
}

/** What this service has to remember of a sign-in until the person comes back. */
export interface Asked {
  state: string;
  nonce: string;
  verifier: string;
}

/** Claims about the person who signed in, checked; or why there are none. */
export type SignedIn =
  | { claims: Readonly<Record<string, unknown>> & { sub: string } }
  | { refused: 'REFUSED' | 'AWAY' };

const TIMEOUT_SECONDS = 5;
/** A changed description of the issuer is in force within that time. */
const DESCRIBED_FOR_MS = 300_000;

const signIns = counter('assay_sign_ins_total', 'Sign-ins by OpenID Connect by what became of them', ['outcome']);

/** Names what went wrong without its words: they may repeat what the issuer sent. */
const causeOf = (error: unknown): string => {
  const { code, name, cause } = error as { code?: unknown; name?: unknown; cause?: unknown };
  return code === undefined && typeof cause === 'object' && cause !== null
    ? causeOf(cause)
    : String(code ?? name ?? 'unknown');
};
/** No connection, no usable answer in time, or one that only says that something is broken. */
const AWAY = /^(OAUTH_TIMEOUT|OAUTH_RESPONSE_IS_NOT_CONFORM|ANSWER_TOO_LARGE|E(?!RR_)[A-Z_]+|UND_ERR_\w+)$/;

const authentication = ({ clientSecret, clientAuth }: OpenIdOptions): openid.ClientAuth => {
  if (clientSecret === undefined) return openid.None();
  return clientAuth === 'client_secret_post'
    ? openid.ClientSecretPost(clientSecret)
    : openid.ClientSecretBasic(clientSecret);
};

/** How far off the machine's clock is, which the library goes by, in seconds. */
const clockOf = ({ now }: OpenIdOptions): Partial<openid.ClientMetadata> => ({
  [openid.clockSkew]: Math.round((now().getTime() - systemClock().getTime()) / 1000),
});

const bounded: openid.CustomFetch = (url, { body, signal, ...options }) =>
  boundedFetch(url, { ...options, body: body ?? null, signal: signal ?? null });

/** What the issuer says of itself, asked for every few minutes. */
const describer = (options: OpenIdOptions, prepare: (configuration: openid.Configuration) => void) => {
  const { issuer, clientId } = options;
  const recent = createRecent<openid.ServerMetadata>({ most: 1, forMs: DESCRIBED_FOR_MS });
  return async (): Promise<openid.Configuration> => {
    const known = recent.get(issuer);
    if (known) {
      // A configuration of its own for each sign-in: keys that the issuer has changed are not
      // remembered.
      const configuration = new openid.Configuration({ ...known }, clientId, clockOf(options), authentication(options));
      prepare(configuration);
      return configuration;
    }
    const found = await openid.discovery(new URL(issuer), clientId, clockOf(options), authentication(options), {
      // The library looks for its own function here before it asks.
      execute: [...(options.mayBePlain ? [openid.allowInsecureRequests] : []), prepare],
      timeout: TIMEOUT_SECONDS,
      [openid.customFetch]: bounded,
    });
    recent.set(issuer, found.serverMetadata());
    return found;
  };
};

/** Exchanges the code for claims that were checked; of groups also what UserInfo says. */
const claimsOf = async (
  configuration: openid.Configuration,
  currentUrl: URL,
  { state, nonce, verifier }: Asked,
  groupsClaim: string,
): Promise<SignedIn> => {
  const tokens = await openid.authorizationCodeGrant(configuration, currentUrl, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (!claims) throw new Error('an answer without an ID token');
  // All of such an issuer would be one person.
  if (claims.sub.trim() === '') throw new Error('an ID token without a subject');
  const lacksGroups = !Object.hasOwn(claims, groupsClaim.split('.')[0] ?? '') && !Object.hasOwn(claims, groupsClaim);
  const more =
    (lacksGroups || !Object.hasOwn(claims, 'name')) && configuration.serverMetadata().userinfo_endpoint
      ? await openid.fetchUserInfo(configuration, tokens.access_token, claims.sub)
      : {};
  return { claims: { ...more, ...claims } };
};

/** What an issuer makes of us. */
export type IssuerFinding = 'ADMITS' | 'AWAY' | 'OTHER_ISSUER' | 'REFUSES_REDIRECT' | 'UNKNOWN';

/**
 * Asks the issuer for a sign-in without a person (`prompt=none`): one that knows the client and the
 * address sends the browser back there, one that does not shows an error of its own.
 */
const examineIssuer = async (
  configurationOf: () => Promise<openid.Configuration>,
  redirectUri: string | undefined,
): Promise<IssuerFinding> => {
  const configuration = await configurationOf().catch((error: unknown) => causeOf(error));
  if (typeof configuration === 'string') return AWAY.test(configuration) ? 'AWAY' : 'OTHER_ISSUER';
  if (redirectUri === undefined) return 'UNKNOWN';
  const [verifier, prompt] = [openid.randomPKCECodeVerifier(), 'none'];
  const url = openid.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope: 'openid',
    prompt,
    state: openid.randomState(),
    nonce: openid.randomNonce(),
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  const signal = AbortSignal.timeout(TIMEOUT_SECONDS * 1000);
  const answer = await fetch(url, { redirect: 'manual', signal }).catch(() => undefined);
  if (!answer) return 'AWAY';
  if (answer.headers.get('location')?.startsWith(redirectUri)) return 'ADMITS';
  return answer.status >= 400 && answer.status < 500 ? 'REFUSES_REDIRECT' : 'UNKNOWN';
};

/**
 * The relying party's side of OpenID Connect: authorization code flow with PKCE, state and nonce.
 */
export const createOpenId = (options: OpenIdOptions) => {
  const { scopes, groupsClaim, mayBePlain, log } = options;
  for (const outcome of ['done', 'refused', 'away']) signIns.inc({ outcome }, 0);
  const configurationOf = describer(options, (configuration) => {
    // The signature is checked although the token comes over TLS.
    openid.enableNonRepudiationChecks(configuration);
    if (mayBePlain) openid.allowInsecureRequests(configuration);
    configuration.timeout = TIMEOUT_SECONDS;
    configuration[openid.customFetch] = bounded;
  });
  const refused = (error: unknown): { refused: 'REFUSED' | 'AWAY' } => {
    const cause = causeOf(error);
    const why = AWAY.test(cause) ? 'AWAY' : 'REFUSED';
    log.warn({ msg: 'sign-in.failed', why, cause });
    signIns.inc({ outcome: why.toLowerCase() });
    return { refused: why };
  };

  return {
    /** Where the person is sent to sign in, and what to remember until they come back. */
    begin: async (redirectUri: string): Promise<{ url: URL; asked: Asked } | { refused: 'REFUSED' | 'AWAY' }> => {
      const asked = {
        state: openid.randomState(),
        nonce: openid.randomNonce(),
        verifier: openid.randomPKCECodeVerifier(),
      };
      const code_challenge = await openid.calculatePKCECodeChallenge(asked.verifier);
      return configurationOf().then((configuration) => {
        const url = openid.buildAuthorizationUrl(configuration, {
          redirect_uri: redirectUri,
          scope: scopes,
          state: asked.state,
          nonce: asked.nonce,
          code_challenge,
          code_challenge_method: 'S256',
        });
        return { url, asked };
      }, refused);
    },

    /** What the issuer vouches for, once the person came back to this address. */
    finish: (currentUrl: URL, asked: Asked): Promise<SignedIn> =>
      configurationOf()
        .then((configuration) => claimsOf(configuration, currentUrl, asked, groupsClaim))
        .then((signedIn) => {
          signIns.inc({ outcome: 'done' });
          return signedIn;
        }, refused),

    /** Whether the issuer is there, and takes us and the address people come back to. */
    examine: (redirectUri: string | undefined) => examineIssuer(configurationOf, redirectUri),
  };
};
export type OpenId = ReturnType<typeof createOpenId>;
