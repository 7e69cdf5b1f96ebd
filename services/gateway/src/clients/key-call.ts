import { present } from '@assay/contracts';
import { unavailable } from '@assay/http';
import { counter, type Log } from '@assay/runtime';
import { boundedFetch } from './bounded-fetch.ts';

const TIMEOUT_MS = 3000;

const calls = counter('assay_key_service_calls_total', 'Calls to a key management service by what became of them', [
  'service',
  'call',
  'outcome',
]);

/** Counts of a service are there from the start, at 0. */
export const startCounting = (service: string, names: readonly string[]): void => {
  for (const call of names) for (const outcome of ['done', 'refused', 'away']) calls.inc({ service, call, outcome }, 0);
};

/** A call to a key management service. */
export interface KeyCall {
  service: string;
  call: string;
  url: string;
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: string;
}

/** What a key management service answered, whatever it is. */
export interface KeyAnswer {
  status: number;
  body: object;
}

/** JSON that is no object lacks whatever is asked for. */
const objectOf = (answer: unknown): object => (typeof answer === 'object' && answer !== null ? answer : {});

/**
 * Sends one call. A service that is away, or answers no JSON, is 503 for whoever waits for it; its
 * answers are for the caller to read.
 */
export const sendKeyCall = async (
  { service, call, url, method, headers, body }: KeyCall,
  log: Log,
): Promise<KeyAnswer> => {
  const request = async (): Promise<KeyAnswer> => {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    // On a kept connection the second copy of an answer that comes twice would be the next
    // identity's key.
    const single = { ...headers, connection: 'close' };
    const init = { method, headers: single, redirect: 'error', signal, ...present({ body }) } as const;
    const response = await boundedFetch(url, init);
    return { status: response.status, body: objectOf(await response.json()) };
  };
  const answer = await request().catch((error: unknown) => {
    const cause = (error as { cause?: { code?: unknown } }).cause?.code ?? (error as Error).name;
    log.warn({ msg: 'key-service.away', service, call, cause });
    calls.inc({ service, call, outcome: 'away' });
    throw unavailable(1, 'the key management service does not answer');
  });
  calls.inc({ service, call, outcome: answer.status < 400 ? 'done' : 'refused' });
  return answer;
};

/**
 * The failure of a call that was refused for a reason that may pass: no right, too many calls, a
 * key that is not there or switched off.
 */
export const refusedKeyCall = (service: string, call: string, reason: string, log: Log): Error => {
  log.error({ msg: 'key-service.refused', service, call, reason });
  return unavailable(1, 'the key management service refuses');
};

const KEY_BYTES = 32;

/** The key that a service unwrapped: one of another length is no answer, whatever it says. */
export const unwrappedKey = (service: string, text: unknown, log: Log): Buffer => {
  const key = Buffer.from(String(text), 'base64');
  if (key.length !== KEY_BYTES) throw refusedKeyCall(service, 'unwrap', 'the answer is no key', log);
  return key;
};

/**
 * The wrapped form of a key, as the service gave it: anything but a text would be stored in its
 * place, and the key be lost with all that is sealed under it.
 */
export const wrappedKey = (service: string, text: unknown, log: Log): string => {
  if (typeof text !== 'string' || text === '') throw refusedKeyCall(service, 'wrap', 'the answer is no key', log);
  return text;
};
