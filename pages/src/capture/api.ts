/** The calls of the page, with the token of a link or, in a try-out, with a key. */
import { heedDate, serviceNow } from '../design/clock.ts';
import { type Credential, deviceId, type Session } from './session.ts';

export interface Problem {
  code: string;
  message?: string;
}

/** A refusal, or no answer at all: status 0. */
export class Refused extends Error {
  readonly status: number;
  readonly errors: Problem[];
  /** When, by the clock of the service. */
  readonly at = serviceNow();
  constructor(status: number, errors: Problem[] = []) {
    super(errors[0]?.message ?? `The service answered ${status}.`);
    this.status = status;
    this.errors = errors;
  }
}

/** Nothing is accepted until the relying service resumes the check. */
export class Paused extends Refused {
  constructor() {
    super(409);
  }
}

export interface Submitted {
  id: string;
  type: string;
  status: string;
  errors?: Problem[];
}

/** A live capture that takes frames. */
interface Live extends Submitted {
  sessionId: string;
}

interface Upload {
  path: string;
  form: FormData;
  /** One for each submission: whatever is sent twice counts once. */
  idempotencyKey: string;
  onProgress: (share: number) => void;
}

interface Statuses {
  globalStatus?: { status: string };
  singleStatuses: Submitted[];
}

/** How far a handover to another device has come. */
export type Handover = 'NONE' | 'WAITING' | 'TAKEN' | 'DONE';

const HANDOVER = '/user-agent-sessions/handover';
/** Tried again while it does not arrive: a device that handed over waits for it. */
const DONE = '/user-agent-sessions/current/done';
const ATTEMPTS = 4;
const FIRST_WAIT_MS = 500;

const headersOf = (credential: Credential): Record<string, string> =>
  'token' in credential
    ? { authorization: `Bearer ${credential.token}`, 'x-device-id': deviceId() }
    : { apikey: credential.key };

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

const problemsOf = (body: unknown): Problem[] => (body as { errors?: Problem[] } | undefined)?.errors ?? [];

/**
 * No answer, a service in trouble or asked too often, or the first sending still at work: to be
 * sent again as it was.
 */
export const isPassing = ({ status, errors }: Refused): boolean =>
  status === 0 || status === 429 || status >= 500 || errors.some(({ code }) => code === '4091');

/** A line on which nothing moves for so long is given up. */
const STALLED_MS = 60_000;

/** `AbortSignal.timeout`, which phones of 2022 do not have. */
const abortedAfter = (milliseconds: number): AbortSignal => {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), milliseconds);
  return controller.signal;
};

/** Aborts an upload on whose line nothing moves any more: no browser does by itself. */
const abortStalled = (request: XMLHttpRequest): void => {
  let timer: ReturnType<typeof setTimeout>;
  const moved = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => request.abort(), STALLED_MS);
  };
  request.upload.addEventListener('progress', moved);
  request.upload.addEventListener('load', moved);
  request.addEventListener('loadend', () => clearTimeout(timer));
  moved();
};

/** Sends, and again as it was while the trouble may pass. */
const patiently = <T>(send: () => Promise<T>, attempt = 1): Promise<T> =>
  send().catch(async (error: Refused) => {
    if (attempt >= ATTEMPTS || !isPassing(error)) throw error;
    await pause(FIRST_WAIT_MS * 2 ** (attempt - 1));
    return patiently(send, attempt + 1);
  });

/** Sends forms, and tells how far they are. */
const sender = (base: string, credential: Credential) => {
  const send = ({ path, form, idempotencyKey, onProgress }: Upload): Promise<Submitted> =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open('POST', base + path);
      request.responseType = 'json';
      for (const [name, value] of Object.entries(headersOf(credential))) request.setRequestHeader(name, value);
      request.setRequestHeader('idempotency-key', idempotencyKey);
      request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
      request.onerror = () => reject(new Refused(0));
      request.onabort = () => reject(new Refused(0));
      request.onload = () => {
        heedDate(request.getResponseHeader('date'));
        if (request.status < 300) resolve(request.response as Submitted);
        else reject(new Refused(request.status, problemsOf(request.response)));
      };
      abortStalled(request);
      request.send(form);
    });

  return (parts: Upload): Promise<Submitted> => patiently(() => send(parts));
};

/** No body is no JSON; a body that breaks off is no answer. */
const bodyOf = (response: Response): Promise<unknown> =>
  response.json().catch((error: unknown) => {
    if (!(error instanceof SyntaxError)) throw new Refused(0);
  });

export type Api = ReturnType<typeof createApi>;

export const createApi = (prefix: string, credential: Credential) => {
  const base = `/${prefix}/v1`;

  const call = async <T>(path: string, init: RequestInit = {}): Promise<T> => {
    const response = await fetch(base + path, {
      signal: abortedAfter(STALLED_MS),
      ...init,
      headers: {
        ...headersOf(credential),
        ...(init.body ? { 'content-type': 'application/json' } : {}),
        ...(init.headers as Record<string, string>),
      },
    }).catch(() => {
      throw new Refused(0);
    });
    heedDate(response.headers.get('date'));
    const body = await bodyOf(response);
    if (!response.ok) throw new Refused(response.status, problemsOf(body));
    return body as T;
  };
  const act = <T>(path: string): Promise<T> => call<T>(path, { method: 'POST' });
  const postOnce = <T>(path: string, body: unknown, key: string): Promise<T> =>
    patiently(() => call<T>(path, { method: 'POST', body: JSON.stringify(body), headers: { 'idempotency-key': key } }));

  return {
    session: () => call<Session>('/user-agent-sessions/current'),
    /** An address for another device, which takes the session over. */
    handOver: (identityId: string) => act<{ url: string }>(`/identities/${identityId}/user-agent-sessions/handover`),
    handover: () => call<{ handover: Handover }>(HANDOVER),
    /** This device goes on; what the other one has is worth nothing any more. */
    takeBack: () => patiently(() => call<{ handover: Handover }>(HANDOVER, { method: 'DELETE' })),
    done: () => ('token' in credential ? patiently(() => act<void>(DONE)) : Promise.resolve()),
    /**
     * Begins to read a chip; asked again with the same key, the reader app gets the same answer.
     */
    startChip: (identityId: string, evidenceId: string | undefined, key: string) =>
      postOnce<Submitted>(`/identities/${identityId}/id-documents/nfc-session`, evidenceId ? { evidenceId } : {}, key),
    /** Begins a live capture, to which frames are sent. */
    startLive: (path: string, body: unknown, key: string) => postOnce<Live>(path, body, key),
    endLive: (sessionId: string, key: string) =>
      postOnce<Submitted>(`/live-capture-sessions/${sessionId}/end`, undefined, key),
    create: () => call<{ id: string }>('/identities', { method: 'POST' }),
    consent: (identityId: string, types: readonly string[], key: string) =>
      postOnce(
        `/identities/${identityId}/consents`,
        types.map((type) => ({ type, approved: true })),
        key,
      ),
    status: (identityId: string, evidenceId: string) =>
      call<Submitted>(`/identities/${identityId}/status/${evidenceId}`),
    statuses: (identityId: string) => call<Statuses>(`/identities/${identityId}/status`),
    startCode: (identityId: string, channel: string, contact: { value: string; language: string }, key: string) =>
      postOnce(`/identities/${identityId}/contacts/${channel}`, contact, key),
    giveCode: (identityId: string, channel: string, otp: string, key: string) =>
      postOnce<Submitted>(`/identities/${identityId}/contacts/${channel}/otp`, { otp }, key),
    upload: sender(base, credential),
  };
};

/** Whether a check is paused: its refusals are those of one that has ended. */
export const isPaused = ({ globalStatus }: Statuses): boolean => globalStatus?.status === 'PAUSED';

/** What a refusal comes of, where it does not say so itself. */
export const behind = async (api: Api, identityId: string, error: Refused): Promise<Refused> => {
  if (error.status !== 409) return error;
  const found = await api.statuses(identityId).catch(() => undefined);
  return found && isPaused(found) ? new Paused() : error;
};

const POLL_MS = 800;

/** Asks until an evidence is no longer processed; a lost connection is waited out. */
export const whenProcessed = async (
  api: Api,
  identityId: string,
  evidenceId: string,
  isOver: () => boolean,
): Promise<Submitted | undefined> => {
  if (isOver()) return undefined;
  const found = await api.status(identityId, evidenceId).catch((error: Refused) => {
    if (isPassing(error)) return undefined;
    throw error;
  });
  if (found && found.status !== 'PROCESSING') return found;
  await pause(POLL_MS);
  return whenProcessed(api, identityId, evidenceId, isOver);
};
