import type { DocumentDetails, HolderDetails, MachineReadableZone } from '@assay/chip';
import { type EvidenceType, present } from '@assay/contracts';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { birthDateOf, dataOfChip, typeIndicator } from './chip-data.ts';
import { comparedPerson } from './compared-person.ts';
import { dataOfAttributes } from './evidence-data.ts';
import { compareStatement } from './statement.ts';

const zone = (dateOfBirth?: string): MachineReadableZone => ({
  format: 'TD3',
  lines: ['P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<', 'L898902C36UTO2408122F3204159ZE184226B<<<<<10'],
  checkDigitsValid: true,
  documentCode: 'P',
  issuingState: 'UTO',
  documentNumber: 'L898902C3',
  surname: 'ERIKSSON',
  givenNames: 'ANNA MARIA',
  nationality: 'UTO',
  ...present({ dateOfBirth }),
  sex: 'FEMALE',
  optionalData: [],
});

test.each<[string, string | undefined, HolderDetails | undefined, DocumentDetails | undefined, string | undefined]>([
  ['nothing else says more', '2024-08-12', undefined, undefined, '2024-08-12'],
  ['data group 11 has the year in full', '2024-08-12', { dateOfBirth: '1924-08-12' }, undefined, '1924-08-12'],
  ['data group 11 says the same', '2024-08-12', { dateOfBirth: '2024-08-12' }, undefined, '2024-08-12'],
  ['data group 11 names another day', '2024-08-12', { dateOfBirth: '1924-08-13' }, undefined, '2024-08-12'],
  ['the document was issued before', '2024-08-12', undefined, { dateOfIssue: '2022-04-15' }, '1924-08-12'],
  ['the document was issued since', '2024-08-12', undefined, { dateOfIssue: '2025-04-15' }, '2024-08-12'],
  ['the zone leaves the day open', undefined, { dateOfBirth: '1924-08-12' }, undefined, undefined],
])('a birth date where %s', (_case, latest, holder, document, wanted) => {
  expect(birthDateOf({ mrz: zone(latest), holder, document })).toBe(wanted);
});

test('a holder older than a hundred years is not taken for a child in replies, the proof and comparisons', () => {
  const contents = { mrz: zone('2024-08-12'), bound: true, holder: { dateOfBirth: '1924-08-12' } };
  const { idDocumentData, proof, person } = dataOfChip(contents, 'PASSPORT', (code) => code);
  expect(idDocumentData?.personalAttributes?.dateOfBirth).toEqual({ value: '1924-08-12', verified: true });
  expect(proof?.data?.holderInformation?.[0]?.dateOfBirth).toBe('1924-08-12');
  expect(person?.dateOfBirth).toBe('1924-08-12');
});

test("the full name that data group 11 has is the holder's in the proof, as in replies", () => {
  const contents = {
    mrz: zone('1974-08-12'),
    bound: true,
    holder: { fullName: 'ERIKSSON ANNA MARIA', profession: 'CLERK' },
  };
  const { idDocumentData, proof } = dataOfChip(contents, 'PASSPORT', (code) => code);
  expect(idDocumentData?.personalAttributes?.fullname?.value).toBe('ERIKSSON ANNA MARIA');
  expect(proof?.data?.holderInformation?.[0]?.fullname).toBe('ERIKSSON ANNA MARIA');
  expect(proof?.data?.metadata).toEqual([{ key: 'profession', value: 'CLERK' }]);
});

test.each<[string, EvidenceType, string[]]>([
  ['P', 'PASSPORT', ['IDDOCUMENT_TYPE_COMPARE_OK']],
  ['P', 'RESIDENT_CARD', ['IDDOCUMENT_TYPE_COMPARE_FAILED']],
  ['P', 'ID_DOCUMENT', []],
  ['ID', 'IDENTITY_CARD', ['IDDOCUMENT_TYPE_COMPARE_OK']],
  ['ID', 'RESIDENT_CARD', ['IDDOCUMENT_TYPE_COMPARE_UNVERIFIED']],
  ['IR', 'RESIDENT_CARD', ['IDDOCUMENT_TYPE_COMPARE_OK']],
  ['IR', 'IDENTITY_CARD', ['IDDOCUMENT_TYPE_COMPARE_FAILED']],
  ['D', 'DRIVING_LICENSE', ['IDDOCUMENT_TYPE_COMPARE_UNVERIFIED']],
  ['R', 'TAX_CARD', ['IDDOCUMENT_TYPE_COMPARE_FAILED']],
])('a chip with the code %s that is declared as %s: %j', (documentCode, declared, wanted) => {
  expect(typeIndicator({ documentCode }, declared)).toEqual(wanted);
});

test.each<[string, string, string, boolean[]]>([
  ['with room left', 'ERIKSSON', 'ANNA MARIA', [true, true, true]],
  ['that is full', 'ERIKSSON', 'ANNA MARIA ALEXANDRINA VICTOR', [true, true, true, true, false]],
  ['that a surname fills', 'ERIKSSONVONUNDZUHOHENSTEINUNDBERGENSTRA', '', [false]],
])('the last name of a zone %s is verified only if it cannot be truncated', (_case, surname, givenNames, verified) => {
  const lines = [`P<UTO${surname}<<${givenNames.replaceAll(' ', '<')}`.padEnd(44, '<').slice(0, 44), zone().lines[1]!];
  const mrz = { ...zone('1974-08-12'), surname, givenNames, lines };
  const { personalAttributes } = dataOfChip({ mrz, bound: true }, 'PASSPORT', (code) => code).idDocumentData ?? {};
  const names = [personalAttributes?.surname, ...(personalAttributes?.givenNames ?? [])];
  expect(names.map((name) => name?.verified)).toEqual(verified);
});

describe('a zone that is too short for the names', () => {
  const verifiedIn = (names: string, fullName?: string): string[] => {
    const [surname = '', givenNames = ''] = names.split('<<').map((part) => part.replaceAll('<', ' ').trim());
    const lines = [`P<UTO${names}`, zone().lines[1]!];
    const mrz = { ...zone('1974-08-12'), surname, givenNames, lines };
    const chip = { mrz, bound: true, ...present({ holder: fullName ? { fullName } : undefined }) };
    const { personalAttributes } = dataOfChip(chip, 'PASSPORT', (code) => code).idDocumentData ?? {};
    const all = [personalAttributes?.surname, ...(personalAttributes?.givenNames ?? [])];
    return all.flatMap((one) => (one?.verified ? [one.value] : []));
  };
  const WHOLE = 'BENNELONG WOOLOOMOOLOO WARRANDYTE WARNAMBOOL DINGO POTOROO';

  // The examples of ICAO 9303-4, 4.2.3.
  test.each([
    ['NILAVADHANANANDA<<CHAYAPA<DEJTHAMRONG<K', ['NILAVADHANANANDA']],
    ['NILAVADHANANANDA<<ARNPOL<PETCH<CHARONGU', ['NILAVADHANANANDA', 'ARNPOL', 'PETCH']],
    ['BENNELONG<WOOLOOMOOLOO<WARRANDYTE<W<<DI', []],
    ['BENNELONG<WOOLOOM<WARRAND<WARNAM<<DINGO', []],
    ['BENNEL<WOOLOO<WARRAN<WARNAM<<DINGO<POTO', ['DINGO']],
    ['MUELL<<ALEXA<VICTO<THEOD<MAXIM<AUGUS<LUI', []],
  ])('%s verifies %j', (names, verified) => {
    expect(verifiedIn(names)).toEqual(verified);
  });

  test.each([
    ['BENNEL<WOOLOO<WARRAN<WARNAM<<DINGO<POTO', WHOLE, ['DINGO']],
    ['BENNELONG<WOOLOOM<WARRAND<WARNAM<<DINGO', WHOLE.replace(' POTOROO', ''), ['DINGO']],
    [
      'GARCIA<HERNANDEZ<<MARIA<ANGELES<CONCEPC',
      'GARCIA HERNANDEZ MARIA ANGELES CONCEPCION',
      ['GARCIA HERNANDEZ', 'MARIA', 'ANGELES'],
    ],
    ['GARCIA<HERNANDEZ<<MARIA<ANGELES<CONCEPC', 'MARIA ANGELES CONCEPCION GARCIA HERNANDEZ', ['MARIA', 'ANGELES']],
    [
      'PAPANDROPOULOUS<<JONATHON<WARREN<TREVOR',
      'PAPANDROPOULOUS JONATHON WARREN TREVOR',
      ['PAPANDROPOULOUS', 'JONATHON', 'WARREN', 'TREVOR'],
    ],
    ['PAPANDROPOULOUS<<JONATHON<WARREN<TREVOR', 'PAPANDROPOULOUS JONATHON', ['PAPANDROPOULOUS', 'JONATHON', 'WARREN']],
  ])('%s beside the full name %s in data group 11 verifies %j', (names, fullName, verified) => {
    expect(verifiedIn(names, fullName)).toEqual(verified);
  });
});

test.each([
  [true, 'ALL'],
  [false, 'NONE'],
])('a statement that repeats the data of a chip is confirmed by the chip if its hash is right: %s', (bound, wanted) => {
  const chip = comparedPerson(dataOfChip({ mrz: zone('1974-08-12'), bound }, 'PASSPORT', (code) => code))!;
  const stated = dataOfAttributes({
    givenNames: [{ value: 'Anna' }, { value: 'Maria' }],
    surname: { value: 'Eriksson' },
    dateOfBirth: { value: '1974-08-12' },
    gender: { value: 'F' },
  });
  expect(compareStatement(stated, chip).statement.all).toBe(wanted);
});

test('a birth date has the digits of the zone, whatever else the chip says', () => {
  const day = fc.date({ min: new Date('1900-01-01'), max: new Date('2030-12-31'), noInvalidDate: true });
  const days = day.map((date) => date.toISOString().slice(0, 10));
  fc.assert(
    fc.property(days, fc.option(days), fc.option(days), (latest, dateOfBirth, dateOfIssue) => {
      const holder = dateOfBirth === null ? undefined : { dateOfBirth };
      const document = dateOfIssue === null ? undefined : { dateOfIssue };
      expect(birthDateOf({ mrz: zone(latest), holder, document })?.slice(2)).toBe(latest.slice(2));
    }),
  );
});

describe('a holder with one name alone', () => {
  const named = (names: string): MachineReadableZone => ({
    ...zone('1974-08-12'),
    lines: [`P<UTO${names.padEnd(39, '<')}`, zone().lines[1]!],
    surname: 'ARYA',
    givenNames: '',
  });
  const chipOf = (names: string) => dataOfChip({ mrz: named(names), bound: true }, 'PASSPORT', (code) => code);
  const stated = (attributes: Parameters<typeof dataOfAttributes>[0], names = 'ARYA') =>
    compareStatement(dataOfAttributes(attributes), comparedPerson(chipOf(names))!).statement.all;

  test('is confirmed by a full name as by a surname', () => {
    expect(stated({ surname: { value: 'Arya' } })).toBe('ALL');
    expect(stated({ fullname: { value: 'Arya' } })).toBe('ALL');
    expect(stated({ fullname: { value: 'Devi' } })).toBe('CONTRADICTED');
  });

  test('is not one whose names fill the zone: the given names may be missing', () => {
    const full = 'ARYA'.padEnd(39, 'A');
    expect(chipOf('ARYA').person?.single).toBe(true);
    expect(chipOf(full).person).not.toHaveProperty('single');
    expect(stated({ fullname: { value: 'Arya' } }, full)).not.toBe('ALL');
  });
});
