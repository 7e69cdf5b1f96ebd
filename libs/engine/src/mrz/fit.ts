import type { Cell } from './recognise.ts';

const FILLER: Cell = { char: '<', p: 0.5, alternatives: [] };
const MOST = 6;

interface Run {
  index: number;
  length: number;
}

const longestFillerRun = (text: string): Run | undefined =>
  [...text.matchAll(/<{2,}/g)]
    .map((match) => ({ index: match.index, length: match[0].length }))
    .sort((a, b) => b.length - a.length)[0];

const lengthened = (cells: readonly Cell[], missing: number, run: Run | undefined): Cell[][] => {
  const padding = Array.from({ length: missing }, () => FILLER);
  const out: Cell[][] = [];
  if (run) out.push([...cells.slice(0, run.index + 1), ...padding, ...cells.slice(run.index + 1)]);
  if (!run || run.index + run.length !== cells.length) out.push([...cells, ...padding]);
  return out;
};

const shortened = (cells: readonly Cell[], surplus: number, run: Run | undefined): Cell[][] => {
  const out: Cell[][] = [];
  if (run && run.length > surplus) out.push([...cells.slice(0, run.index), ...cells.slice(run.index + surplus)]);
  for (let i = 0; i <= surplus; i++) out.push(cells.slice(i, i + cells.length - surplus));
  if (surplus === 1)
    for (const i of cells.flatMap(({ p }, at) => (p < 0.7 ? [at] : [])).slice(0, 4))
      out.push([...cells.slice(0, i), ...cells.slice(i + 1)]);
  return out;
};

/**
 * The ways to bring a line to its length: only inside runs of fillers, at the ends, or by dropping
 * one doubtful character.
 */
export const fitted = (cells: Cell[], length: number): Cell[][] => {
  const difference = length - cells.length;
  if (difference === 0) return [cells];
  if (Math.abs(difference) > MOST) return [];
  const run = longestFillerRun(cells.map(({ char }) => char).join(''));
  return difference > 0 ? lengthened(cells, difference, run) : shortened(cells, -difference, run);
};
