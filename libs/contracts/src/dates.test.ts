import { expect, test } from '@jest/globals';
import { hasBegun, isOver, isPast, pastFrom, todayAt } from './dates.ts';
import { consentInForce } from './token.ts';

test.each([
  ['2026-05-01T09:59:59Z', '2026-05-01', '2026-04-30'],
  ['2026-05-01T10:00:00Z', '2026-05-02', '2026-04-30'],
  ['2026-05-01T11:59:59Z', '2026-05-02', '2026-04-30'],
  ['2026-05-01T12:00:00Z', '2026-05-02', '2026-05-01'],
])('at %s the last day that has begun is %s, the first that is not over %s', (at, begun, running) => {
  const today = todayAt(new Date(at));
  const days = ['2026-04-29', '2026-04-30', '2026-05-01', '2026-05-02', '2026-05-03'];
  expect(days.filter((day) => hasBegun(day, today)).at(-1)).toBe(begun);
  expect(days.find((day) => !isOver(day, today))).toBe(running);
});

test.each([
  ['2026-05-01T00:00:00Z', '2026-05-01', false],
  ['2026-05-01T23:59:59Z', '2026-05-01', false],
  ['2026-05-02T00:00:00Z', '2026-05-01', true],
  ['2026-05-01T03:00:00Z', '2026-04-30', true],
])('at %s a consent that ends on %s has ended: %s', (at, to, ended) => {
  const today = todayAt(new Date(at));
  const given = { consentId: 'given', approved: true, type: 'GIV' as const, validityPeriod: { to } };
  expect(isPast(to, today)).toBe(ended);
  expect(pastFrom(to) <= new Date(at)).toBe(ended);
  expect(consentInForce([given], 'GIV', today)).toBe(!ended);
});
