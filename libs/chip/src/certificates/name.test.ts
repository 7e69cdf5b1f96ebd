import { expect, test } from '@jest/globals';
import { readDer } from '../der/read.ts';
import { encodeElement, encodeOid, TAG } from '../der/write.ts';
import { distinguishedName, sequence, set } from '../software/build.ts';
import { nameKey, nameOf } from './name.ts';

const TEXT = 'Büro \u{1f6c2}';
const utf32 = (text: string): Buffer =>
  Buffer.concat(
    [...text].map((character) => {
      const four = Buffer.alloc(4);
      four.writeUInt32BE(character.codePointAt(0)!);
      return four;
    }),
  );
const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();
const nameWith = (tag: number, text: Buffer) =>
  nameOf(readDer(sequence(set(sequence(encodeOid('2.5.4.3'), encodeElement(tag, text))))));

test('one name in strings of every kind is one name', () => {
  const usual = nameWith(TAG.utf8String, Buffer.from(TEXT));
  expect(usual.attributes[0]!.text).toBe(TEXT);
  expect(nameKey(nameWith(TAG.universalString, utf32(TEXT)))).toBe(nameKey(usual));
  expect(nameKey(nameWith(TAG.bmpString, utf16(TEXT)))).toBe(nameKey(usual));
  expect(nameKey(nameWith(TAG.utf8String, Buffer.from(TEXT.toUpperCase())))).toBe(nameKey(usual));
});

test.each([
  ['DE', 'DE'],
  ['de', 'DE'],
  ['D', 'DE'],
  ['DEU', 'DE'],
  ['UTO', 'UT'],
  ['KS', 'KS'],
  ['XYZ', 'XYZ'],
])('a country written %s is %s', (written, country) => {
  const name = nameOf(readDer(distinguishedName(written, 'Odd', 'Odd')));
  expect(name.country).toBe(country);
  expect(nameKey(name)).toBe(nameKey(nameOf(readDer(distinguishedName(country, 'Odd', 'Odd')))));
});

test('a string that ends within a character, or contains an invalid one, can be read all the same', () => {
  expect(nameWith(TAG.universalString, Buffer.from('0000004100', 'hex')).attributes[0]!.text).toBe('A');
  expect(nameWith(TAG.universalString, Buffer.from('ffffffff', 'hex')).attributes[0]!.text).toBe('\ufffd');
});
