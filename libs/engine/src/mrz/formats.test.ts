import { expect, test } from '@jest/globals';
import { allAgree, checkDigit, checksOf } from './checks.ts';
import { masked } from './formats.ts';

/** A French card of the old kind whose zone names the department and the office that issued it. */
const frenchCard = (office: string, number: string): string[] => {
  const first = `IDFRABERTHIER<<<<<<<<<<<<<<<<<${office}`;
  const second = `${number}${checkDigit(number)}CORINNE<<<<<<<6512068F`;
  return [first, second + checkDigit(first + second)];
};

test.each([
  ['932013', '140293101234'],
  ['2A1004', '09112A100418'],
  ['2B3<<<', '09112B300418'],
  ['<<<<<<', '880692310285'],
])('a French card of the office %s with the number %s is read as it is written', (office, number) => {
  const lines = frenchCard(office, number);
  const read = lines.map((line, i) => masked('FRENCH_ID', i, line));
  expect(read).toEqual(lines);
  expect(allAgree(checksOf('FRENCH_ID', read))).toBe(true);
});

test('look-alikes in the office and the number of a French card are digits, in names they are letters', () => {
  const [first, second] = frenchCard('932013', '140293101234') as [string, string];
  expect(masked('FRENCH_ID', 0, first.replace('932013', '932OI3'))).toBe(first);
  expect(masked('FRENCH_ID', 0, first.replace('BERTHIER', 'BERTH1ER'))).toBe(first);
  expect(masked('FRENCH_ID', 1, second.replace('140293101234', '14O293IO1234'))).toBe(second);
});
