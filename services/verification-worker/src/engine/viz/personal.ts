import countries from 'i18n-iso-countries';
import english from 'i18n-iso-countries/langs/en.json' with { type: 'json' };
import { fold } from './letters.ts';
import type { ExpectedValues } from './match.ts';

countries.registerLocale(english);

/** Letters that stand for the sex on documents: French H and German W, Polish K beside M and F. */
const SEXES: Readonly<Record<string, 'M' | 'F' | 'X'>> = { M: 'M', H: 'M', F: 'F', W: 'F', K: 'F', X: 'X' };
const LABEL = /\b(?:15 ?)?(?:SEX[EO]?|GENDER|GESCHLECHT|SESSO)\b[^A-Z0-9]*(.*)$/;
const ALONE = /^([MFXHWK])(?: ?\/ ?[MFXHWK])?$/;

const printedSexes = (lines: readonly { text: string }[]): Set<string> => {
  const found = new Set<string>();
  for (const { text } of lines) {
    const folded = fold(text).trim();
    const value = LABEL.exec(folded)?.[1]?.trim() ?? folded;
    const letter = ALONE.exec(value)?.[1];
    const sex = letter && SEXES[letter];
    if (sex) found.add(sex);
  }
  return found;
};

const sexCheck = (lines: readonly { text: string }[], expected: 'M' | 'F' | 'X'): 'OK' | 'WARNING' | 'UNVERIFIED' => {
  const printed = printedSexes(lines);
  if (printed.has(expected)) return 'OK';
  const opposite = expected === 'M' ? 'F' : 'M';
  return expected !== 'X' && printed.has(opposite) ? 'WARNING' : 'UNVERIFIED';
};

/** The first five letters of a country's name are mostly those of its nationality too: UTOPIA, UTOPIAN. */
const STEM = 5;

const nationalityCheck = (lines: readonly { text: string }[], code: string): 'OK' | 'UNVERIFIED' => {
  const name = code === 'UTO' ? 'UTOPIA' : fold(countries.getName(code, 'en') ?? '');
  const stem = name.replace(/[^A-Z]/g, '').slice(0, STEM);
  const words = lines.flatMap(({ text }) => fold(text).split(/[^A-Z]+/));
  const seen = words.some((word) => word === code || (stem.length === STEM && word.startsWith(stem)));
  return seen ? 'OK' : 'UNVERIFIED';
};

/** Sex and nationality as printed against the machine-readable part. */
export const personalChecks = (lines: readonly { text: string }[], { sex, nationality }: ExpectedValues) => ({
  ...(sex && { sex: sexCheck(lines, sex) }),
  ...(nationality && { nationality: nationalityCheck(lines, nationality) }),
});
