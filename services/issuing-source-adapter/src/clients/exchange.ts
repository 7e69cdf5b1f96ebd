import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { present } from '@assay/contracts';
import axios from 'axios';
import type { Outage } from '../domain/answer.ts';

interface ExchangeRequest {
  method?: 'POST' | 'GET' | 'PUT';
  url: string;
  headers: Record<string, string>;
  body?: string;
  /** For the whole exchange, connecting and reading included. */
  timeoutMs: number;
  /** Bytes of the longest answer that is read. */
  largestReply?: number;
  /**
   * Over a connection of its own. On a shared one the second copy of an answer that a source sends
   * twice counts as the answer to the next question: only what the answer repeats would tell.
   */
  isAlone?: boolean;
}

/** What came back, or why nothing did. */
type Exchanged =
  | { kind: 'REPLY'; status: number; body: string }
  | { kind: 'OUTAGE'; outage: Extract<Outage, 'TIMEOUT' | 'UNREACHABLE' | 'UNREADABLE'>; code?: string };

export type Exchange = (request: ExchangeRequest) => Promise<Exchanged>;

/**
 * An answer is a few thousand bytes, with signatures and certificates around it. Parsing holds up
 * all tenants, and XML of a megabyte can take it seconds: attributes, elements or instructions
 * without end.
 */
const LARGEST_REPLY = 64 * 1024;
const TIMEOUTS: readonly string[] = ['ECONNABORTED', 'ETIMEDOUT', 'ERR_CANCELED'];
const utf8 = new TextDecoder('utf-8', { fatal: true });

const agents = (keepAlive: boolean) => ({
  httpAgent: new HttpAgent({ keepAlive, maxSockets: 256 }),
  httpsAgent: new HttpsAgent({ keepAlive, maxSockets: 256 }),
});

/**
 * One HTTP exchange with a source: no redirects, no proxies, bounded in time and size; every
 * failure is a value.
 */
export const createExchange = (): Exchange => {
  const client = axios.create({
    adapter: 'http',
    proxy: false,
    maxRedirects: 0,
    responseType: 'arraybuffer',
    validateStatus: () => true,
  });
  const [shared, single] = [agents(true), agents(false)];
  return async ({ method = 'POST', url, headers, body, timeoutMs, largestReply = LARGEST_REPLY, isAlone }) => {
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      const connections = isAlone ? single : shared;
      const asked = { method, url, headers, data: body, signal, maxContentLength: largestReply, ...connections };
      const { status, data } = await client.request<Buffer>(asked);
      return { kind: 'REPLY', status, body: utf8.decode(data) };
    } catch (error) {
      const code = String((error as { code?: unknown }).code ?? '');
      if (error instanceof TypeError) return { kind: 'OUTAGE', outage: 'UNREADABLE', code: 'NOT_UTF8' };
      if (TIMEOUTS.includes(code)) return { kind: 'OUTAGE', outage: 'TIMEOUT' };
      const unreadable = code === 'ERR_BAD_RESPONSE' || code.startsWith('HPE_');
      return { kind: 'OUTAGE', outage: unreadable ? 'UNREADABLE' : 'UNREACHABLE', ...present({ code }) };
    }
  };
};

/**
 * Statuses of refusals: of our credentials (401, 403), or of the values of one question (400, 422),
 * which says nothing of other questions.
 */
const REFUSALS: readonly number[] = [400, 401, 403, 422];

/** What a status that carries no answer tells: a refusal, or the source's own trouble. */
export const outageOfStatus = (status: number): Outage => {
  if (REFUSALS.includes(status)) return 'REFUSED';
  return status === 429 || status >= 500 ? 'FAULT' : 'UNREADABLE';
};
