import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { DEFAULT_PACE, isSpent, nextAttemptAt } from './pace.ts';
import { type Bucket, takeToken } from './rate.ts';

describe('the pace of a check', () => {
  test('whatever the source does, the last question ends within the budget, and there are no more than five', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: DEFAULT_PACE.questionMs }), { minLength: 10, maxLength: 10 }),
        (took) => {
          const startedAt = new Date(0);
          let now = 0;
          let attempts = 0;
          for (const ms of took) {
            now += ms;
            attempts += 1;
            expect(now).toBeLessThanOrEqual(DEFAULT_PACE.budgetMs);
            const next = nextAttemptAt(DEFAULT_PACE, startedAt, attempts, new Date(now));
            if (!next) break;
            now = next.getTime();
            expect(isSpent(DEFAULT_PACE, startedAt, next)).toBe(false);
          }
          expect(attempts).toBeLessThanOrEqual(DEFAULT_PACE.attempts);
        },
      ),
    );
  });
});

describe('the rate limit', () => {
  test('over any second no more pass than the burst and the rate allow', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 300 }),
        (rate, gaps) => {
          let bucket: Bucket | undefined;
          let now = 0;
          let passed = 0;
          for (const gap of gaps) {
            now += gap;
            const taken = takeToken(bucket, rate, now);
            bucket = taken.bucket;
            if (taken.waitMs === 0) passed += 1;
          }
          expect(passed).toBeLessThanOrEqual(rate + Math.ceil((now / 1000) * rate));
        },
      ),
    );
  });
  test('says how long to wait for the next', () => {
    const { bucket } = takeToken(undefined, 1, 0);
    expect(takeToken(bucket, 1, 250).waitMs).toBe(750);
    expect(takeToken(takeToken(bucket, 1, 250).bucket, 1, 1000).waitMs).toBe(0);
  });
});
