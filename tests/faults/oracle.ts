import { setTimeout as pause } from 'node:timers/promises';
import { readKeys, verifyProof } from '@assay/client';
import type { Api, ReceivedWebhook } from '@assay/testing';
import { type Accepted, imageOf, type Ledger } from './load.ts';
import type { Traces } from './traces.ts';

export interface Findings {
  /** The promises that were broken, in words; empty after a good run. */
  broken: string[];
  figures: Record<string, number>;
}

export interface Suspect {
  api: Api;
  admin: Api;
  ledger: Ledger;
  received: readonly ReceivedWebhook[];
  traces: Traces;
  /** When nothing has changed for this long, what is still missing counts as lost. */
  patienceMs: number;
  /** How many proofs are retrieved and verified. */
  proofs: number;
  say(line: string): void;
}

const STABLE = ['VERIFIED', 'NOT_VERIFIED', 'INVALID'];
const EXPECTED: Readonly<Record<Accepted['kind'], readonly string[]>> = {
  licence: ['INVALID', 'VERIFIED', 'NOT_VERIFIED'],
  address: ['VERIFIED', 'NOT_VERIFIED'],
  passport: ['VERIFIED'],
  selfie: ['VERIFIED'],
};
const GIVEN_UP = '5001';
const at = (identityId: string): string => `/svc/v1/identities/${identityId}`;

const inGroups = async <T, R>(items: readonly T[], work: (item: T) => Promise<R>, size = 8): Promise<R[]> => {
  const results: R[] = [];
  for (let next = 0; next < items.length; next += size)
    results.push(...(await Promise.all(items.slice(next, next + size).map(work))));
  return results;
};

const creationsOf = (received: readonly ReceivedWebhook[]): Map<string, Set<string>> => {
  const ids = new Map<string, Set<string>>();
  for (const { body, headers } of received) {
    if (body.evidence?.evidenceOperation !== 'CREATED') continue;
    const known = ids.get(body.evidence.evidenceId) ?? new Set();
    ids.set(body.evidence.evidenceId, known.add(String(headers['webhook-id'])));
  }
  return ids;
};

const notDeleted = ({ ledger }: Suspect): Accepted[] =>
  ledger.accepted.filter(({ identityId }) => !ledger.deleted.has(identityId));

const listDeadLetters = async ({ admin }: Suspect): Promise<string[]> => {
  const { body } = await admin.get('/admin/v1/dead-letters');
  return body.items.map((item: object) => JSON.stringify(item));
};

/**
 * Waits until everything accepted is stable and announced, no event or message is on its way, and
 * what was deleted is absent; or until nothing changes any more.
 */
const converge = async (suspect: Suspect) => {
  const { api, ledger, received, traces, patienceMs, say } = suspect;
  const statuses = new Map<string, { status: string; errors?: { code: string }[] }>();
  let movedAt = performance.now();
  let before = '';
  for (;;) {
    const creations = creationsOf(received);
    const unstable = notDeleted(suspect).filter(({ evidenceId }) => !statuses.has(evidenceId));
    await inGroups(unstable, async ({ identityId, evidenceId }) => {
      const { body } = await api.get(`${at(identityId)}/status/${evidenceId}`);
      if (STABLE.includes(body?.status)) statuses.set(evidenceId, body);
    });
    const unannounced = notDeleted(suspect).filter(({ evidenceId }) => !creations.has(evidenceId));
    const unpublished = await traces.unpublished();
    const left = await traces.leftOf([...ledger.deleted]);
    const missing = [unstable.length, unannounced.length, unpublished, left.join(', ')].join(' ');
    if (missing === '0 0 0 ') return { statuses, creations, unpublished, left };
    if (missing !== before) {
      movedAt = performance.now();
      say(
        `waiting: not stable ${unstable.length}, not announced ${unannounced.length}, not published ${unpublished}, ${left}`,
      );
    }
    before = missing;
    if (performance.now() - movedAt > patienceMs) return { statuses, creations, unpublished, left };
    await pause(1000);
  }
};

/** Evidences that an identity shows and the client's log does not have, and the other way round. */
const comparedWith =
  (ledger: Ledger) =>
  async (api: Api, identityId: string): Promise<string[]> => {
    const { body, status } = await api.get(at(identityId));
    if (status !== 200) return [`identity ${identityId}: ${status}`];
    const shown = [...body.idDocuments, ...body.addresses, ...(body.portrait ? [body.portrait] : [])].map(
      ({ evidenceId }: { evidenceId: string }) => evidenceId,
    );
    const known = new Set(ledger.accepted.map(({ evidenceId }) => evidenceId));
    const mine = ledger.accepted.filter((one) => one.identityId === identityId);
    return [
      ...shown.filter((id) => !known.has(id)).map((id) => `doubled: ${id} of ${identityId} was never answered`),
      ...mine.filter(({ evidenceId }) => !shown.includes(evidenceId)).map(({ evidenceId }) => `lost: ${evidenceId}`),
    ];
  };

/** Downloads; status 0 means that the connection broke before the answer was complete. */
const download = async (api: Api, path: string): Promise<{ status: number; bytes: Buffer }> =>
  api.get(path).catch((error: Error) => ({ status: 0, bytes: Buffer.from(`${error.message}: ${error.cause}`) }));

const hasItsBytes = async (api: Api, { identityId, evidenceId, kind }: Accepted): Promise<string | undefined> => {
  const image = imageOf(kind);
  if (!image) return undefined;
  const path = kind === 'selfie' ? 'attributes/portrait/capture' : `id-documents/${evidenceId}/capture`;
  const { bytes, status } = await download(api, `${at(identityId)}/${path}`);
  return bytes.includes(image) ? undefined : `bytes lost: ${kind} ${evidenceId} answers ${status}`;
};

const proofsOf = async ({ api, ledger, proofs }: Suspect): Promise<string[]> => {
  const keys = readKeys(JSON.stringify((await api.get('/.well-known/jwks.json')).body));
  const open = [...ledger.identities].filter((id) => !ledger.deleted.has(id));
  // From all parts of the run, so that each fault has met some of them.
  const nth = Math.max(1, Math.floor(open.length / proofs));
  const chosen = open.filter((_, at) => at % nth === 0).slice(0, proofs);
  const found = await inGroups(
    chosen,
    async (identityId) => {
      const { status, bytes } = await download(api, `${at(identityId)}/proof`);
      if (status !== 200) return `proof of ${identityId}: ${status} ${bytes.toString().slice(0, 200)}`;
      const { ok, reasons } = await verifyProof(bytes, keys);
      return ok ? undefined : `proof of ${identityId}: ${JSON.stringify(reasons).slice(0, 300)}`;
    },
    4,
  );
  return found.filter((one) => one !== undefined);
};

const bodiesThatDiffer = (received: readonly ReceivedWebhook[]): string[] => {
  const first = new Map<string, string>();
  return received.flatMap(({ headers, raw }) => {
    const id = String(headers['webhook-id']);
    const text = first.get(id) ?? raw.toString();
    first.set(id, text);
    return text === raw.toString() ? [] : [`webhook ${id} was repeated with another body`];
  });
};

/** After the faults: compares what the suite shows and has sent with the client's own log. */
export const inspect = async (suspect: Suspect): Promise<Findings> => {
  const { api, ledger, received, traces } = suspect;
  const { statuses, creations, unpublished, left } = await converge(suspect);
  const mine = notDeleted(suspect);
  const [unannounced, several] = [0, 1].map((most) =>
    mine.filter(({ evidenceId }) => {
      const size = creations.get(evidenceId)?.size ?? 0;
      return most === 0 ? size === 0 : size > most;
    }),
  );
  const dead = await listDeadLetters(suspect);
  const identities = [...ledger.identities].filter((id) => !ledger.deleted.has(id));
  const compared = (await inGroups(identities, (id) => comparedWith(ledger)(api, id))).flat();
  const bytes = await inGroups(mine, (one) => hasItsBytes(api, one));
  const crashed = traces.logged('service.crashed');
  const givenUp = mine.filter(({ evidenceId }) =>
    statuses.get(evidenceId)?.errors?.some(({ code }) => code === GIVEN_UP),
  );
  const otherwise = mine.filter(({ evidenceId, kind }) => {
    const { status } = statuses.get(evidenceId) ?? {};
    return status !== undefined && !EXPECTED[kind].includes(status);
  });
  const proofs = await proofsOf(suspect);
  return {
    broken: [
      ...ledger.forbidden.map((text) => `answered ${text}`),
      ...mine.filter(({ evidenceId }) => !statuses.has(evidenceId)).map((one) => `not stable: ${JSON.stringify(one)}`),
      ...unannounced!.map((one) => `not announced: ${JSON.stringify(one)}`),
      ...several!.map((one) => `announced under several ids: ${JSON.stringify(one)}`),
      ...otherwise.map((one) => `ended ${statuses.get(one.evidenceId)?.status}: ${JSON.stringify(one)}`),
      ...bodiesThatDiffer(received),
      ...compared,
      ...bytes.filter((text) => text !== undefined),
      ...dead.map((text) => `dead letters: ${text}`),
      ...(unpublished > 0 ? [`not published: ${unpublished} documents`] : []),
      ...left.map((text) => `left of deleted identities: ${text}`),
      ...[...crashed].map(([text, count]) => `${text}: ${count}`),
      ...proofs,
    ],
    figures: {
      'submissions sent': ledger.sent,
      'accepted (2xx)': ledger.accepted.length,
      'of identities deleted meanwhile': ledger.accepted.length - mine.length,
      stable: mine.filter(({ evidenceId }) => statuses.has(evidenceId)).length,
      'announced under one id': mine.length - unannounced!.length - several!.length,
      'webhooks received, repeats included': received.length,
      'ended with 5001': givenUp.length,
      'proofs verified offline': Math.min(suspect.proofs, identities.length) - proofs.length,
      'slowest call until 2xx, ms': Math.round(ledger.slowestMs),
    },
  };
};
