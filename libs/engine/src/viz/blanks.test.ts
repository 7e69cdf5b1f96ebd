import { describe, expect, test } from '@jest/globals';
import { blanksIn, type Step } from './blanks.ts';

const STEP = 8;
const LETTER = 20;
/** A light strip with letters at these steps, and what the net has of a blank before each. */
const blanks = (
  letters: readonly (readonly [step: number, blank?: number])[],
  steps: number,
  char = 'A',
): boolean[] => {
  const width = steps * STEP;
  const data = new Float32Array(width * 48).fill(210);
  for (const [step] of letters) {
    const from = Math.round((step + 0.5) * STEP - LETTER / 2);
    for (let y = 12; y < 36; y++) data.fill(60, y * width + from, y * width + from + LETTER);
  }
  const read = letters.map(([step, blank = 0.0001]): Step => ({ char, step, blank }));
  return blanksIn(read, steps, { width, height: 48, data });
};

describe('blanks that the recogniser drops', () => {
  test('a trace of one is enough, wherever it is', () => {
    expect(blanks([[2], [5, 0.09], [8]], 11)).toEqual([false, true, false]);
  });

  test('less than a trace is enough in a wide gap alone', () => {
    expect(blanks([[2], [5], [10, 0.03], [13]], 16)).toEqual([false, false, true, false]);
    expect(blanks([[2], [5], [8, 0.06], [11]], 14)).toEqual([false, false, false, false]);
    expect(blanks([[2], [6], [10, 0.06], [14]], 17)).toEqual([false, false, false, false]);
  });

  test('digits stand apart in many typefaces', () => {
    expect(blanks([[2], [5], [10, 0.03], [13]], 16, '1')).toEqual([false, false, false, false]);
  });

  test('a wide gap alone is none', () => {
    expect(blanks([[2], [5], [10], [13]], 16)).toEqual([false, false, false, false]);
  });

  test('the foot of a letter fills a gap', () => {
    const width = 16 * STEP;
    const data = new Float32Array(width * 48).fill(210);
    for (const step of [2, 5, 10, 13]) {
      const from = Math.round((step + 0.5) * STEP - LETTER / 2);
      for (let y = 12; y < 42; y++) data.fill(60, y * width + from, y * width + from + LETTER);
    }
    const read = [2, 5, 10, 13].map((step): Step => ({ char: 'L', step, blank: step === 10 ? 0.05 : 0 }));
    const strip = { width, height: 48, data };
    expect(blanksIn(read, 16, strip)).toEqual([false, false, true, false]);
    for (let y = 39; y < 42; y++) data.fill(60, y * width + 5 * STEP, y * width + 10 * STEP);
    expect(blanksIn(read, 16, strip)).toEqual([false, false, false, false]);
  });

  test('no line begins with one', () => {
    expect(blanks([[5, 0.9], [8]], 11)).toEqual([false, false]);
    expect(blanks([], 11)).toEqual([]);
  });
});
