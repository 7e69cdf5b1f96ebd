import { describe, expect, test } from '@jest/globals';
import type { AamvaReading } from '../barcode/aamva-reading.ts';
import { ZONE } from '../testing/readings.ts';
import { crossCheck } from './zone-and-barcode.ts';

const LICENCE: AamvaReading = {
  form: 'AAMVA',
  iin: '604428',
  version: 8,
  kind: 'DRIVING_LICENSE',
  surname: 'ERIKSSON',
  givenNames: ['ANNA', 'MARIA'],
  truncated: [],
  birthDate: '1974-08-12',
  elements: {},
  warnings: [],
};

const card = (zone: Partial<typeof ZONE.fields>, barcode: Partial<AamvaReading>, more: Partial<typeof ZONE> = {}) =>
  crossCheck({ ...ZONE, ...more, fields: { ...ZONE.fields, ...zone } }, { ...LICENCE, ...barcode });

describe('zone and barcode of one card', () => {
  test.each<[string, Partial<typeof ZONE.fields>, Partial<AamvaReading>]>([
    ['say the same', {}, {}],
    ['write accents or leave them out', { surname: 'LEVESQUE' }, { surname: 'LÉVESQUE' }],
    ['write two letters for one', { surname: 'MUELLER' }, { surname: 'MÜLLER' }],
    ['write apostrophes and hyphens', { surname: 'O CONNOR SMITH' }, { surname: "O'CONNOR-SMITH" }],
    [
      'cut in the zone',
      { surname: 'WOLFESCHLEGELSTEIN', nameTruncated: true },
      { surname: 'WOLFESCHLEGELSTEINHAUSEN' },
    ],
    [
      'cut in the barcode',
      { surname: 'WOLFESCHLEGELSTEINHAUSEN' },
      { surname: 'WOLFESCHLEGELSTEIN', truncated: ['surname'] },
    ],
    ['have later given names in short', { givenNames: ['ANNA', 'M'] }, {}],
    ['have a suffix', { surname: 'ERIKSSON JR' }, { nameSuffix: 'JR' }],
    ['leave a suffix out of the zone', {}, { nameSuffix: 'JR' }],
    ['have a suffix behind the given names', { givenNames: ['ANNA', 'MARIA', 'JR'] }, { nameSuffix: 'JR' }],
    ['have two given names as one', { givenNames: ['ANNA', 'MARIA'] }, { givenNames: ['ANNA MARIA'] }],
  ])('agree where they %s', (_how, zone, barcode) => {
    expect(card(zone, barcode)).toBe('OK');
  });

  test('another surname or birth date is another card', () => {
    expect(card({}, { surname: 'ERIKSEN' })).toBe('FAILED');
    expect(card({}, { birthDate: '1974-08-13' })).toBe('FAILED');
  });

  test('a further surname on one of them leaves it open', () => {
    expect(card({}, { surname: 'ERIKSSON LARSSON' })).toBe('UNVERIFIED');
    expect(card({ surname: 'ERIKSSON JR' }, {})).toBe('UNVERIFIED');
    expect(card({ surname: 'ERIKSSON JR' }, { nameSuffix: 'SR' })).toBe('UNVERIFIED');
  });

  test('another given name may be the sibling of the same day', () => {
    expect(card({}, { givenNames: ['EVA', 'MARIA'] })).toBe('WARNING');
  });

  test('a zone that was not surely read refutes no barcode', () => {
    expect(card({ surname: 'ERIXSSON' }, {}, { pitch: 6 })).toBe('UNVERIFIED');
    expect(card({ surname: 'ERIXSSON' }, {}, { valid: false })).toBe('UNVERIFIED');
    const checks = { ...ZONE.checks, birthDate: false };
    expect(card({ birthDate: '1974-08-17' }, {}, { valid: false, checks })).toBe('UNVERIFIED');
  });

  test('a value that one of them lacks is not compared', () => {
    const { surname: _, birthDate: __, ...without } = LICENCE;
    expect(crossCheck(ZONE, { ...without, surname: 'ERIKSSON' })).toBe('UNVERIFIED');
    expect(crossCheck(ZONE, { ...without, birthDate: '1974-08-12' })).toBe('UNVERIFIED');
    const nameless = { ...ZONE, fields: { ...ZONE.fields, surname: '' } };
    expect(crossCheck(nameless, { ...without, birthDate: '1974-08-12' })).toBe('UNVERIFIED');
    expect(card({}, { givenNames: [] })).toBe('UNVERIFIED');
    expect(card({ givenNames: [] }, {})).toBe('UNVERIFIED');
    expect(card({ givenNames: [] }, { givenNames: [] })).toBe('OK');
  });
});
