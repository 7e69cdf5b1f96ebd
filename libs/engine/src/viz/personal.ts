import { table } from '@assay/contracts/table';
import countries from 'i18n-iso-countries';
import english from 'i18n-iso-countries/langs/en.json' with { type: 'json' };
import { fold } from './letters.ts';
import type { ExpectedValues } from './match.ts';

countries.registerLocale(english);

/** Letters that stand for the sex on documents: French H and German W, Polish K beside M and F. */
const SEXES = table<'M' | 'F' | 'X'>({ M: 'M', H: 'M', F: 'F', W: 'F', K: 'F', X: 'X' });
const LABEL = /\b(?:15 ?)?(?:SEX[EO]?|GENDER|GESCHLECHT|SESSO)\b[^A-Z0-9]*(.*)$/;
const ALONE = /^([MFXHWK])(?: ?\/ ?[MFXHWK])?$/;

/** The label of the sex, with nothing but another language of it behind. */
export const isSexLabel = (text: string): boolean => LABEL.test(fold(text).trim());

/** The letters for a sex that stand alone or behind their label, by what they mean. */
const printedSexes = <L extends { text: string }>(lines: readonly L[]): Map<string, { text: string; line: L }> => {
  const found = new Map<string, { text: string; line: L }>();
  for (const line of lines) {
    const folded = fold(line.text).trim();
    const text = LABEL.exec(folded)?.[1]?.trim() ?? folded;
    const letter = ALONE.exec(text)?.[1];
    const sex = letter && SEXES[letter];
    if (sex) found.set(sex, { text, line });
  }
  return found;
};

/** The sex as it is printed, and the line it is printed in. */
export const sexLine = <L extends { text: string }>(lines: readonly L[], sex: 'M' | 'F' | 'X' | undefined) =>
  sex && printedSexes(lines).get(sex);

const sexCheck = (lines: readonly { text: string }[], expected: 'M' | 'F' | 'X'): 'OK' | 'WARNING' | 'UNVERIFIED' => {
  const printed = printedSexes(lines);
  if (printed.has(expected)) return 'OK';
  const opposite = expected === 'M' ? 'F' : 'M';
  return expected !== 'X' && printed.has(opposite) ? 'WARNING' : 'UNVERIFIED';
};

/**
 * The first five letters of a country's name are mostly those of its nationality too: UTOPIA,
 * UTOPIAN.
 */
const STEM = 5;

const nameOf = (code: string): string => (code === 'UTO' ? 'UTOPIA' : fold(countries.getName(code, 'en') ?? ''));

/** The nationality as it is printed: the code, or a word with the stem of the country's name. */
export const nationalityIn = (lines: readonly { text: string }[], code: string): string | undefined => {
  const stem = nameOf(code)
    .replace(/[^A-Z]/g, '')
    .slice(0, STEM);
  const words = lines.flatMap(({ text }) => text.split(/[^\p{L}]+/u)).filter(Boolean);
  return words.find((word) => fold(word) === code || (stem.length === STEM && fold(word).startsWith(stem)));
};

/** The country's English name, or its code, as it is printed. */
export const countryIn = (lines: readonly { text: string }[], code: string): string | undefined => {
  for (const { text } of lines) {
    const at = fold(text).search(new RegExp(`\\b(${nameOf(code) || code}|${code})\\b`));
    if (at >= 0 && fold(text).length === text.length) return /^[\p{L} ]+/u.exec(text.slice(at))?.[0].trim();
  }
  return undefined;
};

/** Sex and nationality as printed against the machine-readable part. */
export const personalChecks = (lines: readonly { text: string }[], { sex, nationality }: ExpectedValues) => ({
  ...(sex && { sex: sexCheck(lines, sex) }),
  ...(nationality && { nationality: nationalityIn(lines, nationality) ? ('OK' as const) : ('UNVERIFIED' as const) }),
});
