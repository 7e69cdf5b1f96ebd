import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { specimen } from '@assay/testing';
import { type Random, randomOf } from './random.ts';

type Kind = 'licence' | 'address' | 'passport' | 'selfie';

/** What one client does with one identity, one call after the other. */
export interface Journey {
  submissions: Kind[];
  /**
   * The client deletes the identity as soon as the last submission is accepted, whatever is in
   * process.
   */
  isDeleted: boolean;
}

/** A submission that was answered 2xx: the suite must not lose it. */
export interface Accepted {
  identityId: string;
  evidenceId: string;
  kind: Kind;
}

/** The client's own log, against which the suite is checked. */
export interface Ledger {
  /** Submissions sent so far, each counted once. */
  sent: number;
  identities: Set<string>;
  accepted: Accepted[];
  deleted: Set<string>;
  /** How often each status was answered; `broken` and `silent` count calls without an answer. */
  answers: Map<string, number>;
  /** Answers that the suite must not give. */
  forbidden: string[];
  /**
   * Calls without an answer within the client's patience: when they began and what they asked for.
   */
  silences: string[];
  /** Receives every answer as it arrives. */
  heard(answer: {
    at: string;
    method: string;
    path: string;
    key: string;
    attempt: number;
    answer: string;
    id?: string;
  }): void;
  /** Calls that are being repeated now. */
  open: number;
  slowestMs: number;
}

export const newLedger = (heard: Ledger['heard'] = () => undefined): Ledger => ({
  heard,
  sent: 0,
  identities: new Set(),
  accepted: [],
  deleted: new Set(),
  answers: new Map(),
  forbidden: [],
  silences: [],
  open: 0,
  slowestMs: 0,
});

/**
 * How many of a hundred journeys contain an image. An image costs a hundred times as much as text.
 */
export interface Mix {
  passports: number;
  selfies: number;
  deletions: number;
}

const journeyOf = (random: Random, mix: Mix): Journey => {
  const chance = (percent: number): boolean => random.next() * 100 < percent;
  const documents: Kind[] = ['licence', 'address', ...(chance(mix.passports) ? ['passport' as const] : [])];
  // After the document with which it is compared: before it, NOT_VERIFIED would be the right
  // result.
  const selfie: Kind[] = documents.length > 2 && chance(mix.selfies) ? ['selfie'] : [];
  return {
    submissions: [...random.shuffled(documents), ...selfie],
    isDeleted: chance(mix.deletions),
  };
};

/** The journeys of a run, the same for the same seed. */
export const journeysOf = (seed: number, submissions: number, mix: Mix): Journey[] => {
  const random = randomOf(seed ^ 0x5eed);
  const journeys: Journey[] = [];
  for (let left = submissions; left > 0; ) {
    const journey = journeyOf(random, mix);
    journeys.push({ ...journey, submissions: journey.submissions.slice(0, left) });
    left -= journey.submissions.length;
  }
  return journeys;
};

const licence = {
  idDocumentType: 'DRIVING_LICENSE',
  idDocumentNumber: 'T99999999',
  issuingCountry: 'USA',
  issuingState: 'VA',
  expiryDate: '2035-08-12',
  personalAttributes: {
    dateOfBirth: { value: '1974-08-12' },
    givenNames: [{ value: 'BARRY' }],
    surname: { value: 'SPECIMEN' },
    gender: { value: 'M' },
  },
};

/** The image that a submission sends; undefined for text. */
export const imageOf = (kind: Kind): Buffer | undefined =>
  ({ passport: () => specimen('passport.jpg'), selfie: () => specimen('selfie-same.jpg') })[kind as 'passport']?.();

interface Sending {
  path: string;
  part?: string;
  body?: unknown;
}
const SENDING: Readonly<Record<Kind, Sending>> = {
  licence: { path: '/id-documents', body: licence },
  address: { path: '/addresses', body: { city: 'UTOPIA', country: 'UTO' } },
  passport: { path: '/id-documents/capture', part: 'DocumentFront' },
  selfie: { path: '/attributes/portrait/capture', part: 'Portrait' },
};

const formOf = (part: string, image: Buffer): FormData => {
  const form = new FormData();
  form.append(part, new Blob([new Uint8Array(image)], { type: 'image/jpeg' }), `${part}.jpg`);
  return form;
};

const json = (body: unknown): RequestInit => ({
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
});

/** A client waits this long for an answer, then repeats the call. */
const SILENT_MS = 30_000;
const LONGEST_PAUSE_MS = 3000;

export interface Client {
  baseUrl: string;
  apikey: string;
  ledger: Ledger;
  signal: AbortSignal;
}

/** The body of a 2xx, or undefined when the call was refused. */
type Outcome = { body: { id: string } } | undefined;

/**
 * Repeats a call until it is answered 2xx, as a client does, under one Idempotency-Key so that it
 * has one effect. It repeats broken connections, 503, and 409 with Retry-After. Any other answer is
 * recorded and ends the call.
 */
const createPersistence = ({ baseUrl, apikey, ledger, signal }: Client) => {
  const count = (what: string): void => void ledger.answers.set(what, (ledger.answers.get(what) ?? 0) + 1);

  const once = async (method: string, path: string, key: string, init: RequestInit) => {
    const headers = { apikey, 'Idempotency-Key': key, ...(init.headers as Record<string, string> | undefined) };
    const limit = AbortSignal.any([signal, AbortSignal.timeout(SILENT_MS)]);
    const response = await fetch(new URL(path, baseUrl), { ...init, method, headers, signal: limit });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text };
  };

  return async (method: string, path: string, init: () => RequestInit = () => ({})): Promise<Outcome> => {
    const key = randomUUID();
    const startedAt = performance.now();
    ledger.open += 1;
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      const answer = await once(method, path, key, init()).catch((error: Error) => error.name);
      const what = typeof answer === 'string' ? (answer === 'TimeoutError' ? 'silent' : 'broken') : `${answer.status}`;
      count(what);
      const id = typeof answer !== 'string' && /"id":"([0-9a-f-]{36})"/.exec(answer.text)?.[1];
      const at = new Date().toISOString();
      ledger.heard({ at, method, path, key, attempt, answer: what, ...(id && { id }) });
      if (what === 'silent') {
        const began = new Date(Date.now() - SILENT_MS).toISOString().slice(11, 19);
        ledger.silences.push(`${began} ${method} ${path.replaceAll(/[0-9a-f-]{36}/g, ':id')}`);
      }
      ledger.slowestMs = Math.max(ledger.slowestMs, performance.now() - startedAt);
      if (typeof answer !== 'string') {
        const { status, headers, text } = answer;
        const isClosed = method === 'DELETE' && attempt > 0 && (status === 404 || status === 410);
        if ((status >= 200 && status < 300) || isClosed) {
          ledger.open -= 1;
          return { body: (text && !isClosed ? JSON.parse(text) : {}) as { id: string } };
        }
        if (!(status === 503 || status === 409) || !headers.has('retry-after')) {
          ledger.open -= 1;
          ledger.forbidden.push(
            `${method} ${path.replaceAll(/[0-9a-f-]{36}/g, ':id')}: ${status} ${text.slice(0, 300)}`,
          );
          return undefined;
        }
      }
      await pause(Math.min(LONGEST_PAUSE_MS, 100 * 1.5 ** attempt));
    }
    ledger.open -= 1;
    return undefined;
  };
};

/** Makes all calls of a journey, and records what was accepted. */
export const goOn = async (client: Client, { submissions, isDeleted }: Journey): Promise<void> => {
  const { ledger } = client;
  const call = createPersistence(client);
  const created = await call('POST', '/svc/v1/identities', () => json({}));
  if (!created) return;
  const identityId = created.body.id;
  const at = `/svc/v1/identities/${identityId}`;
  ledger.identities.add(identityId);
  const consents = ['PORTRAIT', 'GIV'].map((type) => ({ approved: true, type }));
  if (!(await call('POST', `${at}/consents`, () => json(consents)))) return;
  for (const kind of submissions) {
    const { path, part, body } = SENDING[kind];
    const image = imageOf(kind);
    ledger.sent += 1;
    const init = (): RequestInit => (part && image ? { body: formOf(part, image) } : json(body));
    const answer = await call('POST', at + path, init);
    if (answer) ledger.accepted.push({ identityId, evidenceId: answer.body.id, kind });
  }
  if (!isDeleted) return;
  ledger.deleted.add(identityId);
  await call('DELETE', at);
};
