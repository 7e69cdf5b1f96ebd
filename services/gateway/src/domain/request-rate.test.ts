import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Lease, leasedMore, leaseSize, nextStep, remaining } from './request-rate.ts';

const NOW = new Date('2026-01-01T00:00:00Z');
const RESET = new Date('2026-01-01T00:01:00Z');

/**
 * Plays processes that lease from one count, in this order of requests. Returns how many requests
 * were admitted, and how many leases were needed.
 */
const play = (limit: number, order: readonly number[]) => {
  const leases = new Map<number, Lease>();
  let leased = 0;
  let leasings = 0;
  let admitted = 0;
  let fewestLeft = 0;
  for (const process of order) {
    if (nextStep(leases.get(process), limit, NOW) === 'LEASE') {
      const known = leases.get(process);
      const size = leaseSize(limit, known);
      leases.set(process, leasedMore({ limit, size, before: leased, own: known?.own, resetAt: RESET }));
      leased += size;
      leasings += 1;
    }
    const lease = leases.get(process)!;
    if (nextStep(lease, limit, NOW) !== 'ADMIT') continue;
    lease.left -= 1;
    admitted += 1;
    fewestLeft = Math.min(fewestLeft, remaining(lease, limit));
  }
  // One expectation for the whole game, because an expectation takes a hundred times as long as a
  // request.
  expect(fewestLeft).toBe(0);
  return { admitted, leasings };
};

test('whatever the processes and the order, no more is admitted than the limit', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 300 }), fc.array(fc.nat(4), { maxLength: 700 }), (limit, order) => {
      expect(play(limit, order).admitted).toBeLessThanOrEqual(limit);
    }),
  );
});

test('a process that is asked alone admits exactly the limit, with few leases', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 700 }), (limit) => {
      const { admitted, leasings } = play(limit, Array(limit + 5).fill(0));
      expect(admitted).toBe(limit);
      expect(leasings).toBeLessThanOrEqual(8 * (Math.log(limit) + 3));
    }),
  );
});

test('many processes that begin within a minute, and end again, leave most of the limit to the others', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1280, max: 10_000 }), (limit) => {
      const order = Array.from({ length: 50 }, (_, process) => process);
      expect(play(limit, [...order, ...Array(Math.floor(limit / 4)).fill(50)]).admitted).toBe(
        50 + Math.floor(limit / 4),
      );
    }),
    { numRuns: 20 },
  );
});

test('a lease ends with its minute, and a raised limit applies at once', () => {
  const lease = leasedMore({ limit: 4, size: 1, before: 3, resetAt: RESET });
  expect(nextStep(lease, 4, NOW)).toBe('ADMIT');
  const spent = { ...lease, left: 0 };
  expect([nextStep(spent, 4, NOW), nextStep(spent, 600, NOW), nextStep(spent, 4, RESET)]).toEqual([
    'REFUSE',
    'LEASE',
    'LEASE',
  ]);
});
