import { table } from '@assay/contracts/table';
import countries from 'i18n-iso-countries';
import english from 'i18n-iso-countries/langs/en.json' with { type: 'json' };
import { fold } from './letters.ts';
import type { ExpectedValues } from './match.ts';
import type { PlacedLine } from './placed-line.ts';

countries.registerLocale(english);

/** Letters that stand for the sex on documents: French H and German W, Polish K beside M and F. */
const SEXES = table<'M' | 'F' | 'X'>({ M: 'M', H: 'M', F: 'F', W: 'F', K: 'F', X: 'X' });
const LABEL = /\b(?:15 ?)?(?:SEX[EO]?|GENDER|GESCHLECHT|SESSO)\b[^A-Z0-9]*(.*)$/;
const ALONE = /^([MFXHWK])(?: ?\/ ?[MFXHWK])?$/;

/** The label of the sex, with nothing but another language of it behind. */
export const isSexLabel = (text: string): boolean => LABEL.test(fold(text).trim());

/** Where a line stands, as far as it is known. */
type Placed = { text: string } & Partial<Omit<PlacedLine, 'text'>>;

interface Letter<L> {
  sex: 'M' | 'F' | 'X';
  text: string;
  line: L;
  /** Behind or below its label; what stands alone elsewhere may be no sex. */
  labelled: boolean;
}

/** Heights a letter stands below its label at most. */
const BELOW = 2.6;
const isBelow = (label: Placed, { side, left, x, y, height }: Placed): boolean => {
  if (label.left === undefined || label.side !== side) return false;
  const gap = y! - label.y! - (label.slope ?? 0) * (x! - label.x!);
  return gap > 0.4 * height! && gap < BELOW * height! && Math.abs(left! - label.left) < 2 * height!;
};

/** The letters for a sex that stand alone or behind their label, by what they mean. */
const printedSexes = <L extends Placed>(lines: readonly L[]): Letter<L>[] => {
  const labels = lines.filter(({ text }) => isSexLabel(text));
  return lines.flatMap((line) => {
    const folded = fold(line.text).trim();
    const behind = LABEL.exec(folded)?.[1]?.trim();
    const text = behind ?? folded;
    const sex = SEXES[ALONE.exec(text)?.[1] ?? ''];
    const labelled = behind !== undefined || labels.some((label) => isBelow(label, line));
    return sex ? [{ sex, text, line, labelled }] : [];
  });
};

/** The sex as it is printed, and the line it is printed in. */
export const sexLine = <L extends Placed>(lines: readonly L[], sex: 'M' | 'F' | 'X' | undefined) =>
  printedSexes(lines).findLast((one) => one.sex === sex);

/** Another sex than the expected one. A lone X, or a letter beside an X, needs its label. */
export const otherSex = <L extends Placed>(lines: readonly L[], expected: 'M' | 'F' | 'X' | undefined) => {
  const others = printedSexes(lines).filter(({ sex }) => expected !== undefined && sex !== expected);
  return others.find(({ sex, labelled }) => labelled || (sex !== 'X' && expected !== 'X'));
};

const sexCheck = (lines: readonly Placed[], expected: 'M' | 'F' | 'X'): 'OK' | 'WARNING' | 'UNVERIFIED' => {
  if (sexLine(lines, expected)) return 'OK';
  return otherSex(lines, expected) ? 'WARNING' : 'UNVERIFIED';
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
export const personalChecks = (lines: readonly Placed[], { sex, nationality }: ExpectedValues) => ({
  ...(sex && { sex: sexCheck(lines, sex) }),
  ...(nationality && { nationality: nationalityIn(lines, nationality) ? ('OK' as const) : ('UNVERIFIED' as const) }),
});
