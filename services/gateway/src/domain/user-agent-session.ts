import { present } from '@assay/contracts';
import { type Refusal, refuse } from './change.ts';

export const STEPS = ['DOCUMENT', 'CHIP', 'PORTRAIT', 'EMAIL', 'MOBILE'] as const;
export type CaptureStep = (typeof STEPS)[number];

/** Leave for one device to act for one identity. Of tokens and devices only hashes are stored. */
export interface UserAgentSession {
  _id: string;
  revision: number;
  tenantId: string;
  identityId: string;
  createdAt: Date;
  expiresAt: Date;
  /** The token that is in force, and the device that used it first. */
  tokenHash: string;
  deviceHash?: string;
  /** Given out by a handover and not used yet. */
  nextTokenHash?: string;
  /** The device that handed the session over last, which may follow what becomes of it. */
  follower?: { tokenHash: string; deviceHash?: string };
  /** When the person said that all steps are done. */
  doneAt?: Date;
  /** Tokens that a handover replaced. */
  formerTokenHashes: string[];
  /** All of the above: what a token is found by. */
  tokenHashes: string[];
  steps: CaptureStep[];
  locale?: string;
  /** Sealed with the identity's key. */
  sealedReturnUrl?: string;
  /** Origins this session is for; those of the tenant where it is absent. */
  allowedOrigins?: string[];
}

export interface SessionChange {
  set: Partial<UserAgentSession>;
  unset?: readonly ('deviceHash' | 'nextTokenHash')[];
}

/** Handovers a session may have. */
const MOST_HANDOVERS = 20;

export interface SessionUse {
  tokenHash: string;
  deviceHash: string;
  now: Date;
}

/**
 * One use of a token. The first use binds the session to its device; another device is refused. The
 * first use of a token that was handed over moves the session: the former device is refused from
 * then on.
 */
export const useSession = (
  session: UserAgentSession,
  { tokenHash, deviceHash, now }: SessionUse,
): SessionChange | Refusal | undefined => {
  if (session.expiresAt <= now) return refuse('UNAUTHENTICATED');
  if (tokenHash === session.nextTokenHash) {
    const formerTokenHashes = [...session.formerTokenHashes, session.tokenHash];
    const follower = { tokenHash: session.tokenHash, ...present({ deviceHash: session.deviceHash }) };
    return { set: { tokenHash, deviceHash, formerTokenHashes, follower }, unset: ['nextTokenHash'] };
  }
  if (tokenHash !== session.tokenHash)
    return refuse('SESSION_ELSEWHERE', undefined, 'the session was handed over to another device');
  if (session.deviceHash === undefined) return { set: { deviceHash } };
  return session.deviceHash === deviceHash ? undefined : refuse('SESSION_ELSEWHERE');
};

/** Whether it is the device that handed the session over, and may follow it. */
export const isFollower = (
  { follower, expiresAt }: Pick<UserAgentSession, 'follower' | 'expiresAt'>,
  { tokenHash, deviceHash, now }: SessionUse,
): boolean => expiresAt > now && follower?.tokenHash === tokenHash && follower.deviceHash === deviceHash;

/** How far a handover has come, for the device that handed over. */
export const HANDOVERS = ['NONE', 'WAITING', 'TAKEN', 'DONE'] as const;
export const handoverOf = ({
  nextTokenHash,
  follower,
  doneAt,
}: Pick<UserAgentSession, 'nextTokenHash' | 'follower' | 'doneAt'>): (typeof HANDOVERS)[number] => {
  if (doneAt) return 'DONE';
  if (nextTokenHash) return 'WAITING';
  return follower ? 'TAKEN' : 'NONE';
};

/**
 * Gives out a token for another device; one given out before and not used is good for nothing any
 * more.
 */
export const handOver = (session: UserAgentSession, tokenHash: string): SessionChange | Refusal => {
  const { nextTokenHash } = session;
  const formerTokenHashes = [...session.formerTokenHashes, ...(nextTokenHash === undefined ? [] : [nextTokenHash])];
  if (formerTokenHashes.length >= MOST_HANDOVERS) return refuse('TOO_MANY_REQUESTS');
  return {
    set: { nextTokenHash: tokenHash, formerTokenHashes, tokenHashes: [...session.tokenHashes, tokenHash] },
  };
};

/** What browsers drop or take for another character, and other readers of addresses do not. */
const READ_DIFFERENTLY = /[\p{Cc}\s\\]/u;

/**
 * The origin of an address, as browsers send it; also of an app's own scheme. Undefined where it is
 * no address, carries a name and password, or is one that not everybody reads alike.
 */
export const originOfUrl = (text: string): string | undefined => {
  if (READ_DIFFERENTLY.test(text) || !URL.canParse(text)) return undefined;
  const { protocol, host, origin, username, password } = new URL(text);
  if (username || password || !host) return undefined;
  return origin === 'null' ? `${protocol}//${host}` : origin;
};

export interface SessionWishes {
  returnUrl?: string;
  allowedOrigins?: readonly string[];
}

/**
 * What is wrong with what a session is to be: its origins are among the tenant's, and so is the
 * origin that it returns to.
 */
export const whyNotAllowed = (
  { returnUrl, allowedOrigins }: SessionWishes,
  tenantOrigins: readonly string[],
): Refusal | undefined => {
  const foreign = allowedOrigins?.findIndex((origin) => !tenantOrigins.includes(origin)) ?? -1;
  const words = "is not among the tenant's allowedOrigins";
  if (foreign >= 0) return refuse('BAD_FIELD', `allowedOrigins[${foreign}]`, words);
  if (returnUrl === undefined) return undefined;
  const origin = originOfUrl(returnUrl);
  const isAllowed = origin !== undefined && (allowedOrigins ?? tenantOrigins).includes(origin);
  return isAllowed ? undefined : refuse('BAD_FIELD', 'returnUrl', 'its origin is not among the allowedOrigins');
};
