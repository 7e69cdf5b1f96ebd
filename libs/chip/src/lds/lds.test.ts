import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { encodeElement } from '../der/write.ts';
import { attempt } from '../errors.ts';
import * as build from '../software/data-groups.ts';
import { PORTRAIT } from '../software/portrait.ts';
import { sample } from '../testing/samples.ts';
import { readDataGroup11, readDataGroup12 } from './details.ts';
import { readDataGroup7 } from './displayed-signature.ts';
import { readDataGroup1, sameMachineReadableZone } from './machine-readable-zone.ts';
import { readDataGroup2 } from './portrait.ts';
import { readDataGroup14 } from './security-infos.ts';

const now = new Date('2026-11-22T12:00:00Z');
const zone = (lines: string) => readDataGroup1(build.dataGroup1(lines), now);

describe('data group 1', () => {
  test('a passport of the standard, TD3', () => {
    const lines = 'P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<L898902C36UTO7408122F1204159ZE184226B<<<<<10';
    expect(zone(lines)).toMatchObject({
      format: 'TD3',
      checkDigitsValid: true,
      documentNumber: 'L898902C3',
      dateOfBirth: '1974-08-12',
      dateOfExpiry: '2012-04-15',
      optionalData: ['ZE184226B'],
    });
    expect(sameMachineReadableZone(zone(lines).lines.join(''), `${lines.slice(0, 44)}\n${lines.slice(44)}\n`)).toBe(
      true,
    );
  });

  test('a birth date in the future means a century earlier', () => {
    const bornOn = (date: string) =>
      `P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<L898902C36UTO${date}2F3204159ZE184226B<<<<<10`;
    expect(zone(bornOn('261224')).dateOfBirth).toBe('1926-12-24');
    expect(zone(bornOn('261123')).dateOfBirth).toBe('2026-11-23');
  });

  test.each([
    ['050101', '2005-01-01'],
    ['760101', '2076-01-01'],
    ['990101', '2099-01-01'],
    ['991231', '2099-12-31'],
  ])('a document with a chip expires in this century: %s', (date, expected) => {
    const lines = `P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<L898902C36UTO7408122F${date}9ZE184226B<<<<<10`;
    expect(zone(lines).dateOfExpiry).toBe(expected);
  });

  test('a card of the standard with a long number, TD1', () => {
    const lines = 'I<UTOD23145890<7349<<<<<<<<<<<3407127M9507122UTO<<<<<<<<<<<2STEVENSON<<PETER<JOHN<<<<<<<<<';
    expect(zone(lines)).toMatchObject({
      format: 'TD1',
      checkDigitsValid: true,
      documentNumber: 'D23145890734',
      nationality: 'UTO',
      surname: 'STEVENSON',
      sex: 'MALE',
    });
  });

  test.each([
    [
      'TD1',
      'I<UTOD23145890<12345678901234',
      '7408122F3204153UTO<<<<<<<<<<<',
      'ERIKSSON<<ANNA<MARIA',
      'D2314589012345678901234',
    ],
    ['TD2', 'I<UTOERIKSSON<<ANNA<MARIA', 'D23145890<UTO7408122F3204153123456', '', 'D23145890123456'],
  ])('a number that takes up all of the optional data, %s', (format, first, second, third, documentNumber) => {
    const digitOf = (text: string) => {
      const value = (at: number) => Math.max(0, '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'.indexOf(text[at]!));
      return Array.from(text, (_, at) => value(at) * [7, 3, 1][at % 3]!).reduce((a, b) => a + b) % 10;
    };
    const zoneWith = (digit: number) => {
      if (format === 'TD2') {
        const line = `${second}${digit}`;
        return `${first.padEnd(36, '<')}${line}${digitOf(line.slice(0, 10) + line.slice(13, 20) + line.slice(21))}`;
      }
      const line = `${first}${digit}`;
      const composite = digitOf(line.slice(5) + second.slice(0, 7) + second.slice(8, 15) + second.slice(18));
      return `${line}${second}${composite}${third.padEnd(30, '<')}`;
    };
    const digit = digitOf(documentNumber);
    expect(zone(zoneWith(digit))).toMatchObject({ format, documentNumber, checkDigitsValid: true });
    expect(zone(zoneWith((digit + 1) % 10))).toMatchObject({ documentNumber, checkDigitsValid: false });
  });

  test('a card of the standard, TD2', () => {
    const lines = 'I<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<D231458907UTO7408122F1204159<<<<<<<6';
    expect(zone(lines)).toMatchObject({
      format: 'TD2',
      checkDigitsValid: true,
      issuingState: 'UTO',
      documentNumber: 'D23145890',
      givenNames: 'ANNA MARIA',
    });
  });

  test('a card of France, TD2: by the standard, and in the layout that France had before', () => {
    const standard = 'IDFRAERIKSSON<<ANNA<MARIA<<<<<<<<<<<D231458907FRA7408122F1204159<<<<<<<6';
    expect(zone(standard)).toMatchObject({
      ...{ format: 'TD2', checkDigitsValid: true, documentNumber: 'D23145890', nationality: 'FRA' },
      ...{ surname: 'ERIKSSON', givenNames: 'ANNA MARIA', dateOfBirth: '1974-08-12', dateOfExpiry: '2012-04-15' },
    });
    const former = 'IDFRABERTHIER<<<<<<<<<<<<<<<<<<<<<<<8806923102858CORINNE<<<<<<<6512068F6';
    expect(zone(former)).toMatchObject({
      ...{ format: 'TD2', checkDigitsValid: true, documentNumber: '880692310285', nationality: '' },
      ...{ surname: 'BERTHIER', givenNames: 'CORINNE', dateOfBirth: '1965-12-06' },
    });
    expect(zone(former.replace('2858C', '2857C')).checkDigitsValid).toBe(false);
  });

  test('one wrong digit is detected at each position that a check digit covers', () => {
    const lines = 'P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<L898902C36UTO7408122F1204159ZE184226B<<<<<10';
    for (const at of [44, 52, 53, 57, 63, 65, 70, 71, 72, 80, 86, 87]) {
      const digit = lines[at] === '2' ? '3' : '2';
      expect(zone(lines.slice(0, at) + digit + lines.slice(at + 1)).checkDigitsValid).toBe(false);
    }
  });

  test('any characters of any length are read, or refused with the one error', () => {
    const text = fc
      .constantFrom(72, 88, 90, 30)
      .chain((length) =>
        fc.string({ unit: fc.constantFrom(...'ABCDFR<<<0123456789IP'), minLength: length, maxLength: length }),
      );
    fc.assert(
      fc.property(text, (lines) => void attempt(() => zone(lines))),
      { numRuns: 500 },
    );
  });
});

describe('other data groups', () => {
  test('dates in ASCII and in binary-coded decimals', () => {
    for (const form of ['ASCII', 'BCD'] as const) {
      expect(readDataGroup12(build.dataGroup12('AUTHORITY', '2026-02-03', form))).toEqual({
        issuingAuthority: 'AUTHORITY',
        dateOfIssue: '2026-02-03',
      });
      expect(readDataGroup11(build.dataGroup11('A<<B', '1974-08-12', 'TOWN', form))).toMatchObject({
        dateOfBirth: '1974-08-12',
      });
    }
    expect(readDataGroup12(build.dataGroup12('AUTHORITY', '2026-02-30'))).toEqual({ issuingAuthority: 'AUTHORITY' });
  });

  test('text that is not UTF-8 is left out, not guessed', () => {
    const named = (name: Buffer) => Buffer.concat([Buffer.from([0x5f, 0x0e, name.length]), name]);
    const file = (name: Buffer) => encodeElement(0x6b, Buffer.from('5c025f0e', 'hex'), named(name));
    expect(readDataGroup11(file(Buffer.from('MÜLLER<<ZOË', 'utf8')))).toMatchObject({ fullName: 'MÜLLER ZOË' });
    expect(readDataGroup11(file(Buffer.from('MÜLLER<<ZOË', 'latin1')))).toEqual({});
  });

  test('details in other encodings', () => {
    expect(readDataGroup11(sample('mustermann/DG11.bin'))).toMatchObject({
      fullName: expect.stringContaining('John'),
      otherNames: ['William'],
      dateOfBirth: '1970-01-01',
      personalNumber: '123',
    });
    expect(readDataGroup12(sample('mustermann/DG12.bin'))).toMatchObject({
      issuingAuthority: 'TEST',
      dateOfIssue: '2024-01-01',
    });
  });

  test('pictures are found by their first bytes', () => {
    for (const encoding of ['19794', '39794'] as const)
      expect(readDataGroup2(build.dataGroup2(PORTRAIT, encoding))).toMatchObject({
        type: 'image/jpeg',
        width: 120,
        height: 160,
        bytes: PORTRAIT,
      });
    expect(readDataGroup7(sample('mustermann/DG7.bin'))).toMatchObject({ type: 'image/jp2', width: 550, height: 142 });
    expect(attempt(() => readDataGroup2(build.dataGroup2(Buffer.from('no picture')))).error?.code).toBe('MALFORMED');
  });

  test('a picture whose length is stated too short', () => {
    const file = build.dataGroup2(PORTRAIT, '19794');
    const record = file.indexOf('FAC\0');
    file.writeUInt32BE(file.readUInt32BE(record + 14) - 32, record + 14);
    expect(readDataGroup2(file).bytes).toEqual(PORTRAIT);
    file.writeUInt16BE(2, record + 12);
    expect(readDataGroup2(file).bytes).toEqual(PORTRAIT.subarray(0, -32));
  });

  test('a face whose picture can be read, behind one whose picture cannot', () => {
    const face = (image: Buffer): Buffer => {
      const header = Buffer.alloc(32);
      header.writeUInt32BE(header.length + image.length, 0);
      return Buffer.concat([header, image]);
    };
    const record = (...images: Buffer[]): Buffer => {
      const header = Buffer.from('FAC\0' + '010\0' + '\0\0\0\0' + '\0\0', 'latin1');
      header.writeUInt16BE(images.length, 12);
      return Buffer.concat([header, ...images.map(face)]);
    };
    const template = (tag: number, content: Buffer) => encodeElement(0x7f60, encodeElement(tag, content));
    const group = (one: Buffer) => encodeElement(0x75, encodeElement(0x7f61, one));
    const large = Buffer.from(PORTRAIT);
    const frame = large.indexOf(Buffer.from('ffc0', 'hex'));
    large.writeUInt32BE(0x0bb80bb8, frame + 5);
    for (const first of [large, PORTRAIT.subarray(0, 20)]) {
      const older = group(template(0x5f2e, record(first, PORTRAIT)));
      expect(readDataGroup2(older)).toMatchObject({ format: 'ISO/IEC 19794-5', width: 120, bytes: PORTRAIT });
      const newer = group(
        template(0x7f2e, Buffer.concat([first, PORTRAIT].map((image) => encodeElement(0x80, image)))),
      );
      expect(readDataGroup2(newer)).toMatchObject({ format: 'ISO/IEC 39794-5', width: 120, bytes: PORTRAIT });
    }
    const none = attempt(() => readDataGroup2(group(template(0x5f2e, record(large, large)))));
    expect(none.error?.code).toBe('MALFORMED');
  });

  test('a picture that the header of its record does not lead to', () => {
    const file = build.dataGroup2(PORTRAIT, '19794');
    const record = file.indexOf('FAC\0');
    file.writeUInt16BE(5, record + 18);
    expect(readDataGroup2(file)).toMatchObject({ type: 'image/jpeg', bytes: PORTRAIT });
    const template = (tag: number, content: Uint8Array) => encodeElement(0x7f60, encodeElement(tag, content));
    const group = (...templates: Buffer[]) => encodeElement(0x75, encodeElement(0x7f61, ...templates));
    // ISO/IEC 19794-5 of 2011 has longer headers.
    const later = Buffer.concat([Buffer.from('FAC\x00030\x00'), Buffer.alloc(60), PORTRAIT]);
    const [empty, good] = [template(0x5f2e, Buffer.from('no picture')), template(0x5f2e, later)];
    for (const templates of [[good], [encodeElement(0x7f60), empty, good], [template(0x5f2e, PORTRAIT)]])
      expect(readDataGroup2(group(...templates)).bytes).toEqual(PORTRAIT);
    const inside = template(0x7f2e, encodeElement(0x5f2e, later));
    expect(readDataGroup2(group(inside))).toMatchObject({ format: 'ISO/IEC 19794-5', bytes: PORTRAIT });
  });

  test('security infos of several protocols', () => {
    const { protocols, keys } = readDataGroup14(sample('mustermann/DG14.bin'));
    expect(protocols).toEqual([{ protocol: '0.4.0.127.0.7.2.2.3.2.1' }]);
    expect(keys).toMatchObject([{ agreement: 'ECDH' }]);
  });
});

test('a surname that fills its field has no given names, and does not count as them', () => {
  const line = (name: string) => `P<UTO${name.padEnd(39, '<')}L898902C36UTO7408122F3204159ZE184226B<<<<<14`;
  const read = (name: string) => readDataGroup1(build.dataGroup1(line(name)), new Date('2026-01-01T00:00:00Z'));
  expect(read('NILAVADHANANANDACHAYAPORNDEJTHAMRONGTHA').givenNames).toBe('');
  expect(read('ERIKSSON<<ANNA<MARIA').givenNames).toBe('ANNA MARIA');
});
