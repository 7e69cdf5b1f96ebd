import { quietLog, waitFor } from '@assay/testing';
import { expect, test } from '@jest/globals';
import type { Owned } from '../store/idempotency-keys.ts';
import { createLockRenewal } from './lock-renewal.ts';

const lock = (lockId: string) => ({ lockId, owner: 'me' }) as unknown as Owned;
const renewal = () => {
  const rounds: string[][] = [];
  const locks = { renew: async (owned: readonly Owned[]) => void rounds.push(owned.map(({ lockId }) => lockId)) };
  const renew = createLockRenewal({ locks, now: () => new Date(0), log: quietLog, everyMs: 5 });
  return { rounds, renew };
};

test('the locks of all running requests are renewed with one command', async () => {
  const { rounds, renew } = renewal();
  const [endA, endB] = [renew(lock('a')), renew(lock('b'))];
  await waitFor('both in one round', () => rounds.some((round) => round.join() === 'a,b'));
  endA();
  rounds.length = 0;
  await waitFor('a round of the other', () => rounds.length > 1);
  // A round that was running when the request ended may still have named its lock.
  expect(rounds.slice(1).every((round) => round.join() === 'b')).toBe(true);
  endB();
});

test('nothing is renewed while nothing runs, and again once something does', async () => {
  const { rounds, renew } = renewal();
  renew(lock('a'))();
  const [end] = [renew(lock('b'))];
  await waitFor('a round', () => rounds.length > 0);
  expect(rounds.flat()).not.toContain('a');
  end?.();
  const before = rounds.length;
  const other = renewal();
  const endOther = other.renew(lock('c'));
  await waitFor('some rounds of another', () => other.rounds.length > 3);
  endOther();
  expect(rounds.length - before).toBeLessThanOrEqual(1);
});
