/**
 * What came of one attempt: a status, or why there is none (a code, never what the receiver said).
 */
export interface DeliveryAttempt {
  at: Date;
  statusCode?: number;
  error?: string;
  durationMs?: number;
  /** How long the receiver asked to be left alone. */
  retryAfterSeconds?: number;
  /** SHA-256 of the body, in hexadecimal; absent where none was made for it. */
  bodySha256?: string;
}

export type DeliveryState = 'PENDING' | 'DELIVERED' | 'FAILED';

export interface Schedule {
  attempts: number;
  delaySeconds: number;
  /** Seconds between attempts, in place of the above. */
  schedule?: readonly number[];
}

/** Seconds to wait after so many attempts; undefined after the last one. */
const pauseOf = ({ attempts, delaySeconds, schedule }: Schedule, attemptsMade: number): number | undefined => {
  if (schedule) return schedule[attemptsMade - 1];
  return attemptsMade < attempts ? delaySeconds : undefined;
};

/** Three attempts, ten seconds apart (specification, Delivery). */
export const DEFAULT_SCHEDULE: Schedule = { attempts: 3, delaySeconds: 10 };

export const isAccepted = ({ statusCode }: DeliveryAttempt): boolean =>
  statusCode !== undefined && statusCode >= 200 && statusCode <= 299;

/** The identity was closed and nothing of it can be opened any more: there is nothing to send. */
export const CLOSED = 'CLOSED';

/** The receiver asks for no further webhooks. */
export const isGone = ({ statusCode }: DeliveryAttempt): boolean => statusCode === 410;

/** A receiver that asks for a longer pause is asked again after a day. */
const LONGEST_ASKED_SECONDS = 24 * 3600;

/**
 * How long a receiver that answers 429 or 503 asks to be left alone (Retry-After, RFC 9110,
 * 10.2.3). A date counts from the receiver's own `Date`: its clock is not ours.
 */
export const retryAfterOf = (
  statusCode: number,
  { date, 'retry-after': asked }: { date?: string | undefined; 'retry-after'?: string | undefined },
): number | undefined => {
  if (asked === undefined || (statusCode !== 429 && statusCode !== 503)) return undefined;
  if (/^\d{1,9}$/.test(asked)) return Number(asked);
  const seconds = Math.ceil((Date.parse(asked) - Date.parse(date ?? '')) / 1000);
  return seconds > 0 ? seconds : undefined;
};

/**
 * How a delivery goes on after an attempt: `attemptsMade` counts the attempts of this round, the
 * one just made included. `isFormer`: the endpoint was set anew meanwhile, so that a 410 says
 * nothing of the present one.
 */
export const afterAttempt = (
  attempt: DeliveryAttempt,
  attemptsMade: number,
  schedule: Schedule & { isFormer?: boolean },
  now: Date,
): { state: DeliveryState; nextAttemptAt?: Date } => {
  if (isAccepted(attempt)) return { state: 'DELIVERED' };
  const pauseSeconds = pauseOf(schedule, attemptsMade);
  const isForGood = (isGone(attempt) && !schedule.isFormer) || attempt.error === CLOSED;
  if (isForGood || pauseSeconds === undefined) return { state: 'FAILED' };
  const askedSeconds = Math.min(attempt.retryAfterSeconds ?? 0, LONGEST_ASKED_SECONDS);
  return { state: 'PENDING', nextAttemptAt: new Date(now.getTime() + Math.max(pauseSeconds, askedSeconds) * 1000) };
};
