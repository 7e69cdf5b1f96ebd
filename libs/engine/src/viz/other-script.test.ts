import { describe, expect, test } from '@jest/globals';
import { matcherFor } from './match.ts';
import { inOtherScript } from './other-script.ts';

// As the recogniser read them on drawn passports.
describe('a name in Cyrillic or Greek', () => {
  test.each([
    ['PETRENKO', 'NETPEHKO'],
    ['OLENA', 'ONEHA'],
    ['OLENA', 'ONEHAI'],
    ['DIMITROVA', 'AMMWTPOBA'],
    ['MARIA', 'MAPVA'],
    ['IVANOVA', 'MBAHOBA'],
    ['PAPADOPOULOS', 'NANAAONOYAOE'],
  ])('%s is %s', (name, print) => {
    expect(inOtherScript([name], 'UKR')(print)).toBe(true);
  });

  test.each([
    ['PETRENKO', 'KOVALENKO'],
    ['ANNA', 'MARI'],
    ['ANNA', 'HANNA'],
    ['LENA', 'MENA'],
    ['LENA', 'ELENA'],
    ['OLENA', 'HELENA'],
    ['IVANOVA', 'IVANOV'],
    ['DIMITROVA', 'DIMITROVNA'],
    ['LI', 'NI'],
  ])('%s is not %s', (name, print) => {
    expect(inOtherScript([name], 'UKR')(print)).toBe(false);
  });
});

const seen = (text: string, more: object = { transliterated: true, issuingState: 'UKR' }) => {
  const matcher = matcherFor({ surname: 'PETRENKO', givenNames: ['OLENA', 'IVANIVNA'], ...more });
  matcher.look({ text });
  const { surname, givenNames } = matcher.result();
  return [surname?.match, givenNames?.match];
};

describe('a line with both scripts', () => {
  test('says the name where its Latin half does, also if the slash is read as a letter', () => {
    expect(seen('NETPEHKO/PETRENKO')[0]).toBe('exact');
    expect(seen('NETPEHKO / PETRENKO')[0]).toBe('exact');
    expect(seen('ONEHAIOLENA IVANIVNA')[1]).toBe('exact');
  });

  test('says another name where another one stands there', () => {
    expect(seen('KOVALENKO/PETRENKO')[0]).toBe('partly');
    expect(seen('NETPEHKO/PETRENKOVA')[0]).toBe('near');
    expect(seen('NETPEHKO/PETRENKO KOVAL')[0]).toBe('partly');
    expect(seen('MAPIOLENA IVANIVNA')[1]).not.toBe('exact');
  });

  test('is none of a barcode, or of a state that prints one script: letters are Latin there', () => {
    expect(seen('NETPEHKO/PETRENKO', {})[0]).toBe('partly');
    expect(seen('NETPEHKO/PETRENKO', { transliterated: true, issuingState: 'DEU' })[0]).toBe('partly');
    const paula = matcherFor({ givenNames: ['PAULA'], transliterated: true, issuingState: 'DEU' });
    paula.look({ text: 'HANNA PAULA' });
    expect(paula.result().givenNames?.match).toBe('partly');
  });
});
