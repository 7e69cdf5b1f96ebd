import { table } from '@assay/contracts/table';

/**
 * Letters that issuers write with two in the machine-readable zone; the plain letter is the other
 * reading.
 */
const TWO = table<string>({
  Ä: 'AE',
  Ö: 'OE',
  Ü: 'UE',
  Ø: 'OE',
  Å: 'AA',
  Æ: 'AE',
  ẞ: 'SS',
  ß: 'SS',
  Þ: 'TH',
  Œ: 'OE',
});
/** Letters that Unicode does not take apart. */
const ONE = table<string>({
  ß: 'SS',
  ẞ: 'SS',
  Ł: 'L',
  Đ: 'D',
  Ð: 'D',
  Ø: 'O',
  Æ: 'AE',
  Œ: 'OE',
  Þ: 'TH',
  ı: 'I',
  İ: 'I',
  Ħ: 'H',
});

/** Upper case without marks; length may change. */
export const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase();

/** Letters and digits of a text, and which character of the text each came from. */
interface Folded {
  letters: string;
  at: number[];
}

/** Folds a text to A-Z and 0-9; `double` writes Ä as AE and so on, as most issuers do. */
export const lettersOf = (text: string, double: boolean): Folded => {
  let letters = '';
  const at: number[] = [];
  Array.from(text).forEach((char, i) => {
    const upper = char === 'ß' ? char : char.toUpperCase();
    const plain = (double && TWO[upper]) || ONE[upper] || fold(char);
    for (const letter of plain.replace(/[^A-Z0-9]/g, '')) {
      letters += letter;
      at.push(i);
    }
  });
  return { letters, at };
};

/** Look-alikes of print made equal in names. */
const asName = (letters: string): string =>
  letters.replace(/0/g, 'O').replace(/1/g, 'I').replace(/5/g, 'S').replace(/8/g, 'B');

/**
 * Look-alikes of print made equal in numbers: O and 0, I and 1 are the same glyph in many fonts.
 */
const asNumber = (letters: string): string => letters.replace(/[OQ]/g, '0').replace(/[IL]/g, '1');

/** How a kind of value is compared: which print looks alike, and what marks make of letters. */
export interface Spelling {
  same: (letters: string) => string;
  /** Letters of a zone that stand for one letter in print, and what the recogniser makes of it. */
  single: readonly (readonly [zone: string, read: string])[];
}

/**
 * The recogniser's alphabet has few letters with marks and no ligatures: it reads Ä, Ö, Ø and Å
 * without their marks, Œ as E, ß as B, and Þ as P.
 */
const SINGLE: Spelling['single'] = [
  ['AE', 'A'],
  ['OE', 'OE'],
  ['UE', 'U'],
  ['AA', 'A'],
  ['SS', 'B'],
  ['TH', 'P'],
  ['UXX', 'U'],
  ['NXX', 'N'],
];

export const nameSpelling = (transliterated = false): Spelling => ({
  same: asName,
  single: transliterated ? SINGLE : [],
});
export const NUMBER_SPELLING: Spelling = { same: asNumber, single: [] };

interface Occurrence {
  edits: number;
  from: number;
  to: number;
}

/** The places of a value where several of its letters may be one letter in print. */
const singlesIn = (wanted: string, single: Spelling['single']) =>
  single.flatMap(([zone, read]) =>
    [...wanted.matchAll(new RegExp(zone, 'g'))].map(({ index }) => ({ from: index, to: index + zone.length, read })),
  );

/**
 * The best approximate occurrence of `wanted` inside `text` (edits inside it count, what surrounds
 * it does not).
 */
export const occurrenceOf = (wanted: string, text: string, single: Spelling['single'] = []): Occurrence => {
  const singles = singlesIn(wanted, single);
  const rows = [Array.from({ length: text.length + 1 }, (_, j): Occurrence => ({ edits: 0, from: j, to: j }))];
  for (let i = 1; i <= wanted.length; i++) {
    const row = rows[i - 1]!;
    const next: Occurrence[] = [{ edits: i, from: 0, to: 0 }];
    for (let j = 1; j <= text.length; j++) {
      const same = row[j - 1]!.edits + (wanted[i - 1] === text[j - 1] ? 0 : 1);
      const skipped = row[j]!.edits + 1;
      const extra = next[j - 1]!.edits + 1;
      const edits = Math.min(same, skipped, extra);
      const { from } = edits === same ? row[j - 1]! : edits === skipped ? row[j]! : next[j - 1]!;
      const asOne = singles
        .filter(({ to, read }) => to === i && read.includes(text[j - 1]!))
        .map((one) => rows[one.from]![j - 1]!)
        .find((before) => before.edits < edits);
      next.push(asOne ? { ...asOne, to: j } : { edits, from, to: j });
    }
    rows.push(next);
  }
  return rows.at(-1)!.reduce((best, one) => (one.edits < best.edits ? one : best));
};

/** Whether print says just this value. */
export const isSpelt = (wanted: string, text: string, { same, single }: Spelling): boolean => {
  const { edits, from, to } = occurrenceOf(same(wanted), same(text), single);
  return edits === 0 && from === 0 && to === text.length;
};
