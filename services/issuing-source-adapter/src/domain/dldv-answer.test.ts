import { nameOfIndicator, present } from '@assay/contracts';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { answerOfDldv, DLDV_MATCHES, type DldvMatches } from './dldv-answer.ts';

const agreeing: DldvMatches = {
  DriverLicenseNumber: true,
  PersonBirthDate: true,
  PersonLastNameExact: true,
  PersonFirstNameExact: true,
};
const sent = {};
const anyMatches = fc.record(Object.fromEntries(DLDV_MATCHES.map((name) => [name, fc.boolean()])), {
  requiredKeys: ['DriverLicenseNumber'],
}) as fc.Arbitrary<DldvMatches>;

describe('the result of a DLDV answer', () => {
  test('number, birth date, first and last name make it VERIFIED', () => {
    expect(answerOfDldv(agreeing, sent).result).toBe('VERIFIED');
  });
  test('number false and all else absent: no such document', () => {
    expect(answerOfDldv({ DriverLicenseNumber: false }, sent).result).toBe('FAILED');
  });
  test.each(Object.keys(agreeing))('%s false fails it, absent leaves it open', (name) => {
    expect(answerOfDldv({ ...agreeing, [name]: false }, sent).result).toBe('FAILED');
    const { [name as keyof DldvMatches]: _left, ...without } = agreeing;
    expect(answerOfDldv(without, sent).result).toBe('UNVERIFIED');
  });
  test('a surname is confirmed only in part, unless its suffix is confirmed too', () => {
    const partly = (PersonNameSuffix?: boolean) =>
      answerOfDldv({ ...agreeing, ...present({ PersonNameSuffix }) }, { suffix: 'JR' }).partly;
    expect([partly(true), partly(false), partly()]).toEqual([[], ['surname'], ['surname']]);
    expect(answerOfDldv(agreeing, sent).partly).toEqual([]);
  });
  test('confirms no value that was not asked', () => {
    const values = { number: 'T1', surname: 'KELLER', passportCountry: 'AUS', fullName: 'ANNA KELLER' };
    expect(answerOfDldv({ ...agreeing, PersonSexCode: true }, values).asked).toEqual(['number', 'surname']);
  });
  test.each([
    [{ AddressLine1: true }, {}, 'OK'],
    [{ AddressLine1: true }, { street2: 'APT 9' }, 'UNVERIFIED'],
    [{ AddressLine1: true, AddressLine2: true }, { street2: 'APT 9' }, 'OK'],
    [{ AddressLine1: true, AddressLine2: false }, { street2: 'APT 9' }, 'FAILED'],
    [{ AddressLine2: true }, { street2: 'APT 9' }, 'UNVERIFIED'],
    [{ AddressLine1: false }, { street2: 'APT 9' }, 'FAILED'],
    [{}, {}, 'UNVERIFIED'],
  ])('a street is confirmed if each line that was sent is confirmed: %j of %j is %s', (lines, more, status) => {
    expect(answerOfDldv({ ...agreeing, ...lines }, more).raised).toContain(`ADDRESS_STREET_COMPARE_${status}`);
  });
  test('an expiry date counts when it was sent', () => {
    const said = (expiry: boolean | undefined, expiryDate: boolean) =>
      answerOfDldv(
        { ...agreeing, ...present({ DriverLicenseExpirationDate: expiry }) },
        expiryDate ? { expiryDate: '2030-01-01' } : {},
      ).result;
    expect([
      said(true, true),
      said(false, true),
      said(undefined, true),
      said(undefined, false),
      said(false, false),
    ]).toEqual(['VERIFIED', 'FAILED', 'UNVERIFIED', 'VERIFIED', 'VERIFIED']);
  });
  test.each([
    [{ PersonLastNameExact: false, PersonLastNameFuzzyPrimary: true }, 'VERIFIED'],
    [{ PersonLastNameExact: undefined, PersonLastNameFuzzyAlternate: true }, 'VERIFIED'],
    [{ PersonLastNameExact: false, PersonLastNameFuzzyPrimary: false, PersonLastNameFuzzyAlternate: true }, 'VERIFIED'],
    [{ PersonLastNameExact: false, PersonLastNameFuzzyPrimary: false }, 'FAILED'],
    [{ PersonLastNameExact: false }, 'FAILED'],
  ])('%j', (names, result) => {
    const matches = Object.fromEntries(
      Object.entries({ ...agreeing, ...names }).filter(([, match]) => match !== undefined),
    );
    expect(answerOfDldv(matches, sent).result).toBe(result);
  });

  test('whatever is answered, each comparison is raised once, and VERIFIED never depends on a false or absent element', () => {
    fc.assert(
      fc.property(anyMatches, fc.boolean(), (matches, expiryDate) => {
        const { result, raised } = answerOfDldv(matches, expiryDate ? { expiryDate: '2030-01-01' } : {});
        const names = raised.map(nameOfIndicator);
        expect(new Set(names).size).toBe(names.length);
        if (result !== 'VERIFIED') return;
        expect([matches.DriverLicenseNumber, matches.PersonBirthDate]).toEqual([true, true]);
        if (expiryDate) expect(matches.DriverLicenseExpirationDate).toBe(true);
        for (const name of ['SURNAME', 'FIRSTNAME'])
          expect(raised.some((one) => one === `${name}_COMPARE_OK` || one === `${name}_FUZZY_COMPARE_OK`)).toBe(true);
      }),
    );
  });

  test('fuzzy indicators are never raised with an exact match', () => {
    fc.assert(
      fc.property(anyMatches, (matches) => {
        const { raised } = answerOfDldv({ ...matches, PersonFirstNameExact: true }, sent);
        expect(raised.filter((one) => one.startsWith('FIRSTNAME_'))).toEqual(['FIRSTNAME_COMPARE_OK']);
      }),
    );
  });
});
