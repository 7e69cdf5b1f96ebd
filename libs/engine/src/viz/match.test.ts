import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type ExpectedValues, matcherFor, type VisualField } from './match.ts';

const verdicts = (expected: ExpectedValues, ...texts: string[]) => {
  const matcher = matcherFor(expected);
  for (const text of texts) matcher.look({ text });
  const result = matcher.result();
  return (field: VisualField) => result[field];
};

describe('values looked for in the visual zone', () => {
  test('names in other spellings are the same name', () => {
    const found = verdicts({ surname: 'MUELLER', givenNames: ['JOSE', 'MARIA'] }, 'Müller', 'José-María');
    expect(found('surname')).toMatchObject({ verdict: 'exact', seen: 'Müller' });
    expect(found('givenNames')).toMatchObject({ verdict: 'exact', seen: 'José-María' });
  });

  test('a label in the same box does not matter', () => {
    expect(verdicts({ surname: 'SPECIMEN' }, 'Surname/Nom SPECIMEN')('surname')?.verdict).toBe('exact');
    expect(verdicts({ surname: 'SPECIMEN' }, '1LNSPECIMEN')('surname')?.verdict).toBe('exact');
    expect(verdicts({ documentNumber: 'T64235789' }, '4d DLN T64235789')('documentNumber')?.verdict).toBe('exact');
  });

  test('given names on separate lines, or all in one with the surname', () => {
    expect(verdicts({ givenNames: ['BARRY', 'HENRY'] }, 'BARRY', 'HENRY')('givenNames')?.verdict).toBe('exact');
    const found = verdicts({ surname: 'SPECIMEN', givenNames: ['BARRY', 'HENRY'] }, 'BARRYHENRYSPECIMEN');
    expect(found('surname')?.verdict).toBe('exact');
    expect(found('givenNames')?.verdict).toBe('exact');
  });

  test('two surnames on separate lines, as Spanish and Mexican cards have them, or in their order on one', () => {
    const both = { surname: 'GARCIA LOPEZ', givenNames: ['ANA'] };
    expect(verdicts(both, 'GARCIA', 'LOPEZ', 'ANA')('surname')).toMatchObject({
      verdict: 'exact',
      seen: 'GARCIA LOPEZ',
    });
    expect(verdicts(both, 'GARCIA LOPEZ')('surname')?.verdict).toBe('exact');
    expect(verdicts(both, 'LOPEZ GARCIA')('surname')?.verdict).not.toBe('exact');
    expect(verdicts(both, 'GARCIA', 'LOPES')('surname')?.verdict).not.toBe('exact');
  });

  test('a longer name that contains the value is another name', () => {
    expect(verdicts({ givenNames: ['ANNA'] }, 'JOANNA')('givenNames')?.verdict).not.toBe('exact');
    expect(verdicts({ surname: 'SPECIMEN' }, 'SPECIMENS')('surname')?.verdict).toBe('near');
    expect(verdicts({ documentNumber: '12345678' }, '123456789')('documentNumber')?.verdict).toBe('near');
  });

  test('a name cut by the format agrees with its longer form', () => {
    const cut = { surname: 'PAPADOPOULOS', givenNames: ['KONSTANT'], nameTruncated: true };
    expect(verdicts(cut, 'PAPADOPOULOS', 'KONSTANTINOS')('givenNames')?.verdict).toBe('exact');
  });

  test('figures are read in the order in which the issuer writes them, where that is known', () => {
    const printed = (text: string, monthFirst?: boolean) =>
      verdicts({ birthDate: '1991-04-03', ...(monthFirst === undefined ? {} : { monthFirst }) }, text)('birthDate')
        ?.verdict;
    expect([printed('03.04.1991', false), printed('04.03.1991', false)]).toEqual(['exact', 'near']);
    expect([printed('04/03/1991', true), printed('03/04/1991', true)]).toEqual(['exact', 'near']);
    expect([printed('03.04.1991'), printed('04.03.1991')]).toEqual(['exact', 'exact']);
    expect([printed('03 APR 1991', true), printed('1991-04-03', true)]).toEqual(['exact', 'exact']);
    expect(verdicts({ birthDate: '1991-12-31', monthFirst: false }, '12/31/1991')('birthDate')?.verdict).toBe('exact');
  });

  test('nothing like it is absent', () => {
    expect(verdicts({ surname: 'SPECIMEN' }, 'QUIRK', 'UTOPIA')('surname')?.verdict).toBe('absent');
  });

  test('one letter changed is never exact', () => {
    const name = fc.stringMatching(/^[ACDEFGHJKLMNPRTUVWXYZ]{4,12}$/);
    const letter = fc.constantFrom(...'ACDEFGHJKLMNPRTUVWXYZ');
    fc.assert(
      fc.property(name, letter, fc.nat(), (surname, other, n) => {
        const at = n % surname.length;
        fc.pre(surname[at] !== other);
        const changed = surname.slice(0, at) + other + surname.slice(at + 1);
        expect(verdicts({ surname }, changed)('surname')?.verdict).not.toBe('exact');
      }),
    );
  });
});
