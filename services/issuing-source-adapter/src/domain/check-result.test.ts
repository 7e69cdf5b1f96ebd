import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compared, comparedName } from './answer.ts';
import { answered, type CheckResult, notAskable, notEligible, unavailable } from './check-result.ts';
import { answerOfDvs, DVS_CODES } from './dvs-answer.ts';
import { eligibilityOf } from './eligibility.ts';
import { UNITED_STATES } from './scope/united-states.ts';

const eligible = (type: 'DRIVING_LICENSE' | 'IDENTITY_CARD') => {
  const found = eligibilityOf([UNITED_STATES], {
    ...{ type, mode: 'TEXT', userCategory: 'COMMERCIAL' },
    ...{ country: 'USA', state: 'DE' },
  });
  if (!found.eligible) throw new Error(found.reason);
  return found;
};
const licence = eligible('DRIVING_LICENSE');
const card = eligible('IDENTITY_CARD');
const COMPLETE = { missing: [], doubtful: [] };
const ANSWER = { result: 'VERIFIED', raised: [] } as const;

/** Every way in which a check can end. */
const outcomes: [string, CheckResult][] = [
  ['no source covers it', notEligible()],
  ['something required is missing', notAskable(licence)],
  ['the source is down', unavailable(licence)],
  ['the source is down, and only some cards are known', unavailable(card)],
  ['the source is down before it was looked up', unavailable(undefined)],
  ['it is verified', answered(licence, COMPLETE, { ...ANSWER, raised: [...ANSWER.raised] })],
  ['it is not', answered(card, { missing: [], doubtful: ['gender'] }, { result: 'FAILED', raised: [] })],
];

describe('what a check raises', () => {
  test.each(outcomes)('says once how the check ended, like its result: %s', (_what, { result, raised }) => {
    const ends = raised.filter((one) => one.startsWith('GIV_VERIFICATION_'));
    expect(ends).toEqual([`GIV_VERIFICATION_${result}`]);
    expect(new Set(raised.map((one) => one.replace(/_[A-Z]+$/, ''))).size).toBe(raised.length);
  });

  test.each(outcomes)('reports no OK for a check that was not made: %s', (_what, { result, raised }) => {
    const made = raised.includes('GIV_AVAILABILITY_OK');
    if (!made) expect(result).toBe('UNVERIFIED');
    if (made) expect(raised).not.toContain('GIV_AVAILABILITY_FAILED');
  });

  test('an outage is no mismatch: only the availability failed', () => {
    expect(unavailable(licence)).toEqual({
      result: 'UNVERIFIED',
      raised: ['GIV_ELIGIBILITY_OK', 'GIV_AVAILABILITY_FAILED', 'GIV_VERIFICATION_UNVERIFIED'],
    });
  });

  test.each([
    ['VERIFIED', 'FAILED', 'UNVERIFIED'],
    ['VERIFIED', 'OK', 'VERIFIED'],
    ['VERIFIED', 'UNVERIFIED', 'VERIFIED'],
    ['FAILED', 'FAILED', 'FAILED'],
  ] as const)('a source that says %s, and %s of the type of the document, leaves it %s', (result, type, expected) => {
    const raised = [`IDDOCUMENT_TYPE_COMPARE_${type}` as const];
    const outcome = answered(licence, COMPLETE, { result, raised });
    expect(outcome).toMatchObject({ result: expected });
    expect(outcome.raised).toEqual(expect.arrayContaining([`GIV_VERIFICATION_${expected}`, ...raised]));
  });

  test('warns if the source knows only some cards, and if a value has an unusual form', () => {
    expect(answered(card, { missing: [], doubtful: ['number'] }, { result: 'FAILED', raised: [] }).raised).toEqual([
      'GIV_ELIGIBILITY_WARNING',
      'GOV_DATA_FORMAT_WARNING',
      'GIV_AVAILABILITY_OK',
      'GIV_VERIFICATION_FAILED',
    ]);
  });
});

describe('a code of the document verification system', () => {
  test('applies to every value that was asked, and D is no comparison', () => {
    const asked = ['number', 'surname'] as const;
    const results = DVS_CODES.filter((code) => code !== 'S').map((code) => answerOfDvs(code, asked));
    expect(results.map(({ result }) => result)).toEqual(['VERIFIED', 'FAILED', 'UNVERIFIED']);
    for (const answer of results) expect(answered(licence, COMPLETE, answer)).toMatchObject({ asked });
  });
});

describe('an element that a source compared', () => {
  const anyMatch = fc.constantFrom(true, false, undefined);

  test('is OK, FAILED or, if the source said nothing, UNVERIFIED', () => {
    expect([true, false, undefined].map((match) => compared('GENDER_COMPARE', match))).toEqual([
      'GENDER_COMPARE_OK',
      'GENDER_COMPARE_FAILED',
      'GENDER_COMPARE_UNVERIFIED',
    ]);
  });

  test('for a name also has an approximate comparison, but only if the exact one is no match', () => {
    fc.assert(
      fc.property(anyMatch, anyMatch, (match, near) => {
        const [exact, fuzzy, ...more] = comparedName('SURNAME_COMPARE', 'SURNAME_FUZZY_COMPARE', match, near);
        expect(exact).toBe(compared('SURNAME_COMPARE', match));
        expect(more).toEqual([]);
        if (match === true) expect(fuzzy).toBeUndefined();
        if (match === false) expect(fuzzy).toBe(compared('SURNAME_FUZZY_COMPARE', near));
        if (match === undefined)
          expect(fuzzy).toBe(near === undefined ? undefined : compared('SURNAME_FUZZY_COMPARE', near));
      }),
    );
  });
});
