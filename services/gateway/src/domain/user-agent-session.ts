import { present } from '@assay/contracts';
import { conflict, type Refusal, refuse } from './change.ts';

export const STEPS = ['DOCUMENT', 'CHIP', 'PORTRAIT', 'EMAIL', 'MOBILE'] as const;
export type CaptureStep = (typeof STEPS)[number];

/** A request for a handover, the same in each attempt at it. */
export interface HandoverRequest {
  seedId: string;
  /** 0 for the first, more for each repeat. */
  attempt: number;
}

/** A session: one device acts for one identity. Only hashes of tokens and devices are stored. */
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
  /** The token issued by a handover that was not used yet. */
  nextTokenHash?: string;
  /** The request that handed it over last, and which attempt at it. */
  handedOverBy?: HandoverRequest;
  /** The device that handed the session over last; it may watch the progress. */
  follower?: { tokenHash: string; deviceHash?: string };
  /** When the person declared all steps done. */
  doneAt?: Date;
  /** Tokens that a handover replaced. */
  formerTokenHashes: string[];
  /** Hashes of all these tokens: the index. */
  tokenHashes: string[];
  steps: CaptureStep[];
  locale?: string;
  /** Sealed with the identity's key. */
  sealedReturnUrl?: string;
  /** Origins of this session; if absent, those of the tenant. */
  allowedOrigins?: string[];
}

export interface SessionChange {
  set: Partial<UserAgentSession>;
  unset?: readonly ('deviceHash' | 'nextTokenHash' | 'follower')[];
}

/** Handovers a session may have. */
const MOST_HANDOVERS = 20;

export interface SessionUse {
  tokenHash: string;
  deviceHash: string;
  now: Date;
}

const HANDED_OVER = 'the session was handed over to another device';

/** Why a device with this token may not act: the session may have moved since it was admitted. */
const whyNotHolder = (session: UserAgentSession, by: string): Refusal | undefined =>
  session.tokenHash === by ? undefined : refuse('SESSION_ELSEWHERE', undefined, HANDED_OVER);

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
  const refused = whyNotHolder(session, tokenHash);
  if (refused) return refused;
  if (session.deviceHash === undefined) return { set: { deviceHash } };
  return session.deviceHash === deviceHash ? undefined : refuse('SESSION_ELSEWHERE');
};

/** Whether the caller is the device that handed the session over. */
export const isFollower = (
  { follower, expiresAt }: Pick<UserAgentSession, 'follower' | 'expiresAt'>,
  { tokenHash, deviceHash, now }: SessionUse,
): boolean => expiresAt > now && follower?.tokenHash === tokenHash && follower.deviceHash === deviceHash;

/** The progress of a handover, for the device that handed over. */
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

/** The person has been through all steps, at the device with this token. */
export const finish = (session: UserAgentSession, by: string, doneAt: Date): SessionChange | Refusal =>
  whyNotHolder(session, by) ?? { set: { doneAt } };

/**
 * Issues a token for another device, at the device with the token `by`; a token that was issued
 * before and not used becomes invalid. A late attempt at a request does not replace the token that
 * its repeat was answered.
 */
export const handOver = (
  session: UserAgentSession,
  by: string,
  tokenHash: string,
  request: HandoverRequest,
): SessionChange | Refusal => {
  const refused = whyNotHolder(session, by);
  if (refused) return refused;
  const { nextTokenHash, handedOverBy: last } = session;
  if (last?.seedId === request.seedId && last.attempt > request.attempt) return refuse('IDEMPOTENCY_RUNNING');
  const formerTokenHashes = [...session.formerTokenHashes, ...(nextTokenHash === undefined ? [] : [nextTokenHash])];
  if (formerTokenHashes.length >= MOST_HANDOVERS)
    return conflict('the session was handed over too often: create another');
  return {
    set: {
      nextTokenHash: tokenHash,
      handedOverBy: request,
      formerTokenHashes,
      tokenHashes: [...session.tokenHashes, tokenHash],
    },
  };
};

/**
 * Ends a handover, at the device that handed over: it acts for the identity again, and the token of
 * the other device becomes invalid, whether it was used or not. Changes nothing once all steps are
 * done.
 */
export const takeBack = (session: UserAgentSession, by: string): SessionChange | Refusal | undefined => {
  const { follower, nextTokenHash, tokenHash, doneAt } = session;
  const mine = follower?.tokenHash === by ? follower : undefined;
  const refused = mine ? undefined : whyNotHolder(session, by);
  if (refused) return refused;
  if (doneAt || !(mine || nextTokenHash)) return undefined;
  const former = session.formerTokenHashes.filter((hash) => hash !== by);
  const ended = [...(mine ? [tokenHash] : []), ...(nextTokenHash === undefined ? [] : [nextTokenHash])];
  return {
    set: { ...mine, formerTokenHashes: [...former, ...ended] },
    // A device that was never bound is bound by its next request.
    unset: ['nextTokenHash', 'follower', ...(mine && !mine.deviceHash ? (['deviceHash'] as const) : [])],
  };
};

/** Characters that browsers drop or convert, while other parsers of addresses do not. */
const READ_DIFFERENTLY = /[\p{Cc}\s\\]/u;

/**
 * The origin of an address, as browsers send it; also with the scheme of an app. Undefined if it is
 * no address, has a name and password, or is one that parsers read differently.
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
 * What is wrong with a new session: its origins, and the origin it returns to, must be among those
 * of the tenant.
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
