import { present } from '@assay/contracts';
import axios, { type AxiosRequestConfig, type AxiosResponse } from 'axios';
import { refuseOtherAnswers } from './answer.ts';
import { formOf } from './form.ts';
import type { Operations } from './operations.d.ts';
import routes from './operations.json' with { type: 'json' };
import { AssayUnreachable, refusalOf } from './refusal.ts';
import { isPassing, pause, pauseMs } from './retry.ts';

export interface AssayClientOptions {
  baseUrl: string;
  /** The fixed first path segment; `svc` by default. */
  apiPrefix?: string;
  /** An API key, or the token of a user-agent session. */
  apiKey?: string;
  sessionToken?: string;
  /** Names the device to a user-agent session; made by chance where it is absent. */
  deviceId?: string;
  /** Longest attempt in milliseconds; 30 seconds by default. */
  timeoutMs?: number;
  /** Further attempts after one that failed for a passing reason; 3 by default. */
  retries?: number;
}

/** What one call may have beside what it sends. */
export interface CallOptions {
  signal?: AbortSignal;
  timeoutMs?: number;
  retries?: number;
  /** Of a POST; made for the caller where it is absent, so that a repeat has no further effect. */
  idempotencyKey?: string;
  onUploadProgress?: (progress: { sent: number; total?: number }) => void;
}

export type OperationId = keyof Operations;
/** What a call sends. */
export type Input<Id extends OperationId> = Pick<Operations[Id], 'body'> & {
  query?: Operations[Id]['query'];
} & (Record<string, never> extends Operations[Id]['path']
    ? { path?: Operations[Id]['path'] }
    : { path: Operations[Id]['path'] });
export type ReplyOf<Id extends OperationId> = Operations[Id]['reply'];

type Route = [method: string, path: string, body: 'none' | 'json' | 'form', reply: 'json' | 'bytes'];
const ROUTES = routes as unknown as Record<OperationId, Route>;

interface Sent {
  path?: Record<string, string | undefined>;
  query?: Record<string, string | undefined>;
  body?: unknown;
}

/** An id that would name another path: of an identity instead of its evidence, say. */
const leadsElsewhere = (value: string): boolean => ['', '.', '..'].includes(value);

/** @throws TypeError, where a value of the path is missing or would lead elsewhere */
const filled = (path: string, prefix: string, given: Sent['path'] = {}): string =>
  path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const value = name === 'prefix' ? prefix : (given[name] ?? '');
    if (leadsElsewhere(value)) throw new TypeError(`${name} must be an id, not "${value}"`);
    return encodeURIComponent(value);
  });

const bytesOf = (data: ArrayBuffer | Uint8Array): Uint8Array =>
  data instanceof Uint8Array ? data : new Uint8Array(data);

const newId = (): string => globalThis.crypto.randomUUID();

/** One attempt. @throws AssayRefusal, AssayUnreachable, or the reason of an abort */
const attempt = async (config: AxiosRequestConfig, requestId: string): Promise<AxiosResponse> => {
  const answer = await axios.request({ ...config, validateStatus: () => true }).catch((error: { code?: string }) => {
    if (config.signal?.aborted) throw (config.signal as AbortSignal).reason;
    throw new AssayUnreachable(error.code ?? 'error', requestId);
  });
  if (answer.status >= 400) throw refusalOf(answer);
  return answer;
};

const credentials = ({ apiKey, sessionToken, deviceId }: AssayClientOptions): Record<string, string> =>
  sessionToken === undefined
    ? { apikey: apiKey ?? '' }
    : { authorization: `Bearer ${sessionToken}`, 'x-device-id': deviceId ?? newId() };

/**
 * The address without a slash at its end.
 * @throws TypeError where it is none: nobody would answer there, however often it is tried
 */
const addressIn = (baseUrl: string): string => {
  const isAddress = URL.canParse(baseUrl) && /^https?:$/.test(new URL(baseUrl).protocol);
  if (!isAddress) throw new TypeError(`baseUrl must be an address such as https://assay.example, not "${baseUrl}"`);
  return baseUrl.replace(/\/$/, '');
};

export type Connection = ReturnType<typeof connect>;

/**
 * The calls of one key or session: every operation of the OpenAPI document, each attempt within its
 * time, repeated where that is safe.
 * @throws TypeError where `baseUrl` is no address
 */
export const connect = (options: AssayClientOptions) => {
  const { apiPrefix = 'svc' } = options;
  const base = addressIn(options.baseUrl);
  const own = credentials(options);

  const send = async (id: OperationId, { path, query, body }: Sent, more: CallOptions): Promise<AxiosResponse> => {
    const [method, template, kind, reply] = ROUTES[id];
    const requestId = newId();
    const config: AxiosRequestConfig = {
      method,
      url: `${base}${filled(template, apiPrefix, path)}`,
      headers: {
        ...own,
        'x-request-id': requestId,
        ...(method === 'POST' ? { 'idempotency-key': more.idempotencyKey ?? newId() } : {}),
      },
      ...present({ params: query }),
      ...(body === undefined ? {} : { data: kind === 'form' ? formOf(body as object) : body }),
      timeout: more.timeoutMs ?? options.timeoutMs ?? 30_000,
      proxy: false,
      maxRedirects: 0,
      ...(reply === 'bytes' ? { responseType: 'arraybuffer' as const } : {}),
      ...present({ signal: more.signal }),
      ...(more.onUploadProgress
        ? {
            onUploadProgress: ({ loaded, total }) => more.onUploadProgress?.({ sent: loaded, ...present({ total }) }),
          }
        : {}),
    };
    const retries = more.retries ?? options.retries ?? 3;
    for (let number = 1; ; number += 1) {
      const outcome = await attempt(config, requestId).then(
        (answer) => ({ answer }),
        (error: unknown) => ({ error }),
      );
      if ('answer' in outcome) {
        refuseOtherAnswers(id, outcome.answer.data, base, requestId);
        return outcome.answer;
      }
      if (number > retries || !isPassing(outcome.error, method)) throw outcome.error;
      await pause(pauseMs(outcome.error, number, Math.random), more.signal);
    }
  };

  return {
    /** Any call of the API by its operationId, typed from the OpenAPI document. */
    call: async <Id extends OperationId>(id: Id, input: Input<Id>, more: CallOptions = {}): Promise<ReplyOf<Id>> => {
      const { data } = await send(id, input as Sent, more);
      return (ROUTES[id][3] === 'bytes' ? bytesOf(data as ArrayBuffer) : data) as ReplyOf<Id>;
    },

    /** The same with the headers of the answer. */
    answer: async <Id extends OperationId>(id: Id, input: Input<Id>, more: CallOptions = {}) => {
      const { data, headers, status } = await send(id, input as Sent, more);
      return { status, headers: headers as Record<string, string>, data: data as unknown };
    },
  };
};
