import { describe, expect, test } from '@jest/globals';
import { personalChecks } from './personal.ts';
import type { PlacedLine } from './placed-line.ts';

const at = (text: string, left: number, y: number, height = 28): PlacedLine => {
  return { side: 'FRONT', text, confidence: 0.99, left, right: left + 60, x: left + 30, y, height, slope: 0 };
};
const sexOf = (sex: 'M' | 'F' | 'X', ...lines: { text: string }[]) => personalChecks(lines, { sex }).sex;
const below = (letter: string) => [at('Sex/ Sexe', 860, 440, 18), at(letter, 862, 466)];

describe('the sex in print against a zone', () => {
  test('the same letter agrees, in any language', () => {
    expect(sexOf('F', { text: 'Sex W' })).toBe('OK');
    expect(sexOf('M', ...below('M'))).toBe('OK');
    expect(sexOf('X', ...below('X'))).toBe('OK');
  });

  test('another letter behind or below its label contradicts, X as well', () => {
    expect(sexOf('M', ...below('F'))).toBe('WARNING');
    expect(sexOf('M', ...below('X'))).toBe('WARNING');
    expect(sexOf('X', ...below('M'))).toBe('WARNING');
    expect(sexOf('X', { text: 'Sexe: F' })).toBe('WARNING');
    expect(sexOf('F', { text: 'Sex X' })).toBe('WARNING');
  });

  test('a letter that stands elsewhere is no X, and does not contradict one', () => {
    expect(sexOf('M', ...[at('Sex', 860, 440, 18), at('X', 100, 466)])).toBe('UNVERIFIED');
    expect(sexOf('X', { text: 'M' })).toBe('UNVERIFIED');
    expect(sexOf('M', { text: 'F' })).toBe('WARNING');
  });

  test('a sex that is not printed is unknown', () => {
    expect(sexOf('X', { text: 'Sex' })).toBe('UNVERIFIED');
    expect(sexOf('M', { text: 'SPECIMEN' })).toBe('UNVERIFIED');
  });
});
