import { expect, test } from '@jest/globals';
import { consentWords, findingWords } from '../../client/src/show/words.ts';
import { table } from './table.ts';
import { indicatorWords } from './words.ts';

const INHERITED = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__', '__defineGetter__'];

test.each(INHERITED)('a table has no inherited entry %s', (name) => {
  const one = table({ a: 1 });
  expect([one.a, one[name], name in one]).toEqual([1, undefined, false]);
});

test.each(INHERITED)('%s is an ordinary word in a proof or an evaluation', (name) => {
  for (const said of [indicatorWords(name), findingWords(`${name}_OK`), consentWords(name)]) {
    expect(typeof said).toBe('string');
    expect(said).not.toContain('native code');
  }
});
