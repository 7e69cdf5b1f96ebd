import { shippedPolicies } from '@assay/policy';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { caseOf, compared, documentImage, portraitReference } from '../testing/case-builders.ts';
import type { EvidenceFacts } from './facts.ts';
import { comparisonOf, isDocumentsPhotograph, isMatch, matchingIndicators } from './portrait-matching.ts';

const { faces } = shippedPolicies().named('default')!;
const at = (distance: number, referenceWidth = 200) => ({
  ...compared('portrait', 'document', distance),
  referenceWidth,
});
const statusOf = (distance: number, adjudication: boolean, width = 200) =>
  matchingIndicators(at(distance, width), faces, adjudication, false)[0]!.split('_').at(-1);

describe('a distance under the default policy', () => {
  test.each([
    [0.12, 'OK', 'OK'],
    [0.45, 'OK', 'OK'],
    [0.58, 'OK', 'OK'],
    [0.59, 'OK', 'WARNING'],
    [0.61, 'WARNING', 'WARNING'],
    [0.66, 'WARNING', 'WARNING'],
    [0.67, 'FAILED', 'FAILED'],
  ])('of %d is %s without operators and %s with them', (distance, without, withOperators) => {
    expect(statusOf(distance, false)).toBe(without);
    expect(statusOf(distance, true)).toBe(withOperators);
  });

  test('to a small face must be clearly below the limit', () => {
    expect(statusOf(0.59, false, 79)).toBe('WARNING');
    expect(statusOf(0.57, false, 79)).toBe('OK');
  });

  test('of the same photograph matches, whichever document it is of', () => {
    expect(matchingIndicators(at(0.2), faces, false, true)).toEqual([
      'BIOMETRIC_MATCHING_CHECK_OK',
      'SELFIE_SAME_AS_DOCUMENT_WARNING',
    ]);
    expect(matchingIndicators(at(0.2), faces, false, false)).toEqual(['BIOMETRIC_MATCHING_CHECK_OK']);
    const withOther = (distance: number, other: EvidenceFacts = documentImage('other')) =>
      caseOf([other], { comparisons: [at(0.4), { ...at(distance), referenceId: 'other' }] });
    expect(isDocumentsPhotograph(withOther(0.2), 'portrait', faces)).toBe(true);
    expect(isDocumentsPhotograph(withOther(0.2), 'another portrait', faces)).toBe(false);
    expect(isDocumentsPhotograph(withOther(0.3), 'portrait', faces)).toBe(false);
    // A client may enrol the same picture that the person sends.
    expect(isDocumentsPhotograph(withOther(0.2, portraitReference('other')), 'portrait', faces)).toBe(false);
  });

  test('never improves as it grows', () => {
    const rank = ['OK', 'WARNING', 'FAILED'];
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 2, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.boolean(),
        fc.integer({ min: 30, max: 400 }),
        (distance, more, adjudication, width) => {
          const [nearer, farther] = [distance, distance + more].map((one) => statusOf(one, adjudication, width)!);
          expect(rank.indexOf(farther!)).toBeGreaterThanOrEqual(rank.indexOf(nearer!));
        },
      ),
    );
  });
});

test('without a comparison no indicator is raised', () => {
  expect(matchingIndicators(undefined, faces, false, true)).toEqual(['BIOMETRIC_MATCHING_CHECK_UNVERIFIED']);
  expect(isMatch(undefined, faces)).toBe(false);
});

test('a comparison is found by portrait and reference, in this order', () => {
  const facts = caseOf([], { comparisons: [compared('p', 'd', 0.4)] });
  expect(comparisonOf(facts, 'p', 'd')?.distance).toBe(0.4);
  expect(comparisonOf(facts, 'd', 'p')).toBeUndefined();
});
