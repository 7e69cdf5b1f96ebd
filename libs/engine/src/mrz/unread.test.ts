import { expect, test } from '@jest/globals';
import { isMisplaced } from './unread.ts';

const LINE = 'L898902C36UTO7408122F1204159ZE184226B<<<<<10';

/** What is read of the line where the character of one column is hidden. */
const readWithout = (hidden: number) => ({
  cells: [...LINE].flatMap((char, column) =>
    column === hidden ? [] : [{ char, p: 1, alternatives: [], at: (column + 0.5) / LINE.length }],
  ),
});
/** The line filled up behind its name and numbers. */
const filled = (hidden: number): string =>
  (LINE.slice(0, hidden) + LINE.slice(hidden + 1)).replace(/<+/, (fillers) => `${fillers}<`);

test.each([
  ['a digit', 9, true],
  ['the last character before the fillers', 36, false],
  ['one of the fillers', 39, false],
  ['the last character, which may be one that nobody can place', 43, false],
])('a line without %s (%d) that is filled up is misplaced: %s', (_what, hidden, expected) => {
  expect(isMisplaced(readWithout(hidden), filled(hidden))).toBe(expected);
});

test('a line of which all was read is never misplaced', () => {
  expect(isMisplaced(readWithout(-1), `<${LINE.slice(1)}`)).toBe(false);
});
