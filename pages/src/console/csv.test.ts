import { expect, test } from '@jest/globals';
import { csvOf } from './csv.ts';

test.each([
  [['a', 'b'], 'a,b'],
  [['a,b', 'say "x"', 'two\nlines'], '"a,b","say ""x""","two\nlines"'],
  [['=1+1', '@x', '-2'], "'=1+1,'@x,'-2"],
  [['\n=1', ' =1', '\uff1d1', 'a'], "\"'\n=1\",' =1,'\uff1d1,a"],
  [['a;=1+1', 'a\t=1'], '"a;=1+1","a\t=1"'],
])('%j is written so that a spreadsheet reads it as text', (row, line) => {
  expect(csvOf([row])).toBe(`${line}\r\n`);
});
