/** What came of one attempt: a status, or why there is none (a code, never what the receiver said). */
export interface Attempt {
  at: Date;
  statusCode?: number;
  error?: string;
  durationMs?: number;
}

export type DeliveryState = 'PENDING' | 'DELIVERED' | 'FAILED';

export interface Schedule {
  attempts: number;
  delaySeconds: number;
}

/** Three attempts, ten seconds apart (Events, Delivery 4; Limits). */
export const DEFAULT_SCHEDULE: Schedule = { attempts: 3, delaySeconds: 10 };

export const isAccepted = ({ statusCode }: Attempt): boolean =>
  statusCode !== undefined && statusCode >= 200 && statusCode <= 299;

/** The receiver asks never to be told again. */
export const isGone = ({ statusCode }: Attempt): boolean => statusCode === 410;

/** How a delivery goes on after an attempt: `made` counts the attempts of this round, the one just made included. */
export const afterAttempt = (
  attempt: Attempt,
  made: number,
  { attempts, delaySeconds }: Schedule,
  now: Date,
): { state: DeliveryState; nextAttemptAt?: Date } => {
  if (isAccepted(attempt)) return { state: 'DELIVERED' };
  if (isGone(attempt) || made >= attempts) return { state: 'FAILED' };
  return { state: 'PENDING', nextAttemptAt: new Date(now.getTime() + delaySeconds * 1000) };
};
