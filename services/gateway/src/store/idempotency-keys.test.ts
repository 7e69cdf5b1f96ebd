import { connectMongo, type Database } from '@assay/mongo';
import { newDataKey } from '@assay/sealing';
import { quietLog, testStack, waitFor } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createLockRenewal } from '../http/lock-renewal.ts';
import { createIdempotencyKeys, type IdempotencyKeys } from './idempotency-keys.ts';

let database: Database;
let locks: IdempotencyKeys;
const identityKeys = new Map<string, Buffer>();
beforeAll(async () => {
  const stack = testStack();
  database = await connectMongo(stack.mongoUrl, stack.database('locks'), quietLog);
  const find = async (identityId: string) => identityKeys.get(identityId);
  locks = createIdempotencyKeys({ mongodb: database, sealingKey: newDataKey(), keys: { find } });
  await database.ensureIndexes();
});
afterAll(async () => {
  await database.connection.dropDatabase();
  await database.close();
});

const NOW = new Date('2026-03-01T10:00:00.000Z');
const LATER = new Date(NOW.getTime() + 60_000);
const ownedBy = async (lockId: string, now: Date) => {
  const outcome = await locks.acquire(lockId, 'seed', now);
  if (!('owned' in outcome)) throw new Error(`the claim is ${outcome.state}`);
  return outcome;
};

test.each(['release', 'abandon', 'renew', 'finish'] as const)(
  'a stalled request changes nothing for the one that took over its lock: %s',
  async (act) => {
    const slept = await ownedBy(act, NOW);
    const resumed = await ownedBy(act, LATER);
    expect([slept.state, resumed.state, resumed.seedId]).toEqual(['NEW', 'TAKEN_OVER', 'seed']);
    const late = {
      release: () => locks.release(slept.owned),
      abandon: () => locks.abandon(slept.owned),
      renew: () => locks.renew([slept.owned], new Date(LATER.getTime() + 1e9)),
      finish: () => locks.finish(slept.owned, { fingerprint: 'other' }, { status: 500, body: 'other' }),
    }[act];
    await late();
    expect(await locks.acquire(act, 'seed', LATER)).toEqual({ state: 'RUNNING' });
    await locks.finish(resumed.owned, { fingerprint: 'print' }, { status: 200, body: 'first' });
    await late();
    expect(await locks.acquire(act, 'seed', LATER)).toEqual({
      state: 'DONE',
      fingerprint: 'print',
      reply: { status: 200, body: 'first' },
    });
  },
);

test('a lock that was given up is taken over at once, also by a clock that is slow, and whatever renewal comes late', async () => {
  const { owned } = await ownedBy('given up', NOW);
  await locks.abandon(owned);
  await locks.renew([owned], LATER);
  expect(await ownedBy('given up', new Date(NOW.getTime() - 2000))).toMatchObject({ state: 'TAKEN_OVER' });
});

test('requests that run at the same time have their locks renewed by one command, until each has ended', async () => {
  const rounds: number[] = [];
  let now = NOW;
  const counted: IdempotencyKeys['renew'] = async (all, at) => {
    await locks.renew(all, at);
    rounds.push(all.length);
  };
  const renewWhileRunning = createLockRenewal({ locks: { renew: counted }, now: () => now, log: quietLog, everyMs: 5 });
  const lockIds = Array.from({ length: 40 }, (_, number) => `running ${number}`);
  const [first, ...others] = await Promise.all(lockIds.map((lockId) => ownedBy(lockId, NOW)));
  const ends = [first!, ...others].map(({ owned }) => renewWhileRunning(owned));
  now = LATER;
  const three = rounds.length + 3;
  await waitFor('three rounds', () => rounds.length >= three);
  expect(new Set(rounds)).toEqual(new Set([40]));
  const states = await Promise.all(lockIds.map((lockId) => locks.acquire(lockId, 'seed', LATER)));
  expect(new Set(states.map(({ state }) => state))).toEqual(new Set(['RUNNING']));

  for (const end of ends.slice(1)) end();
  await waitFor('a round for the one that is left', () => rounds.at(-1) === 1);
  ends[0]!();
});

const reply = { status: 200, body: { surname: 'CANARY' } };

test('a reply about an identity can be read as long as the identity has its key', async () => {
  identityKeys.set('identity', newDataKey());
  const { owned } = await ownedBy('about', NOW);
  await locks.finish(owned, { fingerprint: 'print' }, reply, 'identity');
  expect(await locks.acquire('about', 'seed', NOW)).toMatchObject({ state: 'DONE', reply });
  identityKeys.delete('identity');
  expect(await locks.acquire('about', 'seed', NOW)).toEqual({ state: 'DONE', fingerprint: 'print', reply: undefined });
});

test('a reply about an identity that was closed meanwhile cannot be read', async () => {
  const { owned } = await ownedBy('closed', NOW);
  await locks.finish(owned, { fingerprint: 'print' }, reply, 'closed identity');
  expect(await locks.acquire('closed', 'seed', NOW)).toMatchObject({ state: 'DONE', reply: undefined });
});
