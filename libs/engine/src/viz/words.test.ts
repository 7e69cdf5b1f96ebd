import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type ExpectedValues, matcherFor } from './match.ts';

const ZONE: ExpectedValues = { transliterated: true, surname: 'SPECIMEN', givenNames: ['BARRY'] };
const BARCODE: ExpectedValues = { surname: 'SPECIMEN', givenNames: ['BARRY', 'HENRY'] };

const surnameIn = (text: string, expected = ZONE) => {
  const matcher = matcherFor(expected);
  matcher.look({ text });
  return matcher.result().surname?.match;
};
const givenIn = (text: string, expected: ExpectedValues) => {
  const matcher = matcherFor(expected);
  matcher.look({ text });
  return matcher.result().givenNames?.match;
};

describe('a further word beside a name', () => {
  test.each(['SPECIMEN MILLER', 'MILLER SPECIMEN', 'SPECIMEN-MILLER', 'Surname SPECIMEN MILLER', 'SPECIMEN/MILLER'])(
    '%s says another name',
    (text) => expect(surnameIn(text)).toBe('partly'),
  );

  test('of given names too', () => {
    expect(givenIn('BARRY HENRY', ZONE)).toBe('partly');
    expect(givenIn('BARRY HENRY', { ...ZONE, nameTruncated: true })).toBe('exact');
  });

  test.each([
    'Surname / Nom SPECIMEN',
    '1. SPECIMEN',
    '1 LN SPECIMEN',
    'Nazwisko SPECIMEN',
    'MR SPECIMEN',
    'SPECIMEN BARRY',
    'BARRY SPECIMEN',
  ])('%s says no other: labels, titles and names of the zone', (text) => expect(surnameIn(text)).toBe('exact'));

  test('the name alone in a line of its own counts, whatever another line says', () => {
    const matcher = matcherFor(ZONE);
    for (const text of ['BARRY SPECIMEN IS THE HOLDER', 'SPECIMEN']) matcher.look({ text });
    expect(matcher.result().surname?.match).toBe('exact');
  });

  test('a foreign word never agrees', () => {
    const word = fc.stringMatching(/^[ACDEFGHJKLMNPRTUVWXYZ]{6,12}$/);
    fc.assert(
      fc.property(word, word, fc.constantFrom(' ', '-', '/', ', '), fc.boolean(), (surname, other, mark, first) => {
        const text = first ? `${other}${mark}${surname}` : `${surname}${mark}${other}`;
        expect(surnameIn(text, { transliterated: true, surname })).not.toBe('exact');
      }),
    );
  });
});

describe('names in short', () => {
  const short = { ...ZONE, givenNames: ['BARRY', 'H'] };

  test.each(['BARRY HENRY', 'BARRYHENRY', 'Given names BARRY HENRY'])('%s of a zone with an initial', (text) =>
    expect(givenIn(text, short)).toBe('partly'),
  );

  test('an initial of another name contradicts', () => {
    expect(givenIn('BARRY JAMES', short)).toBe('near');
    expect(givenIn('LARRY HENRY', short)).not.toBe('partly');
  });

  test.each(['BARRY', '2 FN BARRY', '2FNBARRY', 'BARRY H'])('a front prints %s of a barcode with more', (text) =>
    expect(givenIn(text, BARCODE)).toBe('partly'),
  );

  test('a front with another name or another first name contradicts', () => {
    for (const text of ['BARRY JAMES', 'LARRY', 'HENRY', 'BARRY J'])
      expect(['near', 'absent']).toContain(givenIn(text, BARCODE));
  });

  test('a zone with more names than print contradicts', () => {
    expect(givenIn('BARRY', { ...BARCODE, transliterated: true })).toBe('absent');
  });

  test('only the names that a barcode marks as truncated may go on in print', () => {
    const cut: ExpectedValues = { surname: 'SPECIM', givenNames: ['BARRY', 'HEN'], nameTruncated: ['givenNames'] };
    expect(givenIn('BARRY HENRY', cut)).toBe('exact');
    expect(surnameIn('SPECIMEN', cut)).toBe('near');
    expect(surnameIn('SPECIMEN', { ...cut, nameTruncated: ['surname'] })).toBe('exact');
  });
});

describe('a surname of which the zone cut each word', () => {
  const cut: ExpectedValues = { ...ZONE, surname: 'BENNEL WOOLOO WARRAN WARNAM', givenNames: ['DINGO', 'POTO'] };
  const seenIn = (lines: string[], expected: ExpectedValues) => {
    const matcher = matcherFor(expected);
    for (const text of lines) matcher.look({ text });
    return matcher.result().surname?.match;
  };
  const whole = 'BENNELONG WOOLOOMOOLOO WARRANDYTE WARNAMBOOL';

  test.each([
    ['in one line', [whole]],
    ['behind its label', [`Surname / Nom ${whole}`]],
    ['in two lines', ['BENNELONG WOOLOOMOOLOO', 'WARRANDYTE WARNAMBOOL']],
    ['with marks', ['BENNELONG-WÖOLÖÖMOOLOO', 'WÁRRANDYTE WARNAMBOOL']],
  ])('is not contradicted by the longer one %s', (_where, lines) => {
    expect(seenIn(lines, { ...cut, nameTruncated: true })).toBe('partly');
    expect(['near', 'absent']).toContain(seenIn(lines, cut));
  });

  test.each([
    'BENNELONG WOOLOOMOOLOO CARRANDYTE WARNAMBOOL',
    'WOOLOOMOOLOO BENNELONG WARRANDYTE WARNAMBOOL',
    'MILLER BENNELONG WOOLOOMOOLOO WARRANDYTE WARNAMBOOL',
    'BENNELONG WOOLOOMOOLOO',
  ])('is contradicted by %s', (text) =>
    expect(['near', 'absent']).toContain(seenIn([text], { ...cut, nameTruncated: true })),
  );

  test('and given names that are the same once they are cut', () => {
    const abdul = { ...ZONE, givenNames: ['MOHAM', 'ABDUL', 'ABDUL'], nameTruncated: true };
    expect(givenIn('MOHAMMED ABDULLAH ABDULRAHMAN', abdul)).toBe('partly');
    expect(['near', 'absent']).toContain(givenIn('MOHAMMED ABDULLAH', abdul));
  });
});
