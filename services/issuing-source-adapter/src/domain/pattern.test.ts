import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isWrittenAs } from './pattern.ts';

test.each([
  ['^[A-Z]{1,2}\\d{7}$', 'N1234567', true],
  ['^[A-Z]{1,2}\\d{7}$', 'N1234567\n', false],
  ['^(?:[A-Z]{2}-)?\\d+[A-Z]?$', 'AB-12C', true],
  ['\\d{3}', 'A1234', true],
  ['', '', true],
])('%s of %j: %j', (expression, value, expected) => expect(isWrittenAs(expression, value)).toBe(expected));

test.each(['^(A', '[', 'A{2,1}', '(?=A)A', '(A)\\1'])('%s is refused as an expression', (expression) => {
  expect(() => isWrittenAs(expression, 'A')).toThrow();
});

test.each(['^(A+)+$', '^(A|A)*$', '^(A?){30}A{30}$', `^${'A*'.repeat(20)}B$`])(
  '%s is evaluated in bounded time for any value; backtracking would not be',
  (expression) => expect(isWrittenAs(expression, `${'A'.repeat(10_000)}C`)).toBe(false),
);

test('gives the result of RegExp for a short value', () => {
  const atom = fc.constantFrom('A', 'B', '[AB]', '(A|B)', '(AB)', '(A|AB)', '(A?B?)', '(?:A+)');
  const repeat = fc.constantFrom('', '?', '*', '+', '{2}', '{1,4}', '{2,}');
  const expressions = fc
    .tuple(fc.constantFrom('', '^'), fc.array(fc.tuple(atom, repeat), { maxLength: 4 }), fc.constantFrom('', '$'))
    .map(([begin, parts, end]) => `${begin}${parts.map((part) => part.join('')).join('')}${end}`);
  const values = fc.string({ unit: fc.constantFrom('A', 'B', 'C'), maxLength: 8 });
  fc.assert(
    fc.property(expressions, values, (expression, value) => {
      expect(isWrittenAs(expression, value)).toBe(new RegExp(expression).test(value));
    }),
  );
});
