import { describe, expect, test } from '@jest/globals';
import { birthDateOf, expiryDateOf, fieldsOf } from './fields.ts';

const TODAY = '2026-11-21';

describe('fields of a machine-readable zone', () => {
  test('a passport', () => {
    const lines = ['P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<', 'L898902C36UTO7408122F1204159ZE184226B<<<<<10'];
    expect(fieldsOf('TD3', lines, TODAY)).toEqual({
      documentCode: 'P',
      issuingState: 'UTO',
      nationality: 'UTO',
      surname: 'ERIKSSON',
      givenNames: ['ANNA', 'MARIA'],
      nameTruncated: false,
      documentNumber: 'L898902C3',
      birthDate: '1974-08-12',
      expiryDate: '2012-04-15',
      sex: 'F',
      optional: ['ZE184226B'],
    });
  });

  test('a German card: D becomes DEU, an open sex X', () => {
    const lines = [
      'IDD<<T220001293<<<<<<<<<<<<<<<',
      '6408125<2010315D<<<<<<<<<<<<<4',
      'MUSTERMANN<<ERIKA<<<<<<<<<<<<<',
    ];
    expect(fieldsOf('TD1', lines, TODAY)).toMatchObject({ issuingState: 'DEU', nationality: 'DEU', sex: 'X' });
  });

  test('a French card of the old kind', () => {
    const lines = ['IDFRABERTHIER<<<<<<<<<<<<<<<<<<<<<<<', '9409923102854CORINNE<<<<<<<6512068F4'];
    expect(fieldsOf('FRENCH_ID', lines, TODAY)).toMatchObject({
      surname: 'BERTHIER',
      givenNames: ['CORINNE'],
      birthDate: '1965-12-06',
      sex: 'F',
    });
  });

  test('a name that fills its line may have been truncated', () => {
    const lines = ['P<UTOTULDUM<ROSLAUN<<FEIRKVAURBRI<STEIRKSTAR', 'L332959C37UTO9903229M3611281<<<<<<<<<<<<<<<2'];
    expect(fieldsOf('TD3', lines, TODAY).nameTruncated).toBe(true);
  });

  test('centuries: births are past, expiries at most half a century ahead', () => {
    expect(birthDateOf('261122', TODAY)).toBe('1926-11-22');
    expect(birthDateOf('261120', TODAY)).toBe('2026-11-20');
    expect(expiryDateOf('751231', TODAY)).toBe('2075-12-31');
    expect(expiryDateOf('801231', TODAY)).toBe('1980-12-31');
  });

  test('a Hungarian card, valid for sixty years', () => {
    const card = (expiry: string) =>
      fieldsOf(
        'TD1',
        ['IDHUN000589AE4<<<<<<<<<<<<<<<<', `5001014F${expiry}1HUN<<<<<<<<<<<6`, 'NAGY<<ANNA<<<<<<<<<<<<<<<<<<<<'],
        TODAY,
      ).expiryDate;
    expect(card('780101')).toBe('2078-01-01');
    expect(card('860101')).toBe('2086-01-01');
    expect(card('990102')).toBe('1999-01-02');
    expect(card('240101')).toBe('2024-01-01');
  });

  test('a number of two lines of 36 that continues in the optional data', () => {
    const lines = ['I<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<', 'D23145890<UTO7408122F12041597349<<<6'];
    expect(fieldsOf('TD2', lines, TODAY)).toMatchObject({ documentNumber: 'D23145890734', optional: [] });
  });

  test('a date of birth that the issuer does not know', () => {
    const zone = (birth: string) => [
      'P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<',
      `L898902C36UTO${birth}0F3504159${'<'.repeat(16)}`,
    ];
    for (const birth of ['740812', '740230', '74<<12', '7413<<'])
      expect(fieldsOf('TD3', zone(birth), TODAY).birthDateUnknown).toBeUndefined();
    for (const birth of ['7408<<', '74<<<<', '<<<<<<'])
      expect(fieldsOf('TD3', zone(birth), TODAY)).toMatchObject({ birthDateUnknown: true });
  });

  test('a card whose issuer fills the last day', () => {
    const card = (code: string, expiry: string) =>
      fieldsOf('TD2', [`${code}UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<`, `D231458907UTO7408122F${expiry}0<<<<<<<6`], TODAY);
    expect(card('I<', '<<<<<<')).toMatchObject({ expiryUnknown: true });
    for (const [code, expiry] of [
      ['I<', '3012<<'],
      ['P<', '<<<<<<'],
      ['I<', '301231'],
    ] as const)
      expect(card(code, expiry).expiryUnknown).toBeUndefined();
  });

  test('a Spanish or Portuguese card that never expires', () => {
    const card = (state: string, expiry: string) =>
      fieldsOf(
        'TD1',
        [
          `ID${state}BAA000589499999999R<<<<<<`,
          `4001014F${expiry}1${state}<<<<<<<<<<<6`,
          'ESPANOLA<<CARMEN<<<<<<<<<<<<<<',
        ],
        TODAY,
      );
    expect(card('ESP', '990101').expiryDate).toBe('9999-01-01');
    expect(card('PRT', '991231').expiryDate).toBe('9999-12-31');
    expect(card('ESP', '990102').expiryDate).toBe('1999-01-02');
    expect(card('UTO', '990101').expiryDate).toBe('1999-01-01');
  });

  test('days that do not exist are left out', () => {
    expect(birthDateOf('990230', TODAY)).toBeUndefined();
    expect(birthDateOf('99<<<<', TODAY)).toBeUndefined();
  });
});
