import { expect, test } from '@jest/globals';
import { csvOf } from './csv.ts';

test.each([
  [['a', 'b'], 'a,b'],
  [['a,b', 'say "x"', 'two\nlines'], '"a,b","say ""x""","two\nlines"'],
  [['=1+1', '@x', '-2'], "'=1+1,'@x,'-2"],
])('%j is written so that a spreadsheet reads the text', (row, line) => {
  expect(csvOf([row])).toBe(`${line}\r\n`);
});
