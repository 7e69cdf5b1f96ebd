import { expect, test } from '@jest/globals';
import { erasedIds } from './erased.ts';

const ID = 'aa3e6553-0d3c-4a59-9f11-2f4ce2b3f0d1';
const OTHER = 'bb3e6553-0d3c-4a59-9f11-2f4ce2b3f0d1';

test('a list of erased identities has an id on each line that is not blank', () =>
  expect(erasedIds(`\ufeff${ID}\r\n\n ${OTHER.toUpperCase()} \n`)).toEqual([ID, OTHER]));

test.each([
  ['cut off', ID.slice(0, -1)],
  ['with a comma behind it', `${ID},`],
  ['beside another one', `${ID} ${ID}`],
])('a line with an id %s is named and nothing is restored', (_what, line) =>
  expect(() => erasedIds(`${OTHER}\n${line}\n`)).toThrow('--erased: line 2 is not the id of an identity'),
);
