import { createTombstones } from '@assay/mongo';
import { newId } from '@assay/runtime';
import type { Keyring } from '@assay/sealing';
import { quietLog } from '@assay/testing';
import { openBackends } from '@assay/testing/backends';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { unavailable } from '../domain/check-result.ts';
import type { Check } from '../store/check.ts';
import { type Checks, createChecks } from '../store/checks.ts';
import { createWithdrawals, type WithdrawalStore } from '../store/withdrawals.ts';
import type { AttemptResult } from './ask-source.ts';
import { createCompleteCheck } from './complete-check.ts';
import { createPermissions } from './permissions.ts';
import { createRecheck } from './recheck.ts';

/* On the real store. The test plays the source and the keyring, and sets the time. */

const HOUR_MS = 3600_000;
const startedAt = new Date('2026-01-02T03:00:00.000Z');
const after = (ms: number) => new Date(startedAt.getTime() + ms);
const inconclusive = unavailable(undefined);

let backends: Awaited<ReturnType<typeof openBackends>>;
let checks: Checks;
let withdrawals: WithdrawalStore;
let answer: AttemptResult;
let key: Buffer | undefined;
let at: Date;
const asked: string[] = [];
const published: string[] = [];
let round: () => Promise<'nothing' | undefined>;

beforeAll(async () => {
  backends = await openBackends('issuing-source-adapter');
  const mongodb = await backends.database('recheck');
  checks = createChecks(mongodb.connection);
  const keyring: Keyring = {
    keyOf: async () => key,
    hold: async () => undefined,
    made: () => undefined,
    forget: () => undefined,
  };
  const outbox = { publishNow: async (id: string) => void published.push(id) };
  const now = () => at;
  const tombstones = createTombstones(mongodb.connection);
  const complete = createCompleteCheck({ checks, outbox, now, log: quietLog });
  withdrawals = createWithdrawals(mongodb.connection, tombstones);
  round = createRecheck({
    checks,
    outbox,
    permissions: createPermissions({ checks, tombstones, withdrawals, complete, now }),
    keyring,
    askSource: async ({ _id }) => {
      asked.push(_id);
      return answer;
    },
    leaseMs: 60_000,
    now,
    log: quietLog,
  });
}, 60_000);
afterAll(() => backends?.close());

/** A check that ended without a result and is due for a recheck. */
const ended = async (more: Partial<Check> = {}): Promise<string> => {
  const _id = newId();
  await checks.model.create({
    ...{ _id, tenantId: 'tenant', identityId: 'identity', evidenceId: 'evidence' },
    ...{ type: 'PASSPORT', mode: 'TEXT', userCategory: 'COMMERCIAL', sealedDocument: 'sealed' },
    ...{ state: 'ENDED', startedAt, endedAt: startedAt, nextAttemptAt: startedAt, leaseUntil: new Date(0) },
    ...{ outcome: inconclusive, recheckAt: startedAt, services: [], inbox: [], attempts: 1 },
    ...more,
  } as Check);
  return _id;
};

beforeEach(async () => {
  await checks.model.deleteMany({});
  asked.length = 0;
  published.length = 0;
  key = Buffer.alloc(32);
  at = after(HOUR_MS);
  answer = { kind: 'NO_ANSWER', inconclusive };
});

test('an answer is announced as late, by the write that ends the rechecks', async () => {
  const id = await ended();
  answer = { kind: 'DONE', outcome: { result: 'VERIFIED', raised: [] }, source: 'DVS' };
  await round();
  const stored = await checks.find(id);
  expect(stored).toMatchObject({ outcome: { result: 'VERIFIED' }, source: 'DVS', endedAt: at });
  expect(stored).not.toHaveProperty('recheckAt');
  expect(stored?.outbox).toMatchObject([{ type: 'issuing-check.completed', data: { checkId: id, late: true } }]);
  expect(published).toEqual([id]);
  expect(await round()).toBe('nothing');
});

test.each<[string, Partial<Check>, AttemptResult, number]>([
  ['five minutes later where the tenant does not say', {}, { kind: 'NO_ANSWER', inconclusive }, 300_000],
  ['as often as the tenant wishes', { recheckAfterSeconds: 60 }, { kind: 'BUSY', inconclusive }, 60_000],
  ['when maintenance is over', {}, { kind: 'RESTING', until: after(5 * HOUR_MS), inconclusive }, 4 * HOUR_MS],
])('without an answer it is asked again %s, and nothing is announced', async (_when, more, none, pauseMs) => {
  const id = await ended(more);
  answer = none;
  await round();
  const stored = await checks.find(id);
  expect(stored?.recheckAt).toEqual(new Date(at.getTime() + pauseMs));
  expect(stored).toMatchObject({ outcome: inconclusive, endedAt: startedAt });
  expect([asked, published]).toEqual([[id], []]);
});

test('a check without an answer after 72 hours is not asked again', async () => {
  const id = await ended();
  at = after(72 * HOUR_MS + 1);
  await round();
  expect(await checks.find(id)).not.toHaveProperty('recheckAt');
  expect(await round()).toBe('nothing');
});

test('a check of an identity without a key is removed, and its source is not asked', async () => {
  const id = await ended();
  key = undefined;
  await round();
  expect([await checks.find(id), asked]).toEqual([undefined, []]);
});

test('a check that another process has leased, or that is not due, is left alone', async () => {
  await ended({ leaseUntil: after(2 * HOUR_MS) });
  await ended({ recheckAt: after(2 * HOUR_MS) });
  await round();
  expect(asked).toEqual([]);
});

const consents = [{ consentId: 'consent', approved: true, type: 'GIV' as const, validityPeriod: { to: '2026-01-02' } }];

test('a check whose consent has ended is not asked again, and stores nothing of the question', async () => {
  const id = await ended({ consents, sealedExchange: 'sealed' });
  await round();
  expect(asked).toEqual([id]);
  at = after(60 * HOUR_MS);
  await round();
  const stored = await checks.find(id);
  expect(stored).toMatchObject({ state: 'ENDED', outcome: inconclusive });
  for (const field of ['recheckAt', 'sealedDocument', 'sealedExchange']) expect(stored).not.toHaveProperty(field);
  expect([asked, published]).toEqual([[id], []]);
});

test('a check of an evidence that was deleted without this process knowing is removed', async () => {
  const identityId = newId();
  const id = await ended({ identityId });
  await withdrawals.addEvidence({ identityId, tenantId: 'tenant' }, 'evidence');
  await round();
  expect([await checks.find(id), asked]).toEqual([undefined, []]);
});

test('a check with a final answer stores nothing of its question', async () => {
  const id = await ended();
  answer = { kind: 'DONE', outcome: { result: 'VERIFIED', raised: [] }, source: 'DVS' };
  await round();
  expect(await checks.find(id)).not.toHaveProperty('sealedDocument');
});
