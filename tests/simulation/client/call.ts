import { randomUUID } from 'node:crypto';
import { Agent, type ClientRequest, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { ERRORS } from '@assay/contracts';

export interface Answer {
  status: number;
  headers: Record<string, unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: a client looks into whatever was answered
  body: any;
  bytes: Buffer;
}

const SILENT_MS = 30_000;
const LONGEST_PAUSE_MS = 3000;

interface Sending {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: Body | undefined;
}

/**
 * The body of a request: JSON, or a form with one picture. `pieceMs`: it is sent in pieces, with
 * such pauses.
 */
export type Body = { json: unknown } | { part: string; picture: Buffer; pieceMs?: number };

/** Makes calls as one client. */
export type ClientCall = ReturnType<typeof createCall>;

const BOUNDARY = 'boundary-of-the-simulation';

const encoded = (body: Body): { type: string; bytes: Buffer } => {
  if ('json' in body) return { type: 'application/json', bytes: Buffer.from(JSON.stringify(body.json)) };
  const head = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${body.part}"; filename="a.jpg"\r\ncontent-type: image/jpeg\r\n\r\n`;
  const bytes = Buffer.concat([Buffer.from(head), body.picture, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
  return { type: `multipart/form-data; boundary=${BOUNDARY}`, bytes };
};

const PIECE_BYTES = 400;

/** Sends a body, at once or in pieces, until its call is over. */
const sendBody = async (call: ClientRequest, bytes: Buffer | undefined, pieceMs: number | undefined): Promise<void> => {
  if (!bytes || pieceMs === undefined) return void call.end(bytes);
  for (let at = 0; at < bytes.length && !call.destroyed; at += PIECE_BYTES) {
    call.write(bytes.subarray(at, at + PIECE_BYTES));
    await pause(pieceMs);
  }
  call.end();
};

/** One call to the gateway. Rejects if no complete answer comes. */
const send = ({ method, path, headers, body }: Sending): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = body && encoded(body);
    const about = sent ? { 'content-type': sent.type, 'content-length': sent.bytes.length } : {};
    const agent = new Agent({ keepAlive: false });
    const call = request({ host: 'gateway', agent, method, path, headers: { ...headers, ...about } }, (response) => {
      buffer(response).then((all) => {
        const { statusCode: status = 0, headers: answered } = response;
        const isJson = /json/.test(String(answered['content-type']));
        resolve({ status, headers: answered, bytes: all, body: isJson ? JSON.parse(all.toString()) : undefined });
      }, reject);
    });
    const silence = setTimeout(() => call.destroy(new Error('silent')), SILENT_MS);
    call.once('error', reject).once('close', () => clearTimeout(silence));
    void sendBody(call, sent?.bytes, body && 'part' in body ? body.pieceMs : undefined);
  });

export interface Caller {
  /** The headers that say who calls. */
  credentials: Readonly<Record<string, string>>;
  /** Receives every answer that the suite must not give. */
  onForbidden(what: string): void;
  /** Statuses that refuse for good and are expected. */
  refusals?: readonly number[];
  /** Milliseconds before a repetition, in place of pauses that grow. */
  pauseMs?: number;
}

/**
 * Repeats a call until it is answered 2xx, as a client does, under one Idempotency-Key so that it
 * has one effect. Undefined after any other final answer. `alsoRefused` are further statuses that
 * refuse this call for good and are expected.
 */
export const createCall =
  ({ credentials, onForbidden, refusals = [], pauseMs }: Caller) =>
  async (
    method: string,
    path: string,
    body?: Body,
    alsoRefused: readonly number[] = [],
  ): Promise<Answer | undefined> => {
    const headers = { ...credentials, ...(method === 'POST' ? { 'idempotency-key': randomUUID() } : {}) };
    for (let attempt = 0; ; attempt += 1) {
      const answer = await send({ method, path, headers, body }).catch(() => undefined);
      if (answer) {
        const { status } = answer;
        const isClosed = method === 'DELETE' && attempt > 0 && (status === 404 || status === 410);
        if ((status >= 200 && status < 300) || isClosed) return answer;
        const isBusy = status === 403 && answer.body?.title === ERRORS.PROOF_WHILE_PROCESSING.title;
        const mayRepeat = isBusy || ((status === 503 || status === 409) && answer.headers['retry-after'] !== undefined);
        if (!mayRepeat && [...refusals, ...alsoRefused].includes(status)) return undefined;
        if (!mayRepeat) {
          onForbidden(
            `${method} ${path.replaceAll(/[0-9a-f-]{36}/g, ':id')}: ${status} ${JSON.stringify(answer.body)}`,
          );
          return undefined;
        }
      }
      await pause(pauseMs ?? Math.min(LONGEST_PAUSE_MS, 100 * 1.5 ** attempt));
    }
  };
