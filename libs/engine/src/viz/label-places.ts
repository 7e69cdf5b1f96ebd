import type { TextBox } from './ocr.ts';

/** In heights of a value: how far its label stands from it. */
const REACH = { least: 0.4, rows: 2.6, aside: 2, left: 6, row: 0.5 };

/** How far a line is below where another one's row continues: the page may lie aslant. */
export const rowsBelow = (upper: TextBox, lower: TextBox): number =>
  lower.y - upper.y - lower.slope * (lower.x - upper.x);

const isAligned = (value: TextBox, box: TextBox): boolean =>
  Math.abs(box.left - value.left) < REACH.aside * value.height;
const isFar = (rows: number, { height }: TextBox): boolean => rows > REACH.least * height && rows < REACH.rows * height;

/** The line right above a value, where its label mostly is. */
export const labelAbove = (value: TextBox, boxes: readonly TextBox[]): TextBox | undefined =>
  boxes
    .filter((box) => isAligned(value, box) && isFar(rowsBelow(box, value), value))
    .sort((a, b) => rowsBelow(a, value) - rowsBelow(b, value))[0];

/** The line right below a value: its label, on some layouts. */
export const labelBelow = (value: TextBox, boxes: readonly TextBox[]): TextBox | undefined =>
  boxes
    .filter((box) => isAligned(value, box) && isFar(rowsBelow(value, box), value))
    .sort((a, b) => rowsBelow(value, a) - rowsBelow(value, b))[0];

/** The line before a value in its row. */
export const labelBeside = (value: TextBox, boxes: readonly TextBox[]): TextBox | undefined =>
  boxes
    .filter((box) => Math.abs(rowsBelow(box, value)) < REACH.row * value.height && box.x < value.left)
    .filter((box) => value.left - box.right < REACH.left * value.height)
    .sort((a, b) => b.right - a.right)[0];
