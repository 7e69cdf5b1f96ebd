import { table } from '@assay/contracts/table';
import { UNREAD, type UnreadLetters } from './unread.ts';

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

/** The letters A-Z and digits of a text. */
export const plain = (text: string): string => fold(text).replace(/[^A-Z0-9]/g, '');

const NO_LETTER = new RegExp(`[^A-Z0-9${UNREAD}]`, 'g');

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
    for (const letter of plain.replace(NO_LETTER, '')) {
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
  /** Whether print may have letters that the recogniser does not know. */
  unknown: boolean;
}

/**
 * The recogniser's alphabet has few letters with marks and no ligatures: it reads Ä, Ö, Ø and Å
 * without their marks, Œ and Æ as E, ß as B, and Þ as P. Đ is D or DJ in zones.
 */
const SINGLE: Spelling['single'] = [
  ['AE', 'AE'],
  ['OE', 'OE'],
  ['UE', 'U'],
  ['AA', 'A'],
  ['SS', 'B'],
  ['TH', 'P'],
  ['DJ', 'D'],
  ['UXX', 'U'],
  ['NXX', 'N'],
];

export const nameSpelling = (transliterated = false): Spelling => ({
  same: asName,
  single: transliterated ? SINGLE : [],
  unknown: transliterated,
});
export const NUMBER_SPELLING: Spelling = { same: asNumber, single: [], unknown: false };

/**
 * What a letter costs that is printed and was not read: more than nothing, and all of a name less
 * than an edit.
 */
export const HIDDEN = 1 / 64;
/**
 * What it costs that print has further names than the value, or one of the two says some names in
 * short: more than letters that were not read, less than an edit.
 */
export const PARTLY = 1 / 2;
/** What such a letter may be in a zone: a vowel, two of them, or the two of a capital ß. */
const VOWEL = /^[AEIOUY]$/;
const TWO_HIDDEN = /^([AEIOUY]{2}|SS)$/;

/** Whether only letters that were not read, or further names, keep a value from being seen. */
export const isHidden = (edits: number): boolean => edits > 0 && edits < 1;
/** Whether print says more names, or less of them. */
export const isPartly = (edits: number): boolean => isHidden(edits) && edits >= PARTLY;
/** How many letters were not read. */
export const hiddenIn = (edits: number): number => Math.round((edits % PARTLY) / HIDDEN);

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

/** The best approximate occurrences of `wanted` in `text`, one for each place where it may end. */
const endingsOf = (
  wanted: string,
  text: string,
  single: Spelling['single'],
  hidden: readonly boolean[],
): readonly Occurrence[] => {
  const singles = singlesIn(wanted, single);
  const rows = [Array.from({ length: text.length + 1 }, (_, j): Occurrence => ({ edits: 0, from: j, to: j }))];
  for (let i = 1; i <= wanted.length; i++) {
    const row = rows[i - 1]!;
    const next: Occurrence[] = [{ edits: i, from: 0, to: 0 }];
    for (let j = 1; j <= text.length; j++) {
      const isHere = hidden[j - 1] === true;
      const other = isHere && VOWEL.test(wanted[i - 1]!) ? HIDDEN : 1;
      const same = row[j - 1]!.edits + (wanted[i - 1] === text[j - 1] ? 0 : other);
      const skipped = row[j]!.edits + 1;
      const extra = next[j - 1]!.edits + (isHere ? HIDDEN : 1);
      const edits = Math.min(same, skipped, extra);
      const { from } = edits === same ? row[j - 1]! : edits === skipped ? row[j]! : next[j - 1]!;
      const asOne = singles
        .filter(({ to, read }) => to === i && read.includes(text[j - 1]!))
        .map((one) => rows[one.from]![j - 1]!)
        .find((before) => before.edits < edits);
      const two = isHere && TWO_HIDDEN.test(wanted.slice(i - 2, i)) ? rows[i - 2]![j - 1]! : undefined;
      if (asOne) next.push({ ...asOne, to: j });
      else if (two && two.edits + HIDDEN < edits) next.push({ edits: two.edits + HIDDEN, from: two.from, to: j });
      else next.push({ edits, from, to: j });
    }
    rows.push(next);
  }
  return rows.at(-1)!;
};

const bestAmong = (endings: readonly Occurrence[]): Occurrence => {
  // Of letters that were not read, one more may belong to the value: UI for I.
  const isLonger = (one: Occurrence, best: Occurrence) =>
    isHidden(one.edits) && one.edits === best.edits && one.from === best.from;
  return endings.reduce((best, one) => (one.edits < best.edits || isLonger(one, best) ? one : best));
};

/**
 * The best approximate occurrence of `wanted` inside `text` (edits inside it count, what surrounds
 * it does not). `hidden` says where the text has a letter that was not read, or not surely.
 */
export const occurrenceOf = (
  wanted: string,
  text: string,
  single: Spelling['single'] = [],
  hidden: readonly boolean[] = [],
): Occurrence => bestAmong(endingsOf(wanted, text, single, hidden));

/**
 * The best occurrence, and all others that say the whole value: DOE ends behind its O as well if
 * that stands for OE, and LI is in OLIVIA before it stands alone.
 */
export const occurrencesOf = (
  wanted: string,
  text: string,
  single: Spelling['single'],
  hidden: readonly boolean[],
): Occurrence[] => {
  const endings = endingsOf(wanted, text, single, hidden);
  const best = bestAmong(endings);
  return [best, ...endings.filter((one) => one !== best && one.edits < 1)];
};

/** Letters at least that print needs to say the value: some are one for two. */
export const fewestLetters = (wanted: string, single: Spelling['single']): number =>
  wanted.length - singlesIn(wanted, single).reduce((sum, { from, to }) => sum + to - from - 1, 0);

/** A text with what was not read in its place, and where it is not what it seems. */
export const withUnread = (text: string, { before, instead }: UnreadLetters) => {
  const chars: string[] = [];
  const hidden: boolean[] = [];
  const put = (char: string, isHidden: boolean) => {
    chars.push(char);
    hidden.push(isHidden);
  };
  const read = [...text, ''];
  for (const [i, char] of read.entries()) {
    if (before.includes(i)) put(UNREAD, true);
    if (char !== '') put(char, instead.includes(i));
  }
  return { text: chars.join(''), hidden };
};

/** Whether print says just this value. */
export const isSpelt = (wanted: string, text: string, { same, single }: Spelling): boolean => {
  const found = occurrencesOf(same(wanted), same(text), single, []);
  return found.some(({ edits, from, to }) => edits === 0 && from === 0 && to === text.length);
};

/** Whether print begins with this value. */
export const isBegun = (wanted: string, text: string, { same, single }: Spelling): boolean =>
  occurrencesOf(same(wanted), same(text), single, []).some(({ edits, from }) => edits === 0 && from === 0);
