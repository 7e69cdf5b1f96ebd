import { table } from '@assay/contracts/table';

/**
 * Machine-readable formats. FRENCH_ID is the national 2x36 card of France before 2021, which is not
 * ICAO's TD2.
 */
export type MrzFormat = 'TD1' | 'TD2' | 'TD3' | 'MRV-A' | 'MRV-B' | 'FRENCH_ID';

export interface Slice {
  line: number;
  from: number;
  to: number;
}

interface Layout {
  lines: number;
  length: number;
  /**
   * The characters allowed at each place of a line: D digit, d digit or filler, C digit, filler, A
   * or B, L letter, S sex, X any. A line without a mask has only letters after the document code.
   */
  masks: readonly (string | undefined)[];
  state: Slice;
  nationality: Slice;
  birthDate: Slice;
  expiryDate?: Slice;
  sex: Slice;
}

const at = (line: number, from: number, to: number): Slice => ({ line, from, to });
const X = (n: number) => 'X'.repeat(n);

const TWO_LINES = {
  lines: 2,
  state: at(0, 2, 5),
  nationality: at(1, 10, 13),
  birthDate: at(1, 13, 19),
  expiryDate: at(1, 21, 27),
  sex: at(1, 20, 21),
} as const;
const SECOND_LINE = `${X(9)}DLLLDDDDDDDSDDDDDDD`;

export const LAYOUTS: Readonly<Record<MrzFormat, Layout>> = {
  TD3: { ...TWO_LINES, length: 44, masks: [undefined, `${SECOND_LINE}${X(14)}dD`] },
  'MRV-A': { ...TWO_LINES, length: 44, masks: [undefined, `${SECOND_LINE}${X(16)}`] },
  TD2: { ...TWO_LINES, length: 36, masks: [undefined, `${SECOND_LINE}${X(7)}D`] },
  'MRV-B': { ...TWO_LINES, length: 36, masks: [undefined, `${SECOND_LINE}${X(8)}`] },
  FRENCH_ID: {
    lines: 2,
    length: 36,
    // Both lines have the department that issued the card: 2A and 2B are those of Corsica.
    masks: [`XX${'L'.repeat(28)}dCdddd`, `DDDDDC${'D'.repeat(7)}${'L'.repeat(14)}DDDDDDDSD`],
    state: at(0, 2, 5),
    nationality: at(0, 2, 5),
    birthDate: at(1, 27, 33),
    sex: at(1, 34, 35),
  },
  TD1: {
    lines: 3,
    length: 30,
    masks: [`LXLLL${X(25)}`, `DDDDDDDSDDDDDDDLLL${X(11)}D`, 'L'.repeat(30)],
    state: at(0, 2, 5),
    nationality: at(1, 15, 18),
    birthDate: at(1, 0, 6),
    expiryDate: at(1, 8, 14),
    sex: at(1, 7, 8),
  },
};

export const sliceOf = (lines: readonly string[], { line, from, to }: Slice): string => lines[line]!.slice(from, to);

const AS_DIGIT = table<string>({
  O: '0',
  Q: '0',
  D: '0',
  U: '0',
  I: '1',
  L: '1',
  J: '1',
  Z: '2',
  S: '5',
  G: '6',
  B: '8',
  T: '7',
  A: '4',
  C: '0',
});
const AS_LETTER = table<string>({
  '0': 'O',
  '1': 'I',
  '2': 'Z',
  '5': 'S',
  '6': 'G',
  '8': 'B',
  '4': 'A',
  '7': 'T',
});
const AS_SEX = table<string>({ H: 'M', N: 'M', W: 'M', P: 'F', E: 'F' });

const maskedChar = (char: string, kind: string | undefined): string => {
  if (kind === 'D') return AS_DIGIT[char] ?? char;
  if (kind === 'd') return char === '<' ? char : (AS_DIGIT[char] ?? char);
  if (kind === 'C') return 'AB<'.includes(char) ? char : (AS_DIGIT[char] ?? char);
  if (kind === 'L') return AS_LETTER[char] ?? char;
  if (kind === 'S') return 'MF<X'.includes(char) ? char : (AS_SEX[char] ?? '<');
  return char;
};

/**
 * Three fillers end a name: what follows them comes from the edge of the page or a frame and is not
 * print.
 */
const AFTER_NAMES = /(<{3,})[^<]{1,2}$/;

/** The line with look-alikes corrected where the format allows only digits or only letters. */
export const masked = (format: MrzFormat, line: number, text: string): string => {
  const mask = LAYOUTS[format].masks[line];
  const names = format === 'TD1' ? line === 2 : line === 0 && format !== 'FRENCH_ID';
  const ended = names ? text.replace(AFTER_NAMES, (all) => '<'.repeat(all.length)) : text;
  if (mask) return Array.from(ended, (char, i) => maskedChar(char, mask[i])).join('');
  return ended.slice(0, 2) + Array.from(ended.slice(2), (char) => maskedChar(char, 'L')).join('');
};

/** Whether the format allows this character at this place. */
export const allows = (format: MrzFormat, line: number, i: number, char: string): boolean => {
  const kind = LAYOUTS[format].masks[line]?.[i];
  if (kind === 'D') return /\d/.test(char);
  if (kind === 'C') return /[\dAB<]/.test(char);
  if (kind === 'L') return !/\d/.test(char);
  return true;
};
