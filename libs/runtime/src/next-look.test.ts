import { describe, expect, test } from '@jest/globals';
import { createNextLook } from './next-look.ts';

/** A sweep that ran at second 100, with a clock that the test sets. */
const looked = (first?: number) => {
  const clock = { seconds: 100 };
  const at = (seconds: number) => new Date(seconds * 1000);
  const next = createNextLook({ now: () => at(clock.seconds), withinMs: 60_000 });
  const isDueFirst = next.isDue();
  next.found(first === undefined ? undefined : at(first), at(100));
  const isDueAt = (seconds: number): boolean => {
    clock.seconds = seconds;
    return next.isDue();
  };
  const expectAt = (seconds: number): void => next.expect(at(seconds));
  const foundNothing = (): void => next.found(undefined, at(clock.seconds));
  return { isDueFirst, isDueAt, expectAt, foundNothing };
};

describe('the next round of a sweep', () => {
  test('the first one is due at once', () => {
    expect(looked().isDueFirst).toBe(true);
  });

  test.each([
    { stored: undefined, due: 160, why: 'nothing is stored: what others store meanwhile' },
    { stored: 130, due: 130, why: 'something is due sooner' },
    { stored: 500, due: 160, why: 'something is due later: what others store meanwhile' },
    { stored: 90, due: 90, why: 'something was due before the look' },
  ])('given $why, it is due at $due', ({ stored, due }) => {
    const { isDueAt } = looked(stored);
    expect([isDueAt(due - 1), isDueAt(due)]).toEqual([false, true]);
  });

  test('given something is expected sooner, it is due then; something later changes nothing', () => {
    const { isDueAt, expectAt } = looked();
    expectAt(120);
    expectAt(140);
    expect([isDueAt(119), isDueAt(120)]).toEqual([false, true]);
  });

  test('given something was expected during the query, the result does not delay it', () => {
    const { isDueAt, expectAt, foundNothing } = looked();
    expectAt(120);
    foundNothing();
    expect([isDueAt(119), isDueAt(120)]).toEqual([false, true]);
    foundNothing();
    expect([isDueAt(179), isDueAt(180)]).toEqual([false, true]);
  });

  test('given the clock was put back, it is due at once', () => {
    const { isDueAt } = looked();
    expect(isDueAt(99)).toBe(true);
  });
});
