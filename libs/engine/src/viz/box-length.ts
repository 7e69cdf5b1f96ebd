import type { TextBox } from './ocr.ts';

export const aspectOf = (box: TextBox): number => (box.right - box.left) / box.height;

/**
 * How far the characters that a box may hold are from the nearest of these lengths: PP-OCR's boxes
 * are about 1.9 characters long per height, give or take.
 */
export const fewestAway = (box: TextBox, lengths: readonly number[]): number => {
  const characters = aspectOf(box) * 1.9;
  return Math.min(...lengths.map((length) => Math.abs(Math.log(characters / length))));
};
