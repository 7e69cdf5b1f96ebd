import { heightAt, middleOf } from '../strip.ts';
import { allAgree, checksOf, datesPossible, type MrzChecks, shareAgreeing } from './checks.ts';
import { fitted } from './fit.ts';
import { LAYOUTS, type MrzFormat, masked } from './formats.ts';
import type { ReadLine } from './read-line.ts';
import type { Cell } from './recognise.ts';
import type { PrintLine } from './refine.ts';
import { isNameLine, repaired, withListedStates } from './repair.ts';
import { isMisplaced } from './unread.ts';

export interface Assembled {
  format: MrzFormat;
  lines: string[];
  checks: MrzChecks;
  /** All check digits agree, dates are possible, and the document code exists. */
  valid: boolean;
  /** One character was replaced so that the check digits agree. */
  repaired: boolean;
  /**
   * A state code that is not on the ICAO list was replaced by a listed one that the network had
   * considered.
   */
  stateReplaced: boolean;
  unlistedStates: string[];
  confidence: number;
  rank: number;
  source: PrintLine[];
  rows: readonly ReadLine[];
  /**
   * Every line was used as it was read, so the ends of the print are known to a fraction of a
   * character.
   */
  endsKnown: boolean;
}

const MOST_CANDIDATES = 80;
const NEAR = 6;

/** Same block of print: similar width, one to four letter heights apart. */
const stacked = (a: PrintLine, b: PrintLine): boolean => {
  if (Math.min(a.length, b.length) / Math.max(a.length, b.length) < 0.8) return false;
  const x = middleOf(a);
  const distance = (heightAt(b, x) - heightAt(a, x)) / Math.max(a.height, b.height);
  return distance > 1.05 && distance < 4;
};

const nameLine = (format: MrzFormat, lines: readonly string[]): string => (format === 'TD1' ? lines[2]! : lines[0]!);

const CODES: Readonly<Record<MrzFormat, RegExp>> = {
  TD1: /^[ACIR]/,
  TD2: /^[ACIPR]/,
  TD3: /^[PIACR]/,
  'MRV-A': /^V/,
  'MRV-B': /^V/,
  FRENCH_ID: /^ID/,
};

const rankOf = (found: Omit<Assembled, 'rank' | 'source' | 'rows' | 'endsKnown'>, lengthError: number): number => {
  const { format, lines, checks } = found;
  const names = nameLine(format, lines);
  let rank = shareAgreeing(checks) + (found.confidence - 0.6) * 6 - lengthError * 0.02;
  if (/^[A-Z<]+$/.test(names.slice(5))) rank += 0.1;
  if (names.includes('<<')) rank += 0.1;
  if (CODES[format].test(lines[0]!)) rank += 0.2;
  if (found.repaired || found.stateReplaced) rank -= 0.03;
  return rank + (datesPossible(format, lines) ? 0.1 : -0.2);
};

const interpret = (format: MrzFormat, cells: readonly Cell[][], confidence: number) => {
  const plain = cells.map((row, i) => masked(format, i, row.map(({ char }) => char).join('')));
  const right = allAgree(checksOf(format, plain));
  const mended = right ? undefined : repaired(format, plain, cells);
  const listed = withListedStates(format, mended ?? plain, cells);
  const checks = checksOf(format, listed.lines);
  // If everything else agrees, the issuer made the impossible date; a repair must never make one.
  const possible = mended === undefined || datesPossible(format, listed.lines);
  return {
    format,
    lines: listed.lines,
    checks,
    valid: allAgree(checks) && possible && CODES[format].test(listed.lines[0]!),
    repaired: mended !== undefined,
    stateReplaced: listed.changed,
    unlistedStates: listed.unlisted,
    confidence,
  };
};

const combinations = (options: readonly Cell[][][]): Cell[][][] =>
  options
    .reduce<Cell[][][]>((sets, next) => sets.flatMap((set) => next.map((row) => [...set, row])), [[]])
    .slice(0, MOST_CANDIDATES);

const better = (a: Assembled, b: Assembled | undefined): boolean =>
  b === undefined || (a.valid !== b.valid && a.valid ? true : a.valid === b.valid && a.rank > b.rank);

/**
 * The line from the outer edge of its first character to that of its last. The pitch of the print
 * is fixed, so this is exact.
 */
const measured = ({ line, text, printed: [first, last] }: ReadLine, length: number): PrintLine => {
  if (text.length !== length || last <= first) return line;
  const half = (last - first) / (length - 1) / 2;
  return { ...line, left: first - half, right: last + half, length: last - first + 2 * half };
};

const bestOf = (format: MrzFormat, rows: readonly ReadLine[]): Assembled | undefined => {
  const { length } = LAYOUTS[format];
  if (rows.some(({ text }) => Math.abs(text.length - length) > NEAR)) return undefined;
  if (new Set(rows.map(({ text }) => text)).size < rows.length) return undefined;
  const confidence = rows.reduce((sum, row) => sum + row.confidence, 0) / rows.length;
  const lengthError = rows.reduce((sum, { text }) => sum + Math.abs(text.length - length), 0);
  let best: Assembled | undefined;
  for (const cells of combinations(rows.map((row) => fitted(row.cells, length)))) {
    const found = interpret(format, cells, confidence);
    const isPlaced = rows.every((row, i) => isNameLine(format, i) || !isMisplaced(row, found.lines[i]!));
    const ranked = {
      ...found,
      valid: found.valid && isPlaced,
      rank: rankOf(found, lengthError),
      source: rows.map((row) => measured(row, length)),
      rows,
      endsKnown: found.lines.every((line, i) => line === rows[i]!.text),
    };
    if (better(ranked, best)) best = ranked;
  }
  return best;
};

const twoLineFormats = (first: string): MrzFormat[] => {
  if (first.startsWith('V')) return ['MRV-A', 'MRV-B'];
  return /^I[DO0]?FRA/.test(first) ? ['TD3', 'FRENCH_ID', 'TD2'] : ['TD3', 'TD2'];
};

/**
 * The best MRZ among lines sorted from top to bottom: it tries every pair and triple whose geometry
 * agrees.
 */
export const assemble = (rows: readonly ReadLine[]): Assembled | undefined => {
  let best: Assembled | undefined;
  const consider = (found: Assembled | undefined) => {
    if (found && better(found, best)) best = found;
  };
  const usable = rows.filter(({ text }) => text.length >= 24 && text.length <= 50);
  usable.forEach((a, i) => {
    usable.slice(i + 1).forEach((b, j) => {
      if (!stacked(a.line, b.line)) return;
      for (const format of twoLineFormats(a.text)) consider(bestOf(format, [a, b]));
      for (const c of usable.slice(i + j + 2)) if (stacked(b.line, c.line)) consider(bestOf('TD1', [a, b, c]));
    });
  });
  return best;
};
