import { Agent, type ClientRequest, type IncomingHttpHeaders } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ERRORS, type InternalClaims, type Problem, type ServiceName, violationsOf } from '@assay/contracts';
import type { Log } from '@assay/runtime';
import type { Static, TSchema, TUnknown } from 'typebox';
import { ApiError, unavailable } from './errors.ts';
import { type Asked, type Exchanged, exchange } from './exchange.ts';
import type { InternalKeys } from './internal-keys.ts';
import { refusalOf } from './refusal.ts';
import { endedWhenSilent, guarded, malformedForm } from './streams.ts';
import { signToken } from './token.ts';

export interface InternalClientOptions {
  baseUrl: string;
  /** The keys of the service that calls. */
  keys: InternalKeys;
  /** The service that is called: a token for it is not valid for another one. */
  to: ServiceName;
  /** How long an answer may take, in milliseconds. */
  timeoutMs?: number;
  /** The same for a body that is passed on as it arrives: it takes as long as its sender. */
  uploadMs?: number;
  log: Log;
}

/** Claims of a call; the client adds which service calls. */
export type CallClaims = Omit<InternalClaims, 'service'>;

type SendJson = <S extends TSchema = TUnknown>(
  path: string,
  claims: CallClaims,
  body: unknown,
  reply?: S,
) => Promise<Static<S>>;

/**
 * Replies are checked against the schema given for them; without one they are unknown, to be passed
 * on as they are. A body that is bytes is JSON already, as the caller received it.
 */
export interface InternalClient {
  getJson<S extends TSchema = TUnknown>(path: string, claims: CallClaims, reply?: S): Promise<Static<S>>;
  postJson: SendJson;
  /**
   * A POST whose body or token names what it makes: the other side knows it when it comes twice,
   * and answers as the first time. It is repeated once if the connection ends without a reply.
   */
  postRepeatable: SendJson;
  putJson: SendJson;
  delete(path: string, claims: CallClaims): Promise<void>;
  putBytes(path: string, claims: CallClaims, bytes: Buffer, contentType: string): Promise<void>;
  getBytes(path: string, claims: CallClaims): Promise<{ bytes: Buffer; headers: IncomingHttpHeaders }>;
  getStream(path: string, claims: CallClaims): Promise<{ stream: Readable; headers: IncomingHttpHeaders }>;
  /** Passes a request body on as it arrives. */
  postStream<S extends TSchema = TUnknown>(
    path: string,
    claims: CallClaims,
    body: Readable,
    headers: Record<string, string>,
    reply?: S,
  ): Promise<Static<S>>;
}

/** What a reply says: its JSON, or its text where that is none. */
const contentOf = async (reply: Readable): Promise<unknown> => {
  const text = (await buffer(reply)).toString('utf8');
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const TIMEOUT_MS = 10_000;
const ERROR_STATUS = 400;

interface Sent {
  body?: Asked['body'];
  headers?: Record<string, string>;
  /** The reply is handed over as it arrives. */
  isStream?: boolean;
  /** Whether the same call may come twice; by default only a GET may. */
  isRepeatable?: boolean;
  timeout?: number;
}

/** A reply, and what it says unless the caller reads it. */
interface Answer extends Exchanged {
  content?: unknown;
}

type Call = (method: Method, path: string, claims: CallClaims, sent?: Sent) => Promise<Answer>;
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * Closes the connection of a call that was answered before its body was sent. If it were reused,
 * the other side would read the next call as the rest of that body.
 */
const leaveUnlessSent = (request: ClientRequest): void => {
  if (!request.writableFinished) request.destroy();
};

/**
 * Whether a step of the path is dots. A URL does not keep such a step, and no encoding keeps it
 * there: the call would reach another path of the other service.
 */
const leadsElsewhere = (path: string): boolean => path.split(/[/?]/).some((step) => step === '.' || step === '..');

const agentsOf = (): Asked['agents'] => ({
  http: new Agent({ keepAlive: true, maxSockets: 64 }),
  // The certificate has to name the service as it is called, and to be signed by an authority of
  // NODE_EXTRA_CA_CERTS.
  https: new TlsAgent({ keepAlive: true, maxSockets: 64, minVersion: 'TLSv1.2' }),
});

/**
 * One call with its own token: gives the reply if its status is below 400, or throws the refusal.
 */
const createCall = ({ baseUrl, keys, to, timeoutMs = TIMEOUT_MS, log }: InternalClientOptions): Call => {
  const agents = agentsOf();
  const base = baseUrl.replace(/\/+$/, '');

  const ask = async (asked: Asked, isStream: boolean): Promise<Answer> => {
    const { sent, reply } = await exchange(asked);
    const isHandedOver = isStream && reply.statusCode! < ERROR_STATUS;
    // The client's own limit ends with the headers.
    if (isHandedOver) sent.setTimeout(0);
    const answer = isHandedOver ? { sent, reply } : { sent, reply, content: await contentOf(reply) };
    leaveUnlessSent(sent);
    return answer;
  };

  return async (method, path, claims, { body, isStream = false, timeout = timeoutMs, ...more } = {}) => {
    if (leadsElsewhere(path)) throw new ApiError('NOT_FOUND');
    const { isRepeatable = method === 'GET' } = more;
    const headers = {
      authorization: `Bearer ${signToken(keys, to, claims)}`,
      'x-request-id': claims.requestId,
      ...more.headers,
    };
    const send = () =>
      ask({ method, url: new URL(`${base}${path}`), headers, body, agents, silentMs: timeout }, isStream);
    const { sent, reply, content } = await send()
      .catch((error: { code?: string }) => {
        // The other side may close a kept connection just when it is reused.
        if (isRepeatable && error.code === 'ECONNRESET') return send();
        throw error;
      })
      .catch((error: { code?: string }) => {
        // The body was cut off on purpose: nothing of it was accepted.
        if (error instanceof ApiError) throw error;
        log.warn({ msg: 'internal-call.failed', method, requestId: claims.requestId, code: error.code });
        throw unavailable();
      });
    const status = reply.statusCode!;
    if (status < ERROR_STATUS) return { sent, reply, content };
    // Its keys are not ours, or its clock differs by more than a token's life.
    if (status === ERRORS.UNAUTHENTICATED.status)
      log.error({ msg: 'internal-call.token-refused', method, to, requestId: claims.requestId });
    throw refusalOf(status, typeof content === 'object' ? (content as Problem) : undefined);
  };
};

const json = (value: unknown): Sent => {
  const body = Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value));
  return { body, headers: { 'content-type': 'application/json', 'content-length': String(body.length) } };
};

/**
 * Calls to one other service of the suite, with a token signed for each call. A refusal (4xx) is
 * thrown as the same ApiError, a failure as 503.
 */
export const createInternalClient = (options: InternalClientOptions): InternalClient => {
  const call = createCall(options);
  const { timeoutMs = TIMEOUT_MS, uploadMs = timeoutMs } = options;

  /** Checks the reply against its schema, or fails: the error names members, never values. */
  const checked = <S extends TSchema>(path: string, claims: CallClaims, data: unknown, schema?: S): Static<S> => {
    const violations = schema ? violationsOf(schema, data) : [];
    if (violations.length === 0) return data as Static<S>;
    options.log.error({ msg: 'internal-call.bad-reply', path, requestId: claims.requestId, violations });
    throw unavailable();
  };

  const getStream: InternalClient['getStream'] = async (path, claims) => {
    const { sent, reply } = await call('GET', path, claims, { isStream: true });
    const stream = guarded(reply);
    if (sent.socket) endedWhenSilent(stream, sent.socket, timeoutMs);
    return { stream, headers: reply.headers };
  };

  return {
    getJson: async (path, claims, schema) => checked(path, claims, (await call('GET', path, claims)).content, schema),
    postJson: async (path, claims, body, schema) =>
      checked(path, claims, (await call('POST', path, claims, json(body))).content, schema),
    postRepeatable: async (path, claims, body, schema) => {
      const { content } = await call('POST', path, claims, { ...json(body), isRepeatable: true });
      return checked(path, claims, content, schema);
    },
    putJson: async (path, claims, body, schema) =>
      checked(path, claims, (await call('PUT', path, claims, json(body))).content, schema),
    delete: async (path, claims) => {
      await call('DELETE', path, claims);
    },
    putBytes: async (path, claims, bytes, contentType) => {
      const headers = { 'content-type': contentType, 'content-length': String(bytes.length) };
      await call('PUT', path, claims, { body: bytes, headers });
    },
    getStream,
    getBytes: async (path, claims) => {
      const { stream, headers } = await getStream(path, claims);
      return { bytes: await buffer(stream), headers };
    },
    postStream: async (path, claims, body, headers, schema) => {
      // A body that failed before this cannot report it any more: without this, the other side
      // would wait until its timeout.
      if (body.destroyed) throw body.errored ?? malformedForm();
      const { content } = await call('POST', path, claims, { body, headers, timeout: uploadMs });
      return checked(path, claims, content, schema);
    },
  };
};
