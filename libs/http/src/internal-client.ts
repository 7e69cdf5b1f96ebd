import type { ClientRequest, IncomingHttpHeaders } from 'node:http';
import { Agent } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { ServiceName } from '@assay/contracts';
import { ERRORS, type ErrorName, type InternalClaims, type Problem, violationsOf } from '@assay/contracts';
import type { Log } from '@assay/runtime';
import axios, { type AxiosResponse, type Method } from 'axios';
import type { Static, TSchema, TUnknown } from 'typebox';
import { ApiError, unavailable } from './errors.ts';
import type { InternalKeys } from './internal-keys.ts';
import { endedWhenSilent, guarded, malformedForm } from './streams.ts';
import { signToken } from './token.ts';

export interface InternalClientOptions {
  baseUrl: string;
  /** The keys of the service that calls. */
  keys: InternalKeys;
  /** The service that is called: a token for it is good nowhere else. */
  to: ServiceName;
  /** How long an answer may take, in milliseconds. */
  timeoutMs?: number;
  /**
   * The same of an answer to a body that is passed on as it arrives: it takes as long as its
   * sender.
   */
  uploadMs?: number;
  log: Log;
}

/** Claims of a call; the client adds which service calls. */
export type CallClaims = Omit<InternalClaims, 'service'>;

/**
 * Replies are checked against the schema given for them; without one they are unknown, to be passed
 * on as they are.
 */
export interface InternalClient {
  getJson<S extends TSchema = TUnknown>(path: string, claims: CallClaims, reply?: S): Promise<Static<S>>;
  postJson<S extends TSchema = TUnknown>(
    path: string,
    claims: CallClaims,
    body: unknown,
    reply?: S,
  ): Promise<Static<S>>;
  putJson<S extends TSchema = TUnknown>(path: string, claims: CallClaims, body: unknown, reply?: S): Promise<Static<S>>;
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

const names = Object.keys(ERRORS) as ErrorName[];
// Several names share a code (1505); what the other service called its refusal tells them apart.
const nameOf = ({ title, errors: [first] }: Problem): ErrorName | undefined =>
  names.find((name) => ERRORS[name].code === first?.code && ERRORS[name].title === title) ??
  names.find((name) => ERRORS[name].code === first?.code);

/**
 * What the other service refused, as our own refusal with the same title, status and errors. Its
 * failure becomes 503, and so does its refusal of our token: whoever called us did nothing wrong.
 */
const refusalOf = (status: number, problem: Problem | undefined): ApiError => {
  const code = problem?.errors?.[0]?.code;
  if (status === ERRORS.UNAUTHENTICATED.status) return unavailable();
  if (status >= 500 || !problem || !code)
    return status === 503 && problem
      ? new ApiError('UNAVAILABLE', { errors: problem.errors, headers: { 'Retry-After': '1' } })
      : unavailable();
  return new ApiError(nameOf(problem) ?? 'BAD_FIELD', {
    status,
    errors: problem.errors,
    ...(problem.detail ? { message: problem.detail } : {}),
  });
};

const asProblem = async (body: Readable): Promise<Problem | undefined> => {
  try {
    return JSON.parse((await buffer(body)).toString('utf8')) as Problem;
  } catch {
    return undefined;
  }
};

const TIMEOUT_MS = 10_000;

interface Sent {
  data?: unknown;
  headers?: Record<string, string>;
  responseType?: 'json' | 'stream';
  timeout?: number;
}

type Call = (method: Method, path: string, claims: CallClaims, sent?: Sent) => Promise<AxiosResponse>;

/**
 * Cuts the connection of a call that was answered before its body was sent. Kept, it would carry
 * the next call, which the other side would read as the rest of that body.
 */
const leaveUnlessSent = (request: ClientRequest): void => {
  if (!request.writableFinished) request.destroy();
};

/** One call with a token of its own: a reply below 400, or the refusal thrown. */
const createCall = ({ baseUrl, keys, to, timeoutMs = TIMEOUT_MS, log }: InternalClientOptions): Call => {
  const http = axios.create({
    baseURL: baseUrl,
    adapter: 'http',
    proxy: false,
    maxRedirects: 0,
    timeout: timeoutMs,
    httpAgent: new Agent({ keepAlive: true, maxSockets: 64 }),
    // The certificate has to name the service as it is called, and to be signed by an authority of
    // NODE_EXTRA_CA_CERTS.
    httpsAgent: new TlsAgent({ keepAlive: true, maxSockets: 64, minVersion: 'TLSv1.2' }),
    maxBodyLength: Number.POSITIVE_INFINITY,
    maxContentLength: Number.POSITIVE_INFINITY,
    validateStatus: () => true,
  });
  return async (method, path, claims, sent = {}) => {
    const { data, responseType = 'json', timeout = timeoutMs } = sent;
    const headers = {
      authorization: `Bearer ${signToken(keys, to, claims)}`,
      'x-request-id': claims.requestId,
      ...sent.headers,
    };
    const send = () => http.request({ method, url: path, data, headers, responseType, timeout });
    const response = await send()
      .catch((error: { code?: string }) => {
        // The other side may close a kept connection at the moment it is used again: a question is
        // put once more.
        if (method === 'GET' && error.code === 'ECONNRESET') return send();
        throw error;
      })
      .catch((error: { code?: string; cause?: unknown }) => {
        // The body was broken off on purpose: nothing of it was taken.
        if (error.cause instanceof ApiError) throw error.cause;
        log.warn({ msg: 'internal-call.failed', method, requestId: claims.requestId, code: error.code });
        throw unavailable();
      });
    leaveUnlessSent(response.request);
    if (response.status < 400) return response;
    const isStream = responseType === 'stream';
    const problem = isStream ? await asProblem(response.data as Readable) : (response.data as Problem);
    // Its keys are not ours, or its clock differs by more than a token's life.
    if (response.status === ERRORS.UNAUTHENTICATED.status)
      log.error({ msg: 'internal-call.token-refused', method, to, requestId: claims.requestId });
    throw refusalOf(response.status, problem);
  };
};

const JSON_BODY = { 'content-type': 'application/json' };

/**
 * Calls to one other service of the suite, with a token signed for each call. A refusal (4xx) is
 * thrown as the same ApiError, a failure as 503.
 */
export const createInternalClient = (options: InternalClientOptions): InternalClient => {
  const call = createCall(options);
  const { timeoutMs = TIMEOUT_MS, uploadMs = timeoutMs } = options;

  /**
   * What another service said has the shape agreed on, or the call failed: the reason names
   * members, never values.
   */
  const checked = <S extends TSchema>(path: string, claims: CallClaims, data: unknown, schema?: S): Static<S> => {
    const violations = schema ? violationsOf(schema, data) : [];
    if (violations.length === 0) return data as Static<S>;
    options.log.error({ msg: 'internal-call.bad-reply', path, requestId: claims.requestId, violations });
    throw unavailable();
  };

  const getStream: InternalClient['getStream'] = async (path, claims) => {
    const response = await call('GET', path, claims, { responseType: 'stream' });
    // The client's own limit ends with the headers.
    const { socket } = response.request as ClientRequest;
    const reply = guarded(response.data as Readable);
    if (socket) endedWhenSilent(reply, socket, timeoutMs);
    return { stream: reply, headers: response.headers as IncomingHttpHeaders };
  };

  return {
    getJson: async (path, claims, schema) => checked(path, claims, (await call('GET', path, claims)).data, schema),
    postJson: async (path, claims, body, schema) =>
      checked(path, claims, (await call('POST', path, claims, { data: body, headers: JSON_BODY })).data, schema),
    putJson: async (path, claims, body, schema) => {
      const { data } = await call('PUT', path, claims, { data: JSON.stringify(body), headers: JSON_BODY });
      return checked(path, claims, data, schema);
    },
    delete: async (path, claims) => {
      await call('DELETE', path, claims);
    },
    putBytes: async (path, claims, bytes, contentType) => {
      await call('PUT', path, claims, { data: bytes, headers: { 'content-type': contentType } });
    },
    getStream,
    getBytes: async (path, claims) => {
      const { stream, headers } = await getStream(path, claims);
      return { bytes: await buffer(stream), headers };
    },
    postStream: async (path, claims, body, headers, schema) => {
      // A body that broke before this is no news to axios any more: it would wait for its end until
      // its time is up.
      if (body.destroyed) throw body.errored ?? malformedForm();
      return checked(
        path,
        claims,
        (await call('POST', path, claims, { data: body, headers, timeout: uploadMs })).data,
        schema,
      );
    },
  };
};
