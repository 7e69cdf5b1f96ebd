import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import axios from 'axios';

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

const outcomeOf = (status: number): Awaited<ReturnType<Send>> => {
  if (status >= 200 && status <= 299) return 'accepted';
  return status === 408 || status === 429 || status >= 500 ? 'unavailable' : 'refused';
};

/**
 * SMS through an HTTP provider: POST JSON {to, text}, with the code's id as Idempotency-Key. The
 * time is for the whole exchange.
 */
export const createTexter =
  (url: string, token: string | undefined, timeoutMs = TIMEOUT_MS): Send =>
  ({ id, to, text }) =>
    axios
      .post(
        url,
        { to, text },
        {
          headers: { 'idempotency-key': id, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
          ...single,
          adapter: 'http',
          proxy: false,
          maxRedirects: 0,
          // The option `timeout` counts silence only.
          signal: AbortSignal.timeout(timeoutMs),
          maxContentLength: 64 * 1024,
          validateStatus: () => true,
        },
      )
      .then(
        ({ status }) => outcomeOf(status),
        () => 'unavailable' as const,
      );
