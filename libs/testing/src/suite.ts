import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TenantSettings } from '@assay/contracts';
import { recordCall } from './examples.ts';
import { waitFor } from './wait.ts';

/** What `npm run up` writes about a running suite (stack.json). */
export interface StackFile {
  baseUrl: string;
  apiPrefix: string;
  tenantId: string;
  keys: { relyingService: string; userAgent: string; operator: string; admin: string };
  secondTenant: { tenantId: string; keys: { relyingService: string; userAgent: string } };
  amqpUrl: string;
  mongoUrl: string;
  names: { databases: string; queues: string };
  logDir: string;
  dataDir: string;
  simulators: { dvs: string; aamva: string; chip: string };
  mailcatcher: string;
  services: Record<string, { pid: number; adminUrl: string; internalUrl: string; publicUrl?: string }[]>;
  infrastructure: { mongodb: { pid: number }; rabbitmq: { pid: number } };
}

const stackFile = (): string => {
  const file = process.env.TEST_STACK_FILE;
  if (!file) throw new Error('TEST_STACK_FILE is not set: run tests with `npm test`');
  return file;
};

/** The suite under test, as its supervisor describes it now. */
export const readStack = (): StackFile => JSON.parse(readFileSync(stackFile(), 'utf8')) as StackFile;

/** A specimen that is committed in `specimens/`. */
export const specimen = (name: string): Buffer => readFileSync(join(import.meta.dirname, '../../../specimens', name));

/** A complete answer. `body` is its JSON, if it has any. */
export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a story looks into whatever was answered
  body: any;
  bytes: Buffer;
}

export interface Api {
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  put(path: string, body?: unknown): Promise<Answer>;
  patch(path: string, body: unknown): Promise<Answer>;
  delete(path: string, headers?: Record<string, string>): Promise<Answer>;
  upload(path: string, parts: Record<string, Buffer | string>, headers?: Record<string, string>): Promise<Answer>;
}

const formOf = (parts: Record<string, Buffer | string>): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(parts))
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, new Blob([new Uint8Array(value)], { type: 'image/jpeg' }), `${name}.jpg`);
  return form;
};

/** Plain HTTP with an API key. Paths are relative to the base address. */
export const apiWith = (baseUrl: string, apikey: string): Api => {
  const call = async (
    method: string,
    path: string,
    init: { body?: string | FormData; headers?: Record<string, string> } = {},
  ): Promise<Answer> => {
    const response = await fetch(new URL(path, baseUrl), { method, ...init, headers: { apikey, ...init.headers } });
    const bytes = Buffer.from(await response.arrayBuffer());
    const json = /json/.test(response.headers.get('content-type') ?? '');
    const body = json ? JSON.parse(bytes.toString('utf8')) : undefined;
    const request = typeof init.body === 'string' ? { request: JSON.parse(init.body) } : {};
    recordCall({ method, path: new URL(path, baseUrl).pathname, ...request, status: response.status, reply: body });
    return { status: response.status, headers: response.headers, bytes, body };
  };
  const json = (body: unknown) => ({ body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });
  return {
    get: (path, headers = {}) => call('GET', path, { headers }),
    delete: (path, headers = {}) => call('DELETE', path, { headers }),
    put: (path, body) => call('PUT', path, json(body)),
    patch: (path, body) => call('PATCH', path, json(body)),
    post: (path, body, headers = {}) => {
      const init = body === undefined ? { headers: {} } : json(body);
      return call('POST', path, { ...init, headers: { ...init.headers, ...headers } });
    },
    upload: (path, parts, headers = {}) => call('POST', path, { body: formOf(parts), headers }),
  };
};

export interface Tenant {
  tenantId: string;
  relyingService: Api;
  userAgent: Api;
  operator: Api;
  admin: Api;
  /** The keys themselves, for programs that need one. */
  keys: { relyingService: string; userAgent: string; operator: string };
}

/** Asks again while the suite is busy: a story beside this one may take all its places. */
const admitted = (ask: () => Promise<Answer>): Promise<Answer> =>
  waitFor(
    'the suite to admit a call',
    async () => {
      const answer = await ask();
      return answer.status !== 503 && answer;
    },
    20_000,
  );

/**
 * A new tenant, made through the administration API. By default it accepts specimens and does not
 * limit polling.
 */
export const newTenant = async (name: string, settings: TenantSettings = {}): Promise<Tenant> => {
  const { baseUrl, keys } = readStack();
  const admin = apiWith(baseUrl, keys.admin);
  const made = { acceptSpecimens: true, limits: { requestsPerMinute: 1_000_000 }, ...settings };
  const { body: tenant } = await admitted(() => admin.post('/admin/v1/tenants', { name, settings: made }));
  const key = async (role: string): Promise<string> =>
    (await admitted(() => admin.post(`/admin/v1/tenants/${tenant.tenantId}/keys`, { role }))).body.apiKey;
  const [relyingService, userAgent, operator] = await Promise.all([
    key('RELYING_SERVICE'),
    key('USER_AGENT'),
    key('OPERATOR'),
  ]);
  return {
    tenantId: tenant.tenantId,
    relyingService: apiWith(baseUrl, relyingService),
    userAgent: apiWith(baseUrl, userAgent),
    operator: apiWith(baseUrl, operator),
    admin,
    keys: { relyingService, userAgent, operator },
  };
};

const inShort = ({ status, body }: Answer): string => `${status} ${JSON.stringify(body)}`.slice(0, 500);

/** A new identity, with the calls of the typical flow. */
export const newIdentity = async (api: Api, creation?: unknown) => {
  const created = await admitted(() => api.post('/svc/v1/identities', creation ?? {}));
  const id: string = created.body.id;
  const at = `/svc/v1/identities/${id}`;
  let submitted = created;
  const submit = async (answering: Promise<Answer>): Promise<Answer> => {
    submitted = await answering;
    return submitted;
  };
  const asked = (evidenceId: string): Promise<Answer> => api.get(`${at}/status/${evidenceId}`);
  /** Waits for one of these statuses. Returns the reply that has it. */
  const statusIn = async (wanted: readonly string[], evidenceId: string, what: string, timeoutMs: number) => {
    if (evidenceId === undefined) throw new Error(`no evidence to wait for: ${inShort(submitted)}`);
    let last: Answer | undefined;
    const seen = (): string => `evidence ${evidenceId} to ${what}; the last answer: ${last && inShort(last)}`;
    return waitFor(
      seen,
      async () => {
        last = await asked(evidenceId);
        return wanted.includes(last.body?.status) && last.body;
      },
      timeoutMs,
    );
  };
  return {
    id,
    at,
    created,
    consent: (...types: string[]) =>
      api.post(
        `${at}/consents`,
        types.map((type) => ({ approved: true, type })),
      ),
    document: (front: Buffer, back?: Buffer, details?: object) =>
      submit(
        api.upload(`${at}/id-documents/capture`, {
          DocumentFront: front,
          ...(back ? { DocumentBack: back } : {}),
          ...(details ? { DocumentCaptureDetails: JSON.stringify(details) } : {}),
        }),
      ),
    portrait: (image: Buffer) => submit(api.upload(`${at}/attributes/portrait/capture`, { Portrait: image })),
    text: (body: unknown) => submit(api.post(`${at}/id-documents`, body)),
    healthCard: (body: unknown) => submit(api.post(`${at}/id-document/aus/medicare`, body)),
    status: async (evidenceId: string) => (await asked(evidenceId)).body,
    /**
     * Waits until the evidence is neither PROCESSING nor in ADJUDICATION. Returns its status reply.
     */
    stable: (evidenceId: string, timeoutMs = 30_000) =>
      statusIn(['VERIFIED', 'NOT_VERIFIED', 'INVALID'], evidenceId, 'be stable', timeoutMs),
    /** Waits until the evidence has the status. */
    becomes: (evidenceId: string, wanted: string, timeoutMs = 30_000) =>
      statusIn([wanted], evidenceId, `become ${wanted}`, timeoutMs),
    get: async () => (await api.get(at)).body,
    proof: () => api.get(`${at}/proof`),
  };
};
