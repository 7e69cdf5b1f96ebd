import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { paddingRemover } from './padding.ts';

const PIECES = ['--b', '\r\n--b', '\r\n', '-', 'b', ' ', '\t', 'x', '\r', '\n', '\r\n--b--'];

/** Cuts `bytes` behind each of `places`, counted from its start. */
const cutAt = (bytes: Buffer, places: readonly number[]): Buffer[] => {
  const cuts = [0, ...[...places].filter((at) => at <= bytes.length).sort((a, b) => a - b), bytes.length];
  return cuts.slice(1).map((end, n) => bytes.subarray(cuts[n], end));
};

describe('the padding of a form', () => {
  test('is removed behind boundaries and nowhere else, however the form is cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...PIECES), { maxLength: 24 }).map((pieces) => pieces.join('')),
        fc.array(fc.nat({ max: 60 }), { maxLength: 12 }),
        (form, places) => {
          const remove = paddingRemover('b');
          const passed = Buffer.concat(cutAt(Buffer.from(form), places).map(remove)).toString();
          expect(passed).toBe(`\r\n${form}`.replace(/(\r\n--b)[ \t]+/g, '$1').slice(2));
        },
      ),
    );
  });
});
