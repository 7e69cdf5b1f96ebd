import { AssayRefusal, AssayUnreachable } from './refusal.ts';

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 10_000;
const PASSING: readonly number[] = [408, 429, 502, 503, 504];
const IDEMPOTENCY_RUNNING = '4091';
/** Asked twice, these do no more than once: a POST carries an Idempotency-Key. */
const REPEATABLE: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH'];

/**
 * May this attempt be made again? A deletion whose answer was lost may have been done: its repeat
 * would say that nothing is there.
 */
export const isPassing = (error: unknown, method: string): boolean => {
  if (error instanceof AssayUnreachable) return REPEATABLE.includes(method);
  if (!(error instanceof AssayRefusal)) return false;
  return PASSING.includes(error.status) || error.errors.some(({ code }) => code === IDEMPOTENCY_RUNNING);
};

/**
 * The pause before attempt `number` (from 1): what the service asked for, else twice the former,
 * spread by chance.
 */
export const pauseMs = (error: unknown, number: number, random: () => number): number => {
  const asked = error instanceof AssayRefusal ? error.retryAfterSeconds : undefined;
  if (asked !== undefined) return Math.min(asked * 1000, 3 * LONGEST_PAUSE_MS);
  return Math.min(FIRST_PAUSE_MS * 2 ** (number - 1), LONGEST_PAUSE_MS) * (0.5 + random() / 2);
};

/** A pause that an abort ends. */
export const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
