import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { leaseAt, leaseUntil } from './lease.ts';
import { precedenceOver } from './precedence.ts';
import { createSlots } from './slots.ts';

/* What a process may lease, for how long, and which deliveries must be sent before it. */

const LIMITS = { perEndpoint: 3, overall: 4, reserved: 2 };
const steps = fc.array(
  fc.record({
    tenant: fc.constantFrom('a', 'b', 'c'),
    identity: fc.constantFrom('1', '2', '3', '4', '5'),
    enter: fc.boolean(),
  }),
);

describe('slots', () => {
  test('admit one notification of an identity and a number for an endpoint, and are free again afterwards', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const slots = createSlots(LIMITS);
        const inside = new Set<string>();
        for (const { tenant, identity, enter } of all) {
          const name = `${tenant}${identity}`;
          const room = slots.roomFor(tenant);
          const entered = enter && slots.enter(tenant, identity);
          if (enter) expect(entered).toBe(room > 0 && !inside.has(name));
          else slots.leave(tenant, identity);
          if (entered) inside.add(name);
          if (!enter) inside.delete(name);
          const countOf = (id: string) => [...inside].filter((one) => one.startsWith(id)).length;
          expect(slots.count()).toBe(inside.size);
          for (const one of ['a', 'b', 'c']) {
            expect(slots.countOf(one)).toBe(countOf(one));
            expect(countOf(one)).toBeLessThanOrEqual(LIMITS.perEndpoint);
          }
          expect(inside.size).toBeLessThanOrEqual(2 * LIMITS.overall);
        }
      }),
    );
  });

  test('leave a few to each endpoint although others fill the process', () => {
    const slots = createSlots(LIMITS);
    for (const tenant of ['a', 'b']) for (const identity of ['1', '2', '3', '4']) slots.enter(tenant, identity);
    // The second tenant gets one shared slot and one that is reserved for it.
    expect([slots.countOf('a'), slots.countOf('b')]).toEqual([3, 2]);
    expect(slots.roomFor('c')).toBe(2);
    expect(slots.enter('c', '1')).toBe(true);
  });
});

describe('a lease', () => {
  const at = new Date('2026-01-01T00:00:00.000Z');
  const after = (ms: number) => new Date(at.getTime() + ms);
  test.each([
    [0, 'lasts'],
    [1000, 'lasts'],
    [1001, 'ends'],
    [11_999, 'ends'],
    [12_000, 'is over'],
    [60_000, 'is over'],
  ])('%i ms after it was taken %s', (ms, state) => expect(leaseAt(leaseUntil(at), after(ms))).toBe(state));
});

describe('before a delivery is sent', () => {
  const [older, mine, newer] = [1, 2, 3].map((second) => new Date(second * 1000));
  test.each([
    [{}, undefined],
    [{ due: null, theirs: null }, undefined],
    [{ due: older }, 'older'],
    [{ due: newer }, undefined],
    [{ due: mine }, undefined],
    [{ theirs: older }, 'older'],
    [{ theirs: newer }, 'leased'],
    [{ due: older, theirs: newer }, 'older'],
  ])('%j: %s', (others, what) => expect(precedenceOver(mine!, others as object)).toBe(what));
});
