import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { decideMatch, selfieErrors, selfieIndicators } from './portrait-indicators.ts';

const ask = (distance: number, adjudication = false, referenceFaceWidth = 200) =>
  decideMatch({ distance, adjudication, referenceFaceWidth });

describe('a distance', () => {
  test.each([
    [0.12, 'UNDECIDED', 'ADJUDICATE'],
    [0.45, 'MATCH', 'MATCH'],
    [0.58, 'MATCH', 'MATCH'],
    [0.59, 'MATCH', 'ADJUDICATE'],
    [0.61, 'UNDECIDED', 'ADJUDICATE'],
    [0.66, 'UNDECIDED', 'ADJUDICATE'],
    [0.67, 'NO_MATCH', 'NO_MATCH'],
  ])('of %d is %s where nobody can be asked, %s where somebody can', (distance, alone, asked) => {
    expect(ask(distance).outcome).toBe(alone);
    expect(ask(distance, true).outcome).toBe(asked);
  });

  test('to a small portrait gets no benefit of the doubt', () => {
    expect(ask(0.59, false, 79).outcome).toBe('UNDECIDED');
    expect(ask(0.57, false, 79).outcome).toBe('MATCH');
  });

  test('of the same photograph says so', () => {
    expect(ask(0.2).indicators).toContain('SELFIE_SAME_AS_DOCUMENT_WARNING');
  });

  test('never turns from refused to accepted as it grows, and scores between 0 and 1', () => {
    const rank = { MATCH: 0, ADJUDICATE: 1, UNDECIDED: 1, NO_MATCH: 2 };
    fc.assert(
      fc.property(
        fc.double({ min: 0.3, max: 2, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.boolean(),
        (distance, more, adjudication) => {
          const [nearer, farther] = [ask(distance, adjudication), ask(distance + more, adjudication)];
          expect(rank[farther.outcome]).toBeGreaterThanOrEqual(rank[nearer.outcome]);
          expect(farther.matchingScore).toBeLessThanOrEqual(nearer.matchingScore);
          expect(nearer.matchingScore).toBeGreaterThanOrEqual(0);
        },
      ),
    );
  });
});

test('liveness is never claimed, and every reason of a refusal is said in words', () => {
  const verdict = { refusals: ['TOO_DARK', 'BLURRED'] as const, warnings: [] };
  expect(selfieIndicators({ ...verdict, refusals: [...verdict.refusals] })).toEqual([
    'BIOMETRIC_QUALITY_CHECK_FAILED',
    'BIOMETRIC_LIVENESS_CHALLENGE_UNVERIFIED',
  ]);
  expect(selfieErrors({ ...verdict, refusals: [...verdict.refusals] })).toEqual([
    { code: '1570', field: 'Portrait', message: expect.stringContaining('too dark, the face is blurred') },
  ]);
  expect(selfieErrors({ refusals: [], warnings: ['EYES_CLOSED'] })).toEqual([]);
});
