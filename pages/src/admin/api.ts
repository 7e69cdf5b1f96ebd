/**
 * The administration API as the page calls it. The key stays in this tab: it is forgotten when the
 * tab closes, and never part of an address.
 */

import { causeHeaders, KEY_IDLE_SECONDS } from '../design/activity.ts';
import { heedDate } from '../design/clock.ts';
import { canBeKey } from '../design/keys.ts';
import { createRepeats } from '../design/repeats.ts';
import { tabStore } from '../design/storage.ts';

const KEY = 'assay.administrator-key';
const OWN = 'assay.administrator';
const storedKey = (): string => tabStore.getItem(KEY) ?? '';

/** Who administers, and what. */
export interface Own {
  role: string;
  /** The one tenant of a tenant's own administrator. */
  tenantId?: string;
  name?: string;
  session?: { expireAt: string; idleSeconds: number };
}
export const own = (): Own | undefined => {
  const stored = tabStore.getItem(OWN);
  return stored === null ? undefined : (JSON.parse(stored) as Own);
};
export const idleSeconds = (): number => own()?.session?.idleSeconds ?? KEY_IDLE_SECONDS;

/** What the service says of one member of a request. */
export interface Fault {
  field?: string;
  message?: string;
}

export class Refused extends Error {
  readonly status: number;
  readonly faults: readonly Fault[];
  constructor(status: number, message: string, faults: readonly Fault[] = []) {
    super(message);
    this.status = status;
    this.faults = faults;
  }
}

const UNKNOWN_KEY = 'This key is not known, or no longer; or you were signed out.';
const REFUSALS: Record<number, string> = {
  401: UNKNOWN_KEY,
  404: 'This is no longer there.',
  410: 'The identity was closed: what was stored of the person is gone.',
  429: 'Too many requests with this key; wait a moment.',
};
const ADMIN = '/admin/v1';
const ME = `${ADMIN}/me`;
const NOT_ADMINISTRATOR = 'This is not the key of an administrator.';
const unreachable = (): never => {
  throw new Refused(0, 'The service does not answer.');
};
const inWords = ({ field, message }: Fault): string => [field, message].filter(Boolean).join(': ');

const call = async (path: string, init: RequestInit = {}, key = storedKey()): Promise<Response> => {
  const json = typeof init.body === 'string' ? { 'content-type': 'application/json' } : {};
  const response = await fetch(path, {
    ...init,
    headers: { ...init.headers, ...(key ? { apikey: key } : {}), ...causeHeaders(), ...json },
  }).catch(unreachable);
  heedDate(response.headers.get('date'));
  if (response.ok) return response;
  const problem = (await response.json().catch(() => ({}))) as { errors?: Fault[]; title?: string };
  const faults = problem.errors ?? [];
  const reasons = faults.map(inWords).filter(Boolean).join('. ');
  const known = path === ME && response.status === 403 ? NOT_ADMINISTRATOR : REFUSALS[response.status];
  const message = known ?? (reasons || problem.title || `The service answered ${response.status}.`);
  throw new Refused(response.status, message, faults);
};

const parsed = async <T>(response: Response): Promise<T> => {
  const text = await response.text();
  return (text === '' ? {} : JSON.parse(text)) as T;
};

const send = async <T>(method: string, path: string, body?: unknown, headers = {}): Promise<T> =>
  parsed(
    await call(`${ADMIN}${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }),
  );

export const get = <T>(path: string): Promise<T> => send('GET', path);

const repeats = createRepeats();
/** Whether an error says that the request was not carried out, and will not be. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Refused && error.status >= 400 && error.status < 500 && error.status !== 409;

/** Sent again before it is answered, the same request does no more than once. */
export const post = async <T>(path: string, body?: unknown): Promise<T> => {
  const request = `${path} ${JSON.stringify(body)}`;
  const headers = { 'idempotency-key': repeats.keyOf(request) };
  const reply = await send<T>('POST', path, body, headers).catch((error: unknown) => {
    if (isRefusal(error)) repeats.answered(request);
    throw error;
  });
  repeats.answered(request);
  return reply;
};
export const patch = <T>(path: string, body: unknown): Promise<T> => send('PATCH', path, body);
export const remove = <T>(path: string): Promise<T> => send('DELETE', path);

/** What the service publishes for everybody. */
export const published = async <T>(path: string): Promise<T> => parsed(await call(path, {}, ''));

/** A file an administrator chose, and where it is from. */
export const upload = async <T>(path: string, file: File, source: string): Promise<T> => {
  const body = new FormData();
  body.set('file', file);
  body.set('source', source);
  return parsed(await call(`${ADMIN}${path}`, { method: 'POST', body }));
};

/** Saves what a path answers as a file. */
export const download = async (path: string, name: string): Promise<void> => {
  const url = URL.createObjectURL(await (await call(`${ADMIN}${path}`)).blob());
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  URL.revokeObjectURL(url);
};

export interface Page<T> {
  items: T[];
  cursor?: string;
}

/** Every item of a list that comes in pages. */
export const all = async <T>(path: string, cursor?: string): Promise<T[]> => {
  const { items, cursor: next } = await get<Page<T>>(withQuery(path, { limit: '200', cursor }));
  return next ? [...items, ...(await all<T>(path, next))] : items;
};

/** A path with a query of what is set. */
export const withQuery = (path: string, query: Record<string, string | undefined>): string => {
  const given = Object.entries(query).filter((entry): entry is [string, string] => !!entry[1]);
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
};

/** Keeps the key for this tab once the service knows it as an administrator's. */
export const signIn = async (key: string): Promise<void> => {
  if (!canBeKey(key)) throw new Refused(401, UNKNOWN_KEY);
  const found = await parsed<Own>(await call(ME, {}, key));
  if (key) tabStore.setItem(KEY, key);
  tabStore.setItem(OWN, JSON.stringify(found));
};

/** Goes on with the session of somebody who signed in, where this browser has one. */
export const resume = (): Promise<void> => signIn('');

/** Whose session this tab uses; undefined where it has a key, or nobody is signed in. */
export const sharedBy = (): string | undefined => {
  const { role, tenantId, name, session } = own() ?? {};
  return session && JSON.stringify([role, tenantId, name]);
};

/** Ends the session, where there is one. */
export const endSession = (): void => {
  if (sharedBy()) void call(`${ADMIN}/session`, { method: 'DELETE' }).catch(() => undefined);
};

/** Forgets the key, and who is signed in. */
export const forget = (): void => {
  tabStore.removeItem(KEY);
  tabStore.removeItem(OWN);
};
