import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ChipError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { indefinite, integer, octetString, sequence } from '../software/build.ts';
import { type Element, readDer, type Steps } from './read.ts';
import { integerBytes, oidOf, timeOf } from './values.ts';
import { encodeElement, encodeOid, TAG } from './write.ts';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');
const refusal = (bytes: Uint8Array): string => {
  try {
    readDer(bytes);
    return 'read';
  } catch (error) {
    return error instanceof ChipError ? error.code : String(error);
  }
};

const nested = (levels: number): Buffer => {
  let bytes = octetString(Buffer.from('x'));
  for (let level = 1; level < levels; level += 1) bytes = sequence(bytes);
  return bytes;
};

/** Any tree of elements, written in DER and, with the same content, in BER. */
const anyTree: fc.Arbitrary<{ der: Buffer; ber: Buffer }> = fc.letrec<{ tree: { der: Buffer; ber: Buffer } }>(
  (tie) => ({
    tree: fc.oneof(
      { depthSize: 'small' },
      fc.uint8Array({ maxLength: 300 }).map((bytes) => ({
        der: octetString(bytes),
        ber: indefinite(TAG.octetString | 0x20, octetString(bytes.subarray(0, 3)), octetString(bytes.subarray(3))),
      })),
      fc.nat().map((value) => ({ der: integer(value), ber: integer(value) })),
      fc.array(tie('tree'), { maxLength: 4 }).map((parts) => ({
        der: sequence(...parts.map(({ der }) => der)),
        ber: indefinite(TAG.sequence, ...parts.map(({ ber }) => ber)),
      })),
    ),
  }),
).tree;

describe('reading DER', () => {
  test('BER reads as the DER of the same content', () => {
    fc.assert(
      fc.property(anyTree, ({ der, ber }) => {
        expect(readDer(ber).bytes).toEqual(der);
        expect(readDer(der).bytes).toEqual(der);
      }),
    );
  });

  test('DER inside BER stays the same, byte for byte', () => {
    const odd = hex('30 81 03 02 01 05');
    expect(readDer(indefinite(TAG.sequence, odd)).children[0]!.bytes).toEqual(odd);
  });

  test.each([
    ['nothing', '', 'MALFORMED'],
    ['an element that ends outside the file', '30 05 02 01 05', 'MALFORMED'],
    ['an element that ends outside its parent', '30 03 02 02 05 05 00', 'MALFORMED'],
    ['bytes behind the last element', '02 01 05 00', 'MALFORMED'],
    ['a cut length', '30 82 01', 'MALFORMED'],
    ['a cut tag', '7f', 'MALFORMED'],
    ['a tag of four bytes', '7f 81 81 01 00', 'LIMIT_EXCEEDED'],
    ['a length of five bytes', '30 85 00 00 00 00 00', 'LIMIT_EXCEEDED'],
    ['the greatest length there is', '30 84 ff ff ff ff', 'MALFORMED'],
    ['a primitive element without length', '04 80 00 00', 'MALFORMED'],
    ['an element without end', '30 80 02 01 05', 'MALFORMED'],
    ['an end mark beyond the parent', '30 03 30 80 00 00', 'MALFORMED'],
    ['a string in pieces of another kind', '24 03 02 01 05', 'MALFORMED'],
  ])('%s is refused', (_what, bytes, code) => {
    expect(refusal(hex(bytes))).toBe(code);
  });

  test('32 levels are read, 33 and 20,000 are not', () => {
    expect(refusal(nested(LIMITS.depth))).toBe('read');
    expect(refusal(nested(LIMITS.depth + 1))).toBe('LIMIT_EXCEEDED');
    const deep = Buffer.concat(Array.from({ length: 20_000 }, () => hex('30 80')));
    expect(refusal(deep)).toBe('LIMIT_EXCEEDED');
  });

  test('4096 elements in a level are read, one more is not', () => {
    const many = (count: number) => sequence(...Array.from({ length: count }, () => hex('05 00')));
    expect(refusal(many(LIMITS.elementsInOneLevel))).toBe('read');
    expect(refusal(many(LIMITS.elementsInOneLevel + 1))).toBe('LIMIT_EXCEEDED');
  });

  test('elements of one file are counted, however they nest', () => {
    const level = sequence(...Array.from({ length: 4000 }, () => hex('05 00')));
    expect(refusal(sequence(level, level, level, level))).toBe('read');
    expect(refusal(sequence(level, level, level, level, level))).toBe('LIMIT_EXCEEDED');
  });

  test('a file above 350 KiB is not read', () => {
    expect(refusal(octetString(Buffer.alloc(LIMITS.fileBytes)))).toBe('LIMIT_EXCEEDED');
  });

  test('any bytes are read in steps that their number bounds, or refused with the one error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), (bytes) => {
        const steps: Steps = { count: 0 };
        try {
          const element: Element = readDer(bytes, undefined, steps);
          expect(element.bytes.length).toBeGreaterThan(0);
        } catch (error) {
          expect(error).toBeInstanceOf(ChipError);
        }
        expect(steps.count).toBeLessThanOrEqual(bytes.length + 1);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('values', () => {
  test.each(['2.23.136.1.1.1', '1.2.840.113549.1.1.10', '0.4.0.127.0.7.2.2.3.2.4', '2.999.3'])(
    '%s is written and read',
    (dotted) => {
      expect(oidOf(readDer(encodeOid(dotted)), 'an identifier')).toBe(dotted);
    },
  );

  test('integers lose leading zeros and nothing else', () => {
    expect(integerBytes(readDer(hex('02 03 00 00 80')), 'a number')).toEqual(hex('80'));
    expect(integerBytes(readDer(hex('02 01 00')), 'a number')).toEqual(hex('00'));
  });

  test('times of both kinds', () => {
    const time = (tag: number, text: string) =>
      timeOf(readDer(encodeElement(tag, Buffer.from(text))), 'a time').toISOString();
    expect(time(TAG.utcTime, '490101000000Z')).toBe('2049-01-01T00:00:00.000Z');
    expect(time(TAG.utcTime, '500101000000Z')).toBe('1950-01-01T00:00:00.000Z');
    expect(time(TAG.generalizedTime, '20501231235959Z')).toBe('2050-12-31T23:59:59.000Z');
    expect(time(TAG.utcTime, '2601010000+0130')).toBe('2025-12-31T22:30:00.000Z');
    expect(time(TAG.generalizedTime, '20260101000000.123Z')).toBe('2026-01-01T00:00:00.000Z');
    expect(time(TAG.generalizedTime, '20260101000000-0200')).toBe('2026-01-01T02:00:00.000Z');
    for (const [tag, text] of [
      [TAG.utcTime, '2601010000'],
      [TAG.utcTime, '260101000000.5Z'],
      [TAG.generalizedTime, '20260101000000+2500'],
      [TAG.utcTime, '20501231235959Z'],
      [TAG.utcTime, '491301000000Z'],
      [TAG.generalizedTime, '490101000000Z'],
    ] as const)
      expect(() => time(tag, text)).toThrow(ChipError);
  });
});
