import { fits } from '@assay/policy';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { holds, mitigationsOf, raisedOf } from './conditions.ts';

describe('a pattern', () => {
  test.each([
    ['OCR_SURNAME_OK', 'OCR_SURNAME_OK', true],
    ['OCR_SURNAME_OK', 'OCR_SURNAME_OK_TOO', false],
    ['OCR_*_FAILED', 'OCR_SURNAME_FAILED', true],
    ['OCR_*_FAILED', 'OCR_DOC_NATIONALITY_FAILED', true],
    ['OCR_*_FAILED', 'OCR__FAILED', false],
    ['OCR_*_FAILED', 'XOCR_SURNAME_FAILED', false],
    ['OCR_*_FAILED', 'OCR_SURNAME_FAILED_TOO', false],
    ['*_COMPARE_*', 'SURNAME_COMPARE_OK', true],
  ])('%s fits %s: %s', (pattern, indicator, expected) => {
    expect(fits(pattern, indicator)).toBe(expected);
  });

  const letters = (alphabet: string, most: number) =>
    fc.string({ unit: fc.constantFrom(...alphabet), maxLength: most });
  test('with any stars matches what its regular expression matches', () => {
    fc.assert(
      fc.property(letters('AB*', 6), letters('AB', 8), (pattern, indicator) => {
        const expression = new RegExp(`^${pattern.replaceAll('*', '[A-Z0-9_]+')}$`);
        expect(fits(pattern, indicator)).toBe(expression.test(indicator));
      }),
      { numRuns: 2000 },
    );
  });

  test('with many stars is matched in one pass from left to right', () => {
    expect(fits(`${'*'.repeat(30)}0`, 'A'.repeat(60))).toBe(false);
    expect(fits(`${'A*'.repeat(30)}B`, 'A'.repeat(500))).toBe(false);
    expect(fits(`${'A*'.repeat(30)}B`, `${'A'.repeat(500)}B`)).toBe(true);
  });

  test('selects raised indicators, each once and in order', () => {
    expect(raisedOf(['B_*', 'A_OK', 'B_OK'], ['B_OK', 'C_OK', 'A_OK', 'B_FAILED'])).toEqual([
      'B_OK',
      'A_OK',
      'B_FAILED',
    ]);
  });
});

describe('a condition', () => {
  test.each([
    ['without demands is met', {}, [], [], true],
    ['needs all of `all`', { all: ['A_OK', 'B_OK'] }, ['A_OK'], [], false],
    ['is content with all of `all`', { all: ['A_OK', 'B_OK'] }, ['A_OK', 'B_OK'], [], true],
    ['needs one of every group', { anyOf: [['A_OK', 'B_OK'], ['C_OK']] }, ['B_OK'], [], false],
    ['is content with one of every group', { anyOf: [['A_OK', 'B_OK'], ['C_OK']] }, ['B_OK', 'C_OK'], [], true],
    ['fails by what is forbidden', { none: ['A_*'] }, ['A_FAILED'], ['A_FAILED'], false],
    ['does not fail by what is mitigated', { none: ['A_*'] }, ['A_FAILED'], [], true],
  ])('%s', (_, condition, raised, effective, expected) => {
    expect(holds(condition, raised, effective)).toBe(expected);
  });
});

describe('a mitigation', () => {
  const fuzzy = {
    mitigated: [['SURNAME_COMPARE_FAILED'], ['FIRSTNAME_COMPARE_FAILED', 'MIDDLENAME_COMPARE_FAILED']],
    mitigating: ['FULLNAME_COMPARE_OK'],
  };

  test.each<[string, string[], string[][] | undefined]>([
    ['has no effect without what mitigates', ['SURNAME_COMPARE_FAILED'], undefined],
    ['has no effect without something to mitigate', ['FULLNAME_COMPARE_OK'], undefined],
    [
      'takes the effect from a set that was raised',
      ['FULLNAME_COMPARE_OK', 'SURNAME_COMPARE_FAILED'],
      [['SURNAME_COMPARE_FAILED']],
    ],
    ['leaves a set alone that was raised in part', ['FULLNAME_COMPARE_OK', 'FIRSTNAME_COMPARE_FAILED'], undefined],
    [
      'takes the effect from every set',
      ['FULLNAME_COMPARE_OK', 'SURNAME_COMPARE_FAILED', 'FIRSTNAME_COMPARE_FAILED', 'MIDDLENAME_COMPARE_FAILED'],
      [['SURNAME_COMPARE_FAILED'], ['FIRSTNAME_COMPARE_FAILED', 'MIDDLENAME_COMPARE_FAILED']],
    ],
  ])('%s', (_, raised, mitigatedIndicators) => {
    expect(mitigationsOf([fuzzy], raised)).toEqual(
      mitigatedIndicators ? [{ mitigatedIndicators, mitigatingIndicators: ['FULLNAME_COMPARE_OK'] }] : [],
    );
  });
});
