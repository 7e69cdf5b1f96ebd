import { eyeColorCode } from '@assay/contracts';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { foldName, plainNumber } from './fold.ts';
import { usHeight } from './measures.ts';
import { normalise, splitSuffix } from './normalise.ts';

describe('names', () => {
  test.each([
    ['José-María', 'JOSE-MARIA'],
    ['  van   der  Berg ', 'VAN DER BERG'],
    ['Straße', 'STRASSE'],
    ['Łukasz Ørsted', 'LUKASZ ORSTED'],
    ['O’Brien', "O'BRIEN"],
    ['Anne – Marie', 'ANNE-MARIE'],
    ['St. John', 'ST JOHN'],
    ['Nguyễn Thị', 'NGUYEN THI'],
    ['山田', ''],
    ['Smith 山田', ''],
    ['Smith2', ''],
    ['Barry 😀', ''],
    ['Smith$', ''],
    ['Smith + Jones', ''],
    ['Smith©', ''],
    ['SMITH々', ''],
    ['SMITHˈ', ''],
    ['SMI\u0336TH', ''],
    ['SMITH\u20dd', ''],
    ['Ilʹia', "IL'IA"],
    ['ANNA<MARIA<<', 'ANNA MARIA'],
    ['Kaʻahumanu', "KA'AHUMANU"],
    ['Mª José', 'MA JOSE'],
    ["'-", ''],
  ])('%s becomes %s', (name, expected) => expect(foldName(name)).toBe(expected));

  test('folding twice changes no more than once, and leaves plain letters only', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (name) => {
        const once = foldName(name);
        expect(foldName(once)).toBe(once);
        expect(once).toMatch(/^$|^[A-Z]([A-Z' -]*[A-Z])?$/);
      }),
    );
  });

  test.each([
    ['Smith Jr.', { surname: 'Smith', suffix: 'JR' }],
    ['De La Cruz III', { surname: 'De La Cruz', suffix: 'III' }],
    ['Jr', { surname: 'Jr' }],
    ['Nguyen Vi', { surname: 'Nguyen Vi' }],
  ])('the suffix of %s', (surname, parts) => expect(splitSuffix(surname)).toEqual(parts));
});

describe('measures', () => {
  test.each([
    ['170', '507'],
    ['170 cm', '507'],
    ['1.70 m', '507'],
    ['1,70', '507'],
    [`5'7"`, '507'],
    ['5’07”', '507'],
    ['5 ft 7 in', '507'],
    ['5-07', '507'],
    ['507', '507'],
    ['067 in', '507'],
    ['67', '507'],
    ["6'", '600'],
    ['511', '511'],
    ['512', undefined],
    ['tall', undefined],
    ['999 cm', undefined],
    ['', undefined],
  ])('a height of %p is %p', (height, expected) => expect(usHeight(height)).toBe(expected));
  test('a very long height takes no longer than a short one', () => {
    const before = process.cpuUsage();
    expect(usHeight(`5'${' '.repeat(3000)}x`)).toBeUndefined();
    expect(process.cpuUsage(before).user).toBeLessThan(1_000_000);
  });

  test('every height in centimetres is written with at most eleven inches', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 250 }), (cm) => expect(usHeight(`${cm}`)).toMatch(/^[3-8](0\d|1[01])$/)),
    );
  });

  test.each([
    ['brown', 'BRO'],
    ['BRO', 'BRO'],
    ['Grey', 'GRY'],
    ['Hazel', 'HAZ'],
    ['octarine', undefined],
  ])('eyes %s are %p', (color, expected) => expect(eyeColorCode(color)).toBe(expected));
});

describe('values for the motor vehicle administrations', () => {
  test('X has no code and is not sent; postcodes are cut to five; states become codes', () => {
    const values = {
      number: 'd-123 456',
      gender: 'X',
      postcode: '73301-1234',
      state: 'Texas',
      cardNumber: '9',
      surname: 'Ray Jr',
    };
    expect(normalise('AAMVA', values, 'TX')).toEqual({
      number: 'D123456',
      postcode: '73301',
      state: 'TX',
      surname: 'RAY',
      suffix: 'JR',
    });
  });
  test('a value with letters that have no plain form is left out, not asked in part', () => {
    const values = {
      givenName: 'Barry',
      middleName: 'Henry 王',
      surname: 'Smith',
      city: 'Richmond 東京',
      street1: '5 Kō St',
    };
    expect(normalise('AAMVA', values, 'TX')).toEqual({ givenName: 'BARRY', surname: 'SMITH', street1: '5 KO ST' });
    expect(normalise('FOLDED', { surname: 'Smith 王', number: '1' }, undefined)).toEqual({ number: '1' });
  });
  test('South Carolina gets its leading zeros back', () => {
    expect(normalise('AAMVA', { number: '12345' }, 'SC').number).toBe('00012345');
    expect(normalise('AAMVA', { number: '12345' }, 'TX').number).toBe('12345');
  });
  test.each(['東京', '---', 'T12€'])('South Carolina is not asked about zeros in place of %s', (number) => {
    expect(normalise('AAMVA', { number }, 'SC')).not.toHaveProperty('number');
  });
  test('the second line of a street is not asked in place of a first one that has no plain form', () => {
    expect(normalise('AAMVA', { street1: '東 5', street2: 'APT 2' }, 'TX')).toEqual({});
    expect(normalise('AAMVA', { street2: 'APT 2' }, 'TX')).toEqual({});
    const both = { street1: '5 MAIN ST', street2: 'APT 2' };
    expect(normalise('AAMVA', both, 'TX')).toEqual(both);
  });
  test('a number with a character that has no plain form is not asked at all', () => {
    expect(['T12 東', 'T12€', 'Ｔ１２', 'T-12.<'].map(plainNumber)).toEqual(['', '', 'T12', 'T12']);
  });
  test('no number loses or gains a significant character', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Z0-9]{4,12}$/), fc.constantFrom('-', ' ', '.', ''), (number, sign) => {
        expect(plainNumber([...number].join(sign))).toBe(number);
      }),
    );
  });
});

describe('values for the verification system', () => {
  test('a green card has a month, the others a day; eleven digits include the reference number', () => {
    const card = { number: '2950 65436 1 2', cardType: 'G', expiryDate: '2029-08-31' };
    expect(normalise('DVS', card, undefined)).toMatchObject({
      number: '2950654361',
      individualReference: '2',
      expiryDate: '2029-08',
    });
    expect(normalise('DVS', { ...card, cardType: 'B' }, undefined).expiryDate).toBe('2029-08-31');
  });
  test('a reference number that contradicts the card number is not asked', () => {
    const card = { number: '29506543612', cardType: 'G', expiryDate: '2029-08-31' };
    expect(normalise('DVS', { ...card, individualReference: '2' }, undefined)).toMatchObject({
      number: '2950654361',
      individualReference: '2',
    });
    const contradictory = normalise('DVS', { ...card, individualReference: '1' }, undefined);
    expect([contradictory.number, contradictory.individualReference]).toEqual([undefined, undefined]);
  });
});
