import { checksWithout, type MrzChecks, type Place } from './checks.ts';
import type { MrzFormat } from './formats.ts';
import type { ReadLine } from './read-line.ts';
import type { Cell } from './recognise.ts';
import { isNameLine } from './repair.ts';

/** Below this probability, a character is a guess: on careless photographs the least had .95. */
const SURE = 0.9;
/** The gap between neighbours, against the others, that another character may have had room in. */
const GAP = 1.4;
/** Two characters that stand closer than this are read from one. */
const OVERLAP = 0.6;
/** The rows of a strip that its letters take: without the margins. */
const ROWS = { from: 4, to: 20 };
/** A character that keeps less of its line's contrast lies under a highlight, or a thing. */
const FAINT = 0.7;
const BLOWN = 250;
/** The share of blown-out pixels by which a highlight is noticed that is smaller than a letter. */
const SPOT = 0.1;
/** Columns to both sides where the paper is not blown out, if it is a spot. */
const BEYOND = 3;

type Placed = Cell & { at: number };
const isPlaced = (cell: Cell): cell is Placed => cell.at !== undefined;

const middle = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

/** The distance of neighbours, as a share of the strip: the print's pitch is fixed. */
const pitchOf = (cells: readonly Placed[]): number => {
  const gaps = cells.slice(1).map(({ at }, i) => at - cells[i]!.at);
  const near = gaps.filter((gap) => gap < GAP * middle(gaps));
  return near.reduce((sum, gap) => sum + gap, 0) / near.length;
};

/**
 * The column of each character by its place on the strip. Undefined if they do not fill the line:
 * then it is unknown where characters are missing.
 */
const columnsOf = (cells: readonly Placed[], pitch: number, length: number): number[] | undefined => {
  const columns = [0];
  for (const [i, { at }] of cells.slice(1).entries()) {
    const gap = (at - cells[i]!.at) / pitch;
    if (gap < OVERLAP) return undefined;
    columns.push(columns[i]! + (gap < GAP ? 1 : Math.round(gap)));
  }
  return columns.at(-1) === length - 1 ? columns : undefined;
};

interface Ink {
  /** How much darker than its paper, 0..1: shadow takes nothing of it, a highlight does. */
  contrast: number;
  blown: number;
}

const inkAt = ({ strip: { width, data } }: ReadLine, { at }: Placed, pitch: number): Ink => {
  const from = Math.max(0, Math.round((at - pitch / 2) * width));
  const to = Math.min(width, Math.round((at + pitch / 2) * width));
  const values: number[] = [];
  for (let y = ROWS.from; y < ROWS.to; y++) values.push(...data.subarray(y * width + from, y * width + to));
  values.sort((a, b) => a - b);
  const [ink, paper] = [values[values.length >> 5] ?? 0, values[Math.floor(values.length * 0.9)] ?? 0];
  return {
    contrast: paper > 0 ? 1 - ink / paper : 0,
    blown: values.filter((value) => value >= BLOWN).length / Math.max(1, values.length),
  };
};

/** Which characters were guessed, or lie under something that takes their contrast. */
const doubtful = (row: ReadLine, cells: readonly Placed[], pitch: number): boolean[] => {
  const inks = cells.map((cell) => inkAt(row, cell, pitch));
  const common = middle(inks.map(({ contrast }) => contrast));
  const isClear = (i: number, blown: number) => (inks[i]?.blown ?? 0) * 3 < blown;
  return cells.map(({ p }, i) => {
    const { contrast, blown } = inks[i]!;
    const isSpot = blown >= SPOT && isClear(i - BEYOND, blown) && isClear(i + BEYOND, blown);
    return p < SURE || contrast < FAINT * common || isSpot;
  });
};

/** The columns of a line whose characters were not surely read. */
const unreadColumns = (row: ReadLine, line: string): number[] => {
  const all = Array.from(line, (_, column) => column);
  const cells = row.cells.filter(isPlaced);
  const pitch = pitchOf(cells);
  const columns = columnsOf(cells, pitch, line.length);
  if (!columns) return all;
  const doubts = doubtful(row, cells, pitch);
  const isWhole = cells.length === line.length;
  const sure = new Set(columns.filter((column, i) => !doubts[i] && (isWhole || cells[i]!.char === line[column])));
  // What hides a character may take a part of the next one, which is then read as another.
  return all.filter((column) =>
    [column - 1, column, column + 1].some((near) => near >= 0 && near < line.length && !sure.has(near)),
  );
};

/**
 * Characters were put in to fill the line, and not where some are missing by the places of the
 * others: what was read stands in the wrong columns, and agrees with check digits by chance.
 */
export const isMisplaced = (row: Pick<ReadLine, 'cells'>, line: string): boolean => {
  const cells = row.cells.filter(isPlaced);
  if (cells.length >= line.length) return false;
  const columns = columnsOf(cells, pitchOf(cells), line.length);
  return columns?.some((column, i) => cells[i]!.char !== '<' && line[column] === '<') ?? false;
};

interface ZoneRead {
  format: MrzFormat;
  lines: readonly string[];
  checks: MrzChecks;
  rows: readonly ReadLine[];
}

/** How many characters of the names, which no check digit covers, were not surely read. */
export const unreadInNames = ({ format, lines, rows }: Omit<ZoneRead, 'checks'>): number =>
  rows.reduce((sum, row, i) => sum + (isNameLine(format, i) ? unreadColumns(row, lines[i]!).length : 0), 0);

/**
 * What a zone whose check digits disagree says for certain: the checks that agree or fail whatever
 * the characters are that were not surely read, and how many those are.
 */
export const certainOf = ({ format, lines, checks, rows }: ZoneRead): { checks: MrzChecks; unread: number } => {
  const unread = rows.flatMap((row, line) =>
    unreadColumns(row, lines[line]!).map((column): Place => ({ line, column })),
  );
  return { checks: checksWithout(format, lines, checks, unread), unread: unread.length };
};
