import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Readable } from 'node:stream';
import axios, { type AxiosRequestConfig, type AxiosResponse } from 'axios';
import { discard } from './discard.ts';

interface CodeMessage {
  /** Of the one-time code; the same on a repeat. */
  id: string;
  to: string;
  subject: string;
  text: string;
}

/**
 * Sends a message. `refused` is for good, `unavailable` may be tried again. Never rejects, and
 * never tells what was in the message.
 */
export type Send = (message: CodeMessage) => Promise<'accepted' | 'refused' | 'unavailable'>;

const TIMEOUT_MS = 10_000;
/**
 * A connection for each message: on a shared one the second copy of an answer that a provider sends
 * twice would count for the next person's.
 */
const single = { httpAgent: new HttpAgent({ keepAlive: false }), httpsAgent: new HttpsAgent({ keepAlive: false }) };

/** They say nothing of the message: a login (401, 407) that the operator can mend, or not now. */
const NOT_OF_MESSAGE: readonly number[] = [401, 407, 408, 429];

const outcomeOf = (status: number): Awaited<ReturnType<Send>> => {
  if (status >= 200 && status <= 299) return 'accepted';
  return NOT_OF_MESSAGE.includes(status) || status >= 500 ? 'unavailable' : 'refused';
};

/**
 * SMS through an HTTP provider: POST JSON {to, text}, with the code's id as Idempotency-Key. The
 * time is for the whole exchange. The status says what came of the message, also where the rest of
 * the answer is cut or cannot be read: to send it again would send the person another one.
 */
export const createTexter =
  (url: string, token: string | undefined, timeoutMs = TIMEOUT_MS): Send =>
  async ({ id, to, text }) => {
    // The option `timeout` counts silence only.
    const signal = AbortSignal.timeout(timeoutMs);
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const options: AxiosRequestConfig = {
      headers: { 'idempotency-key': id, ...authorization },
      ...single,
      adapter: 'http',
      proxy: false,
      maxRedirects: 0,
      signal,
      responseType: 'stream',
      decompress: false,
      validateStatus: () => true,
    };
    const answered = async ({ status, data }: AxiosResponse<Readable>) => {
      await discard(data);
      return signal.aborted ? ('unavailable' as const) : outcomeOf(status);
    };
    return axios.post<Readable>(url, { to, text }, options).then(answered, () => 'unavailable' as const);
  };
