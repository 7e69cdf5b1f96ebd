import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type FieldCheck, matcherFor } from './match.ts';
import { type Glyph, type UnreadLetters, unreadIn } from './unread.ts';

const STEP = 8;
const LETTER = 20;
/** A light strip with letters whose middles are at these steps; some of them were read. */
const unread = (printed: readonly number[], read: readonly (readonly [step: number, p?: number])[], steps: number) => {
  const width = steps * STEP;
  const data = new Float32Array(width * 48).fill(210);
  for (const step of printed) {
    const from = Math.round((step + 0.5) * STEP - LETTER / 2);
    for (let y = 12; y < 36; y++) data.fill(60, y * width + from, y * width + from + LETTER);
  }
  const glyphs = read.map(([step, p = 0.99], at): Glyph => ({ at, step, p }));
  return unreadIn(glyphs, steps, { width, height: 48, data });
};

describe('letters that the recogniser passes over', () => {
  test('ink between two letters, before the first and behind the last one is a letter', () => {
    expect(unread([2, 7, 12], [[2], [12]], 15)).toEqual({ before: [1], instead: [] });
    expect(unread([2, 7, 11], [[7], [11]], 14)).toEqual({ before: [0], instead: [] });
    expect(unread([2, 7, 12], [[2], [7]], 15)).toEqual({ before: [2], instead: [] });
  });

  test('a letter that is not read surely may be another', () => {
    expect(unread([2, 7, 12], [[2], [7, 0.4], [12]], 15)).toEqual({ before: [], instead: [1] });
    expect(unread([2, 7, 12], [[2], [7, 0.92], [12]], 15)).toEqual({ before: [], instead: [1] });
    expect(unread([2, 7, 12], [[2], [7, 0.95], [12]], 15)).toBeUndefined();
  });

  test('a gap without ink is none, and letters side by side have none', () => {
    expect(unread([2, 12], [[2], [12]], 15)).toBeUndefined();
    expect(unread([2, 7, 12], [[2], [7], [12]], 15)).toBeUndefined();
    expect(unread([], [], 15)).toBeUndefined();
  });
});

const surnameIn = (surname: string, text: string, seen?: UnreadLetters): FieldCheck['match'] | undefined => {
  const matcher = matcherFor({ transliterated: true, surname });
  matcher.look({ text, ...(seen && { unread: seen }) });
  return matcher.result().surname?.match;
};

const AGREED: unknown[] = ['exact', 'unread'];

describe('a name with letters that were not read', () => {
  test.each<[string, string, number[], number[]]>([
    ['ELIYEV', 'LIYEV', [0], []],
    ['MEMMEDOV', 'MMMDOV', [1, 3], []],
    ['NGUYEN', 'NGUYUN', [], [4]],
    ['HUONG', 'HNG', [1], []],
    ['LAI', 'LAUI', [], [2]],
    ['GULNARE', 'Gulnar', [6], []],
    ['STRASSER', 'STRAER', [4], []],
    ['ELIYEV', 'Surname LIYEV', [8], []],
  ])('%s is not contradicted by %s', (surname, text, before, instead) => {
    expect(surnameIn(surname, text, { before, instead })).toBe('unread');
    expect(AGREED).not.toContain(surnameIn(surname, text));
  });

  test('what was read surely has to agree', () => {
    expect(AGREED).not.toContain(surnameIn('ELIYEV', 'LIYAV', { before: [0], instead: [] }));
    expect(AGREED).not.toContain(surnameIn('MEMMEDOV', 'MMMBOV', { before: [1, 3], instead: [] }));
    expect(AGREED).not.toContain(surnameIn('ELIYEV', 'LIYEVA', { before: [0], instead: [] }));
  });

  test('a consonant is not hidden', () => {
    expect(surnameIn('BLIYEV', 'LIYEV', { before: [0], instead: [] })).toBe('near');
    expect(surnameIn('NGUYEN', 'NGUYEM', { before: [], instead: [5] })).toBe('near');
  });

  test('a letter that the zone lacks is no agreement', () => {
    expect(surnameIn('TRN', 'TRN', { before: [2], instead: [] })).toBe('unread');
    expect(surnameIn('LIYEV', 'LIYEV', { before: [0], instead: [] })).toBe('unread');
    expect(surnameIn('LIYEV', 'Surname LIYEV', { before: [8], instead: [] })).toBe('unread');
    expect(surnameIn('GULNAR', 'GULNAR', { before: [6], instead: [] })).toBe('unread');
    expect(surnameIn('LIYEV', 'Surname LIYEV', { before: [0], instead: [] })).toBe('exact');
  });

  test('an unsure letter that agrees is that letter', () => {
    expect(surnameIn('ELIYEV', 'ELIYEV', { before: [], instead: [2] })).toBe('exact');
  });

  test('a name of which more than half was not read was not seen', () => {
    expect(AGREED).not.toContain(surnameIn('ELE', 'L', { before: [0, 1], instead: [] }));
  });

  const LETTERS = 'ACDEFGHJKLMNOPRTUVWXYZ';
  const name = fc.stringMatching(/^[ACDEFGHJKLMNOPRTUVWXYZ]{4,12}$/);

  test('one letter that was read surely and is another is never agreement, whatever was not read', () => {
    const changed = fc.record({ surname: name, other: fc.constantFrom(...LETTERS), n: fc.nat(), m: fc.nat() });
    fc.assert(
      fc.property(changed, ({ surname, other, n, m }) => {
        const [at, lost] = [n % surname.length, m % surname.length];
        fc.pre(surname[at] !== other && at !== lost);
        const letters = [...surname].map((letter, i) => (i === at ? other : letter));
        // Beside the letter that is lost, the others may be read as another name's.
        fc.pre(Math.abs(at - lost) > 1);
        const text = letters.filter((_, i) => i !== lost).join('');
        const seen = { before: [lost], instead: [] };
        expect(AGREED).not.toContain(surnameIn(surname, text, seen));
      }),
    );
  });

  test('letters that are nowhere on the page are missing', () => {
    fc.assert(
      fc.property(name, fc.nat(), (surname, n) => {
        const at = n % surname.length;
        // Å, Ä and their like are two letters in a zone.
        fc.pre(!/AA|AE|OE|UE|UXX|NXX|TH|DJ/.test(surname));
        const text = surname.slice(0, at) + surname.slice(at + 1);
        expect(AGREED).not.toContain(surnameIn(surname, text));
      }),
    );
  });
});
