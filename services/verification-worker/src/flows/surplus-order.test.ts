import { beforeEach, expect, test } from '@jest/globals';
import { createSurplusOrder, type SurplusOrder } from './surplus-order.ts';

let turns: Map<string, number>;
let order: SurplusOrder;
beforeEach(() => {
  turns = new Map([
    ['bank', 30],
    ['town', 9],
  ]);
  order = createSurplusOrder({ turns: () => turns });
});

const event = (tenantId: string, id: string) => ({
  ...{ tenantId, id: `${tenantId} ${id}`, at: '2026-01-01T00:00:00.000Z' },
  ...{ type: 'evidence.submitted', identityId: 'identity', data: {} },
});
/** Takes an event out of the queue, and puts it to the end if it lets others pass. */
const takes = (tenantId: string, id: string): boolean => {
  const passes = order.letsPass(event(tenantId, id));
  if (passes) order.put(event(tenantId, id));
  return passes;
};

test('events let those of a tenant pass that has taken many fewer turns, once', () => {
  order.put(event('bank', '1'));
  order.put(event('bank', '2'));
  order.put(event('town', '1'));
  expect([takes('bank', '1'), takes('bank', '2')]).toEqual([true, true]);
  expect(takes('town', '1')).toBe(false);
  expect([takes('bank', '1'), takes('bank', '2')]).toEqual([false, false]);
});

test('an event that comes out again shows that another worker took those before it', () => {
  order.put(event('bank', '1'));
  order.put(event('town', '1'));
  expect(takes('bank', '1')).toBe(true);
  expect(takes('bank', '1')).toBe(false);
});

test('nobody lets pass who has taken few turns, or not many more than the others, or waits alone', () => {
  order.put(event('town', '1'));
  order.put(event('bank', '1'));
  order.put(event('town', '2'));
  turns.set('bank', 18);
  expect(takes('bank', '1')).toBe(false);
  turns.set('bank', 7).delete('town');
  expect(takes('bank', 'of another worker')).toBe(false);
  turns.set('town', 100);
  expect(takes('town', '2')).toBe(false);
});
