import type { IncomingHttpHeaders } from 'node:http';
import { Agent } from 'node:http';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ERRORS, type ErrorName, type InternalClaims, type Problem } from '@assay/contracts';
import type { Log } from '@assay/runtime';
import axios, { type AxiosResponse, type Method } from 'axios';
import { ApiError, unavailable } from './errors.ts';
import { signToken } from './token.ts';

export interface InternalClientOptions {
  baseUrl: string;
  secret: string;
  service: string;
  timeoutMs?: number;
  log: Log;
}

/** Claims of a call; the client adds which service calls. */
export type CallClaims = Omit<InternalClaims, 'service'>;

export interface InternalClient {
  getJson<T>(path: string, claims: CallClaims): Promise<T>;
  postJson<T>(path: string, claims: CallClaims, body: unknown): Promise<T>;
  putJson<T>(path: string, claims: CallClaims, body: unknown): Promise<T>;
  delete(path: string, claims: CallClaims): Promise<void>;
  putBytes(path: string, claims: CallClaims, bytes: Buffer, contentType: string): Promise<void>;
  getBytes(path: string, claims: CallClaims): Promise<{ bytes: Buffer; headers: IncomingHttpHeaders }>;
  getStream(path: string, claims: CallClaims): Promise<{ stream: Readable; headers: IncomingHttpHeaders }>;
  /** Passes a request body on as it arrives. */
  postStream<T>(path: string, claims: CallClaims, body: Readable, headers: Record<string, string>): Promise<T>;
}

const names = Object.keys(ERRORS) as ErrorName[];
// Several names share a code (1505); what the other service called its refusal tells them apart.
const nameOf = ({ title, errors: [first] }: Problem): ErrorName | undefined =>
  names.find((name) => ERRORS[name].code === first?.code && ERRORS[name].title === title) ??
  names.find((name) => ERRORS[name].code === first?.code);

/** What the other service refused, as our own refusal with the same title, status and errors; its failure becomes 503. */
const refusalOf = (status: number, problem: Problem | undefined): ApiError => {
  const code = problem?.errors?.[0]?.code;
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

/** Calls to one other service of the suite, with a token signed for each call. A refusal (4xx) is thrown as the same ApiError, a failure as 503. */
export const createInternalClient = ({
  baseUrl,
  secret,
  service,
  timeoutMs = 10_000,
  log,
}: InternalClientOptions): InternalClient => {
  const http = axios.create({
    baseURL: baseUrl,
    adapter: 'http',
    proxy: false,
    maxRedirects: 0,
    timeout: timeoutMs,
    httpAgent: new Agent({ keepAlive: true, maxSockets: 64 }),
    maxBodyLength: Number.POSITIVE_INFINITY,
    maxContentLength: Number.POSITIVE_INFINITY,
    validateStatus: () => true,
  });

  const call = async (
    method: Method,
    path: string,
    claims: CallClaims,
    more: {
      data?: unknown;
      headers?: Record<string, string>;
      responseType?: 'json' | 'stream';
      signal?: AbortSignal;
    } = {},
  ): Promise<AxiosResponse> => {
    const headers = {
      authorization: `Bearer ${signToken(secret, { ...claims, service })}`,
      'x-request-id': claims.requestId,
      ...more.headers,
    };
    const response = await http
      .request({ method, url: path, ...more, headers, responseType: more.responseType ?? 'json' })
      .catch((error: { code?: string }) => {
        log.warn({ msg: 'internal-call.failed', method, requestId: claims.requestId, code: error.code });
        throw unavailable();
      });
    if (response.status < 400) return response;
    const problem =
      more.responseType === 'stream' ? await asProblem(response.data as Readable) : (response.data as Problem);
    throw refusalOf(response.status, problem);
  };

  const asProblem = async (body: Readable): Promise<Problem | undefined> => {
    try {
      return JSON.parse((await buffer(body)).toString('utf8')) as Problem;
    } catch {
      return undefined;
    }
  };

  const stream = async (path: string, claims: CallClaims) => {
    const response = await call('GET', path, claims, { responseType: 'stream' });
    return { stream: response.data as Readable, headers: response.headers as IncomingHttpHeaders };
  };

  return {
    getJson: async <T>(path: string, claims: CallClaims) => (await call('GET', path, claims)).data as T,
    postJson: async <T>(path: string, claims: CallClaims, body: unknown) =>
      (await call('POST', path, claims, { data: body, headers: { 'content-type': 'application/json' } })).data as T,
    putJson: async <T>(path: string, claims: CallClaims, body: unknown) =>
      (await call('PUT', path, claims, { data: JSON.stringify(body), headers: { 'content-type': 'application/json' } }))
        .data as T,
    delete: async (path, claims) => {
      await call('DELETE', path, claims);
    },
    putBytes: async (path, claims, bytes, contentType) => {
      await call('PUT', path, claims, { data: bytes, headers: { 'content-type': contentType } });
    },
    getStream: stream,
    getBytes: async (path, claims) => {
      const { stream: body, headers } = await stream(path, claims);
      return { bytes: await buffer(body), headers };
    },
    postStream: async <T>(path: string, claims: CallClaims, body: Readable, headers: Record<string, string>) =>
      (await call('POST', path, claims, { data: body, headers })).data as T,
  };
};

/** Asks the gateway for a transport key; for `createKeyring`. */
export const transportKeyFetcher = (gateway: InternalClient): ((kid: string) => Promise<Buffer>) => {
  const claims = { tenantId: 'suite', identityId: 'suite', requestId: 'transport-key' };
  return async (kid) => {
    const { key } = await gateway.getJson<{ key: string }>(
      `/internal/v1/transport-keys/${encodeURIComponent(kid)}`,
      claims,
    );
    return Buffer.from(key, 'base64');
  };
};
