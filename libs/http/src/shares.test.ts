import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createShares } from './shares.ts';

const takeAll = (take: () => unknown): number => {
  let taken = 0;
  while (take()) taken += 1;
  return taken;
};

describe('shares of 64 slots', () => {
  test('leave half of them to other keys, and a quarter to other tenants', () => {
    const shares = createShares(64);
    expect(takeAll(() => shares.take('hostile', 'key-1'))).toBe(32);
    let key = 1;
    const more = takeAll(() => shares.take('hostile', `key-${++key}`));
    expect(32 + more).toBe(48);
    expect(takeAll(() => shares.take('other', 'key-other'))).toBe(8);
  });

  test('are free again once returned, and once only', () => {
    const shares = createShares(64);
    const release = Array.from({ length: 32 }, () => shares.take('t', 'k'));
    for (const one of [...release, ...release]) one?.();
    expect(takeAll(() => shares.take('t', 'k'))).toBe(32);
  });

  test('are at least one for a key without any, whatever the others have', () => {
    const taker = fc.record({ tenant: fc.integer({ min: 0, max: 9 }), key: fc.integer({ min: 0, max: 3 }) });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.array(taker, { maxLength: 60 }), (total, takers) => {
        const shares = createShares(total);
        const taken = takers.filter(({ tenant, key }) => shares.take(`${tenant}`, `${tenant}-${key}`));
        expect(taken.length).toBeLessThanOrEqual(total);
        const others = new Set(taken.map(({ tenant }) => tenant)).size;
        // Each tenant takes at most three quarters of what the earlier ones left.
        if (total >= 4 ** (others + 1)) expect(shares.take('new', 'new')).toBeDefined();
      }),
      { numRuns: 200 },
    );
  });
});
