import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isQuickPattern, LONGEST_TRIED } from './pattern.ts';
import { AUSTRALIA } from './scope/australia.ts';
import { UNITED_STATES } from './scope/united-states.ts';

describe('a pattern', () => {
  test.each([
    '^[A-Z]{1,2}\\d{7}$',
    '^(?:[A-Z]{2}-)?\\d+[A-Z]?$',
    '^([A-Z]{2}|\\d{2}){3}$',
    '^(AB)+$',
    '^[)*+(]+\\(\\)\\+\\*$',
    '^(?<letters>[A-Z]*)(?=\\d)\\d*$',
    'a{,3}',
    '',
  ])('%s is quick', (expression) => {
    expect(() => new RegExp(expression)).not.toThrow();
    expect(isQuickPattern(expression)).toBe(true);
  });

  test.each([
    '^(A+)+$',
    '^(?:A|A)*$',
    '^(A|AA)+$',
    '^(A?){30}A{30}$',
    `^${'A?'.repeat(30)}${'A'.repeat(30)}$`,
    `^${'A*'.repeat(6)}B$`,
    `^${'(?:A|A)'.repeat(30)}B$`,
    '^((A{1,3}){1,4}){1,9}B$',
    '^(?=(A+)+B)',
  ])('%s is not', (expression) => expect(isQuickPattern(expression)).toBe(false));

  test('of the tables of this service is quick', () => {
    const patterns = JSON.stringify([AUSTRALIA, UNITED_STATES]).match(/"pattern":"([^"]+)"/g) ?? [];
    expect(patterns.length).toBeGreaterThan(5);
    for (const pattern of patterns) expect(isQuickPattern(JSON.parse(`{${pattern}}`).pattern)).toBe(true);
  });

  test('that is quick is tried within a moment, whatever the value', () => {
    const atom = fc.constantFrom('A', 'B', '[AB]', '(A|B)', '(AB)', '(A|AB)', '(A?B?)', '(A+)');
    const repeat = fc.constantFrom('', '?', '*', '+', '{2}', '{1,4}', '{2,}');
    const expressions = fc
      .array(fc.tuple(atom, repeat), { maxLength: 6 })
      .map((parts) => `^${parts.map((part) => part.join('')).join('')}$`);
    const values = fc.tuple(
      fc.string({ unit: fc.constantFrom('A', 'B'), minLength: LONGEST_TRIED - 1, maxLength: LONGEST_TRIED - 1 }),
      fc.constantFrom('A', 'C'),
    );
    fc.assert(
      fc.property(expressions, values, (expression, value) => {
        fc.pre(isQuickPattern(expression));
        const before = process.cpuUsage();
        new RegExp(expression).test(value.join(''));
        expect(process.cpuUsage(before).user).toBeLessThan(1_000_000);
      }),
    );
  });
});
