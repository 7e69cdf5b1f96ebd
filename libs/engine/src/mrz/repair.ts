import { allAgree, checksOf } from './checks.ts';
import { allows, LAYOUTS, type MrzFormat, type Slice } from './formats.ts';
import type { Cell } from './recognise.ts';
import { isListedState } from './states.ts';

const MOST_ALTERNATIVES = 14;

const withChar = (lines: readonly string[], line: number, i: number, char: string): string[] =>
  lines.map((text, n) => (n === line ? text.slice(0, i) + char + text.slice(i + 1) : text));

/** The lines with names: no check digit covers them, so nothing in them is ever repaired. */
export const isNameLine = (format: MrzFormat, line: number): boolean => (format === 'TD1' ? line === 2 : line === 0);

/**
 * Replaces one character by another that the network considered, if every check digit then agrees.
 * The most probable such replacement is used; undefined if there is none. Free O/0 or I/1 exchanges
 * would make pages without an MRZ valid.
 */
export const repaired = (
  format: MrzFormat,
  lines: readonly string[],
  cells: readonly (readonly Cell[])[],
): string[] | undefined => {
  const options = cells.flatMap((row, line) =>
    isNameLine(format, line)
      ? []
      : row.flatMap((cell, i) =>
          cell.alternatives
            .filter(({ char }) => char !== lines[line]![i] && allows(format, line, i, char))
            .map(({ char, p }) => ({ line, i, char, cost: Math.log((cell.p + 1e-6) / (p + 1e-6)) })),
        ),
  );
  return options
    .sort((a, b) => a.cost - b.cost)
    .slice(0, MOST_ALTERNATIVES)
    .map(({ line, i, char }) => withChar(lines, line, i, char))
    .find((changed) => allAgree(checksOf(format, changed)));
};

interface ListedLines {
  lines: string[];
  unlisted: string[];
  changed: boolean;
}

const considered = (text: string, cells: readonly Cell[], from: number): { char: string; p: number }[][] =>
  [0, 1, 2].map((k) => [
    { char: text[from + k]!, p: cells[from + k]?.p ?? 0.5 },
    ...(cells[from + k]?.alternatives ?? []).filter(({ char }) => /[A-Z<]/.test(char) && char !== text[from + k]),
  ]);

const bestListed = (choices: { char: string; p: number }[][]): string | undefined => {
  let best: { code: string; p: number } | undefined;
  for (const a of choices[0]!)
    for (const b of choices[1]!)
      for (const c of choices[2]!) {
        const code = a.char + b.char + c.char;
        const p = a.p * b.p * c.p;
        if (isListedState(code.replace(/<+$/, '')) && (!best || p > best.p)) best = { code, p };
      }
  return best?.code;
};

/**
 * Compares state and nationality with the ICAO list. A code that is not on it is replaced only by
 * letters that the network considered.
 */
export const withListedStates = (
  format: MrzFormat,
  lines: readonly string[],
  cells: readonly (readonly Cell[])[],
): ListedLines => {
  const result: ListedLines = { lines: [...lines], unlisted: [], changed: false };
  const { state, nationality } = LAYOUTS[format];
  for (const { line, from, to } of [state, nationality] satisfies Slice[]) {
    const text = result.lines[line]!;
    const code = text.slice(from, to).replace(/<+$/, '');
    if (isListedState(code)) continue;
    const listed = bestListed(considered(text, cells[line]!, from));
    if (listed === undefined) result.unlisted.push(code);
    else {
      result.lines[line] = text.slice(0, from) + listed + text.slice(to);
      result.changed = true;
    }
  }
  return result;
};
