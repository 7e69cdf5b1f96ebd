import { expect, test } from '@jest/globals';
import { sameCheckedCharacters } from './machine-readable-zone.ts';

test.each([
  ['TD3', 'P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<', 'L898902C36UTO7408122F1204159ZE184226B<<<<<10'],
  ['TD2', 'I<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<', 'D231458907UTO7408122F1204159<<<<<<<6'],
  ['TD1', 'I<UTOD231458907<<<<<<<<<<<<<<<', '7408122F1204159UTO<<<<<<<<<<<6', 'ERIKSSON<<ANNA<MARIA<<<<<<<<<<'],
])('a %s is the same to its check digits whatever its names, states and sex', (_format, ...lines) => {
  const zone = lines.join('');
  expect(sameCheckedCharacters(zone, zone.replace('ANNA', 'ANMA').replaceAll('UTO', 'UTC').replace('2F1', '2M1'))).toBe(
    true,
  );
  const digits = [...zone].flatMap((char, at) => (/\d/.test(char) ? [at] : []));
  for (const at of digits) {
    const other = `${zone.slice(0, at)}${(Number(zone[at]) + 1) % 10}${zone.slice(at + 1)}`;
    expect(sameCheckedCharacters(zone, other)).toBe(false);
  }
});

test('lines of no format are the same as none', () => {
  expect(sameCheckedCharacters('P<UTO', 'P<UTO')).toBe(false);
});
