import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { allAgree, checkDigit, checksOf, checksWithout, td1Number, td2Number } from './checks.ts';

// The examples printed in ICAO 9303 parts 4 to 7.
const TD3 = ['P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<', 'L898902C36UTO7408122F1204159ZE184226B<<<<<10'];
const TD1 = ['I<UTOD231458907<<<<<<<<<<<<<<<', '7408122F1204159UTO<<<<<<<<<<<6', 'ERIKSSON<<ANNA<MARIA<<<<<<<<<<'];
const TD2 = ['I<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<', 'D231458907UTO7408122F1204159<<<<<<<6'];

describe('check digits', () => {
  test('agree on the examples of ICAO 9303', () => {
    expect(allAgree(checksOf('TD3', TD3))).toBe(true);
    expect(allAgree(checksOf('TD1', TD1))).toBe(true);
    expect(allAgree(checksOf('TD2', TD2))).toBe(true);
  });

  test('a long document number continues in the optional data', () => {
    const line = 'I<UTOD23145890<7349<<<<<<<<<<<';
    expect(td1Number(line)).toEqual({ number: 'D23145890734', digit: '9', long: true });
    expect(checkDigit('D23145890734')).toBe('9');
  });

  test('so does one of two lines of 36', () => {
    const withoutLast = 'D23145890<UTO7408122F12041597349<<<';
    const line = withoutLast + checkDigit(withoutLast.slice(0, 10) + withoutLast.slice(13, 20) + withoutLast.slice(21));
    expect(td2Number(line)).toEqual({ number: 'D23145890734', digit: '9', long: true });
    expect(checksOf('TD2', [TD2[0]!, line])).toEqual({
      documentNumber: true,
      birthDate: true,
      expiryDate: true,
      composite: true,
    });
    const other = line.replace('7349', '7359');
    expect(checksOf('TD2', [TD2[0]!, other])).toMatchObject({ documentNumber: false, composite: false });
    expect(checksOf('TD2', [TD2[0]!, line.replace('7349', '<<<<')]).documentNumber).toBe(false);
  });

  test('an empty optional field may carry a filler for its digit', () => {
    const second = `${TD3[1]!.slice(0, 28)}${'<'.repeat(15)}`;
    const composite = checkDigit(second.slice(0, 10) + second.slice(13, 20) + second.slice(21, 43));
    expect(checksOf('TD3', [TD3[0]!, second + composite])).toMatchObject({ optional: true, composite: true });
  });

  test('characters that were not read leave the checks that do not cover them', () => {
    const checks = checksOf('TD3', TD3);
    expect(checksWithout('TD3', TD3, checks, [{ line: 0, column: 7 }])).toEqual(checks);
    const { birthDate: _, composite: _all, ...others } = checks;
    for (const column of [13, 16, 19]) expect(checksWithout('TD3', TD3, checks, [{ line: 1, column }])).toEqual(others);
    const wrong = [TD3[0]!, TD3[1]!.slice(0, 27) + (TD3[1]![27] === '9' ? '0' : '9') + TD3[1]!.slice(28)];
    const failing = checksOf('TD3', wrong);
    expect(failing).toMatchObject({ expiryDate: false, composite: false });
    expect(checksWithout('TD3', wrong, failing, [{ line: 1, column: 14 }])).toEqual({
      documentNumber: true,
      expiryDate: false,
      optional: true,
    });
  });

  test('one changed digit of a date or number is always detected', () => {
    const places = [...Array(9).keys(), 13, 14, 15, 16, 17, 18, 21, 22, 23, 24, 25, 26];
    fc.assert(
      fc.property(fc.constantFrom(...places), fc.integer({ min: 1, max: 9 }), (place, by) => {
        const line = TD3[1]!;
        const old = line[place]!;
        fc.pre(/\d/.test(old));
        const changed = line.slice(0, place) + String((Number(old) + by) % 10) + line.slice(place + 1);
        expect(allAgree(checksOf('TD3', [TD3[0]!, changed]))).toBe(false);
      }),
    );
  });
});
