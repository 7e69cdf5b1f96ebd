import { type AddressData, present } from '@assay/contracts';
import { describe, expect, test } from '@jest/globals';
import { compareAddresses } from './address-agreement.ts';
import { compareStatements } from './agreement.ts';
import type { StatedPerson } from './stated-person.ts';

const compare = (one: StatedPerson, other: StatedPerson) =>
  compareStatements({ evidenceId: 'a', person: one }, { evidenceId: 'b', person: other });

const PERSON_ARYA: StatedPerson = { surname: 'ARYA', givenNames: ['LEELA'] };
const CUT: StatedPerson = { surname: 'PAPATHE', givenNames: ['ANNA', 'MARIA', 'THEO'], cut: true };
const WORDS_CUT: StatedPerson = { surname: 'BENNEL', givenNames: ['DINGO', 'POTO'], cut: true };
const JUNIOR: StatedPerson = { surname: 'SMITH', givenNames: ['JOHN', 'PAUL'], suffix: 'JR' };
const GREEK: StatedPerson = { fullname: 'Eleni Papatheodorou' };

describe('names', () => {
  test.each<[string, StatedPerson, StatedPerson, string, string]>([
    [
      'given names and surnames part by part',
      { surname: 'Doe', givenNames: ['Jane'] },
      { surname: 'Doe', givenNames: ['Joan'] },
      'AGREE',
      'DISAGREE',
    ],
    [
      'a full name with the parts put together',
      { fullname: 'Jane Doe' },
      { surname: 'Doe', givenNames: ['Jane'] },
      'AGREE',
      'AGREE',
    ],
    ['two different full names', { fullname: 'Jane Doe' }, { fullname: 'John Smith' }, 'DISAGREE', 'DISAGREE'],
    ['a name with none', { surname: 'Doe', givenNames: ['Jane'] }, { dateOfBirth: '1980-01-01' }, 'UNKNOWN', 'UNKNOWN'],
    ['one name alone, twice', { surname: 'ARYA', single: true }, { surname: 'Arya', single: true }, 'AGREE', 'AGREE'],
    ['two names alone', { surname: 'ARYA', single: true }, { surname: 'DEVI', single: true }, 'DISAGREE', 'AGREE'],
    ['one name alone and given names', { surname: 'ARYA', single: true }, PERSON_ARYA, 'AGREE', 'UNKNOWN'],
    ['one name alone and a full name', { surname: 'ARYA', single: true }, { fullname: 'Arya' }, 'AGREE', 'AGREE'],
    ['a suffix behind the surname', { surname: 'SMITH JR', givenNames: ['JOHN'] }, JUNIOR, 'AGREE', 'AGREE'],
    ['a suffix behind given names', { surname: 'SMITH', givenNames: ['JOHN', 'JR'] }, JUNIOR, 'AGREE', 'AGREE'],
    ['another suffix', { surname: 'SMITH SR', givenNames: ['JOHN'] }, JUNIOR, 'DISAGREE', 'AGREE'],
    ['a suffix in its own field, twice', JUNIOR, { ...JUNIOR, givenNames: ['JOHN'] }, 'AGREE', 'AGREE'],
    ['a surname that is the suffix', { surname: 'JR', givenNames: ['JOHN'] }, JUNIOR, 'DISAGREE', 'AGREE'],
    ['a surname without known given names', { surname: 'Doe' }, { fullname: 'Jane Doe' }, 'AGREE', 'UNKNOWN'],
    ['such a surname and another full name', { surname: 'Doe' }, { fullname: 'Jane Roe' }, 'DISAGREE', 'UNKNOWN'],
    ['such a surname, cut', { surname: 'PAPATHEODORO', cut: true }, GREEK, 'UNKNOWN', 'UNKNOWN'],
    ['names that a zone cut and the full name', CUT, { fullname: 'Anna Maria Theodora Papathe' }, 'AGREE', 'AGREE'],
    ['such names and another full name', CUT, { fullname: 'Anna Maria Luise Papathe' }, 'DISAGREE', 'DISAGREE'],
    ['names that a zone cut all but one', WORDS_CUT, { fullname: 'Dingo Potoroo Bennelong' }, 'UNKNOWN', 'UNKNOWN'],
    ['such a surname in another script', { surname: 'Doe' }, { fullname: 'Джейн Доу' }, 'UNKNOWN', 'UNKNOWN'],
    ['such a surname and no name', { surname: 'Doe' }, { dateOfBirth: '1980-01-01' }, 'UNKNOWN', 'UNKNOWN'],
  ])('%s', (_, one, other, surname, givenNames) => {
    expect(compare(one, other)).toMatchObject({ surname, givenNames });
    expect(compare(other, one)).toMatchObject({ surname, givenNames });
  });
});

describe('date of birth and gender', () => {
  test.each([
    ['1980-01-01', '1980-01-01', 'AGREE'],
    ['1980-01-01', '1980-01-02', 'DISAGREE'],
    ['1980-01-01', undefined, 'UNKNOWN'],
    [undefined, undefined, 'UNKNOWN'],
  ])('born %s and %s: %s', (one, other, expected) => {
    const born = (dateOfBirth: string | undefined): StatedPerson => (dateOfBirth ? { dateOfBirth } : {});
    expect(compare(born(one), born(other)).dateOfBirth).toBe(expected);
  });

  test('gender alone says nothing about names', () => {
    expect(compare({ gender: 'F' }, { gender: 'M' })).toMatchObject({ others: 'DISAGREE', surname: 'UNKNOWN' });
    expect(compare({ gender: 'F' }, { gender: 'F' }).others).toBe('AGREE');
  });
});

describe('births a century apart, of which a zone writes two digits of the year', () => {
  const zone = 'P<UTO';
  test.each<[string, StatedPerson, StatedPerson, string]>([
    ['the later one is of the zone', { dateOfBirth: '1924-08-12' }, { dateOfBirth: '2024-08-12', zone }, 'AGREE'],
    ['the later one is not', { dateOfBirth: '1924-08-12', zone }, { dateOfBirth: '2024-08-12' }, 'DISAGREE'],
    ['another day', { dateOfBirth: '1924-08-13' }, { dateOfBirth: '2024-08-12', zone }, 'DISAGREE'],
    ['less than a century', { dateOfBirth: '1925-08-12' }, { dateOfBirth: '2024-08-12', zone }, 'DISAGREE'],
  ])('%s', (_, one, other, dateOfBirth) => {
    expect(compare(one, other)).toMatchObject({ dateOfBirth });
    expect(compare(other, one)).toMatchObject({ dateOfBirth });
  });
});

describe('addresses', () => {
  const address = (lines: string[], more: Partial<AddressData> = {}): AddressData => ({
    streetDetails: { streetLines: lines, verified: false },
    ...more,
  });
  const base = { postcode: '2000', city: 'Sydney', state: 'NSW' };

  test.each<[string, AddressData, AddressData, string]>([
    [
      'abbreviated street words',
      address(['Unit 4', '12 North Terrace'], base),
      address(['U 4 12 N Tce'], base),
      'AGREE',
    ],
    ['other punctuation and case', address(['4/12 high-road'], base), address(['4 12 High Rd.'], base), 'AGREE'],
    [
      'cities by either spelling of an umlaut',
      address(['1 Weg'], { city: 'München' }),
      address(['1 Weg'], { city: 'Muenchen' }),
      'AGREE',
    ],
    ['another state', address(['1 High St'], base), address(['1 High St'], { ...base, state: 'VIC' }), 'DISAGREE'],
    [
      'another city with the same postcode',
      address(['1 High St'], base),
      address(['1 High St'], { ...base, city: 'Perth' }),
      'DISAGREE',
    ],
    [
      'a city only one of them states',
      address(['1 High St'], { postcode: '2000' }),
      address(['1 High St'], base),
      'AGREE',
    ],
    [
      'a district of the city',
      address(['1 High St'], { city: 'Dublin 4' }),
      address(['1 High St'], { city: 'DUBLIN' }),
      'UNKNOWN',
    ],
    ['a unit in the number', address(['1/1 High St'], base), address(['11 High St'], base), 'DISAGREE'],
    ['letters of another script', address(['1 東京 St'], base), address(['1 St'], base), 'DISAGREE'],
    ['accents', address(['1 Rue de la Liberté'], base), address(['1 RUE DE LA LIBERTE'], base), 'AGREE'],
    [
      'postcodes that differ at their end',
      address(['1 High St'], { postcode: 'K1A 0B1' }),
      address(['1 High St'], { postcode: 'K1A0B9' }),
      'DISAGREE',
    ],
    [
      'a further ZIP code',
      address(['1 High St'], { postcode: '21401-1234' }),
      address(['1 High St'], { postcode: '21401' }),
      'AGREE',
    ],
    [
      'two further ZIP codes',
      address(['1 High St'], { postcode: '21401-1234' }),
      address(['1 High St'], { postcode: '214019999' }),
      'DISAGREE',
    ],
    [
      'a state as the only place',
      address(['1 High St'], { state: 'NSW' }),
      address(['1 High St'], { state: 'NSW' }),
      'UNKNOWN',
    ],
    [
      'two codes of one state',
      address(['1 High St'], { city: 'Bonn', country: 'D' }),
      address(['1 High St'], { city: 'BONN', country: 'DEU' }),
      'AGREE',
    ],
    ['no street', address([], base), address(['1 High St'], base), 'UNKNOWN'],
  ])('with %s', (_, one, other, expected) => {
    expect(compareAddresses(one, other)).toBe(expected);
    expect(compareAddresses(other, one)).toBe(expected);
  });
});

test('given names alone are not the full name of a person with a surname', () => {
  const person = { surname: 'Specimen', givenNames: ['Barry', 'Henry'] };
  const names = (fullname: string) => compare({ fullname }, person).surname;
  expect([names('Barry Henry'), names('Barry Specimen'), names('Specimen Barry H')]).toEqual([
    'DISAGREE',
    'AGREE',
    'AGREE',
  ]);
});

describe('the same document', () => {
  const documentNumbered = (number: string, country?: string, type = 'PASSPORT'): StatedPerson => ({
    document: { type, number, ...present({ country }) },
  });
  const chipNumbered = (number: string, country: string, type: string): StatedPerson => ({
    document: { type, number, country, byChip: true },
  });
  test.each<[string, StatedPerson, StatedPerson, boolean]>([
    ['a country that one does not state', documentNumbered('X1', 'AUS'), documentNumbered('X1'), true],
    ['two countries', documentNumbered('X1', 'AUS'), documentNumbered('X1', 'USA'), false],
    ['two codes of one issuer', documentNumbered('C01X00T47', 'D'), documentNumbered('C01X00T47', 'DEU'), true],
    ['a number of punctuation only', documentNumbered('--', 'AUS'), documentNumbered('--', 'AUS'), false],
    ['no document', {}, documentNumbered('X1', 'AUS'), false],
    ['zeros before a number', documentNumbered('00123', 'USA'), documentNumbered('123', 'USA'), true],
    ['digits of full width', documentNumbered('Ｔ１２', 'USA'), documentNumbered('T12', 'USA'), true],
    ['numbers of zeros only', documentNumbered('00', 'USA'), documentNumbered('0', 'USA'), false],
    [
      'a licence that is called an identity card',
      documentNumbered('T1', 'USA', 'DRIVING_LICENSE'),
      documentNumbered('T1', 'USA', 'IDENTITY_CARD'),
      true,
    ],
    [
      'a passport and a card',
      documentNumbered('T1', 'AUS', 'PASSPORT'),
      documentNumbered('T1', 'AUS', 'RESIDENT_CARD'),
      false,
    ],
    [
      'two chips of one number, whatever types were declared',
      chipNumbered('T1', 'AUS', 'PASSPORT'),
      chipNumbered('T1', 'AUS', 'IDENTITY_CARD'),
      true,
    ],
  ])('with %s', (_, one, other, same) => {
    expect(compare(one, other).sameDocument).toBe(same);
  });
});

test('the ids are sorted, so that two evidences have one agreement', () => {
  const one = { evidenceId: 'z', person: {} };
  const other = { evidenceId: 'b', person: {} };
  expect(compareStatements(one, other)).toMatchObject({ a: 'b', b: 'z' });
});

test('a letter of a zone that was not surely read is no difference to the zone of a chip', () => {
  const zoneWith = (names: string, number = 'L898902C36') =>
    `P<UTO${names.padEnd(39, '<')}${number}UTO7408122F1204159ZE184226B<<<<<10`;
  const chip: StatedPerson = { zone: zoneWith('ERIKSSON<<ANNA<MARIA') };
  const zoneOf = (person: StatedPerson) => [compare(person, chip).zone, compare(chip, person).zone];
  const misread = { zone: zoneWith('ERIKSSON<<ANMA<MARIA') };
  expect(zoneOf(misread)).toEqual(['DISAGREE', 'DISAGREE']);
  expect(zoneOf({ ...misread, zoneUnsure: true })).toEqual([undefined, undefined]);
  expect(zoneOf({ ...chip, zoneUnsure: true })).toEqual(['AGREE', 'AGREE']);
  const ofAnother = { zone: zoneWith('ERIKSSON<<ANMA<MARIA', 'L898902D37'), zoneUnsure: true as const };
  expect(zoneOf(ofAnother)).toEqual(['DISAGREE', 'DISAGREE']);
});

test.each([
  ['USA', 'WA', 'Washington', 'AGREE'],
  ['USA', 'WA', 'Western Australia', 'DISAGREE'],
  ['AUS', 'WA', 'Western Australia', 'AGREE'],
  ['AUS', 'AU-NSW', 'New South Wales', 'AGREE'],
  ['AUS', 'WA', 'Washington', 'DISAGREE'],
  ['DEU', 'BAYERN', 'Bayern', 'AGREE'],
  [undefined, 'WA', 'Washington', 'DISAGREE'],
])('in %s the state %s beside %s: %s', (country, one, other, expected) => {
  const inState = (state: string): AddressData => ({
    streetDetails: { streetLines: ['1 High St'], verified: false },
    postcode: '6000',
    ...present({ state, country }),
  });
  expect(compareAddresses(inState(one), inState(other))).toBe(expected);
  expect(compareAddresses(inState(other), inState(one))).toBe(expected);
});
