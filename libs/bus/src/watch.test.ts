import { describe, expect, test } from '@jest/globals';
import { type Look, whyUnusable } from './watch.ts';

const look = (change: Partial<Look> = {}): Look => ({
  consumers: 1,
  waiting: 0,
  given: 5,
  unacknowledged: 0,
  ...change,
});

describe('a subscription that the broker did not cancel', () => {
  test('is in order if nothing waits, and at the first check', () => {
    expect(whyUnusable(look(), look())).toBeUndefined();
    expect(whyUnusable(undefined, look({ waiting: 3 }))).toBeUndefined();
  });

  test('does not work if the broker knows no consumer', () => {
    expect(whyUnusable(undefined, look({ consumers: 0 }))).toBe('the broker knows no consumer of the queue');
  });

  test('does not work if messages wait at two checks and it gets none', () => {
    expect(whyUnusable(look({ waiting: 1 }), look({ waiting: 1 }))).toBe('messages wait and none is handed out');
  });

  test.each([
    ['it was given some between', look({ waiting: 1 }), look({ waiting: 1, given: 6 })],
    ['it works on one', look({ waiting: 1 }), look({ waiting: 1, unacknowledged: 1 })],
    ['it worked on one before', look({ waiting: 1, unacknowledged: 1 }), look({ waiting: 1 })],
    ['nothing waited before', look(), look({ waiting: 1 })],
  ])('is in order if %s', (_why, before, now) => {
    expect(whyUnusable(before, now)).toBeUndefined();
  });
});
