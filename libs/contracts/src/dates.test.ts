import { expect, test } from '@jest/globals';
import { hasBegun, isOver, todayAt } from './dates.ts';

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
