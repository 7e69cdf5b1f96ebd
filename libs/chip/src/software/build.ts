import { encodeElement, encodeOid, TAG } from '../der/write.ts';

/** A sequence of these elements. */
export const sequence = (...parts: readonly Uint8Array[]): Buffer => encodeElement(TAG.sequence, ...parts);

/** A set of these elements, in the order that DER wants. */
export const set = (...parts: readonly Buffer[]): Buffer => encodeElement(TAG.set, ...parts.toSorted(Buffer.compare));

/** A non-negative integer. */
export const integer = (value: number | bigint | Uint8Array): Buffer => {
  const hex = typeof value === 'object' ? Buffer.from(value).toString('hex') : value.toString(16);
  const bytes = Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex');
  return encodeElement(TAG.integer, bytes[0]! & 0x80 ? Buffer.from([0]) : Buffer.alloc(0), bytes);
};

/** An octet string. */
export const octetString = (bytes: Uint8Array): Buffer => encodeElement(TAG.octetString, bytes);

/** A bit string of whole bytes. */
export const bitString = (bytes: Uint8Array): Buffer => encodeElement(TAG.bitString, Buffer.from([0]), bytes);

/** An element of the context class around others. */
export const context = (number: number, ...parts: readonly Uint8Array[]): Buffer =>
  encodeElement(0xa0 | number, ...parts);

/** NULL. */
export const nothing: Buffer = encodeElement(TAG.null);

/** An algorithm without parameters, or with these. */
export const algorithm = (oid: string, ...parameters: readonly Uint8Array[]): Buffer =>
  sequence(encodeOid(oid), ...parameters);

/** A time as certificates write it: UTCTime until 2049. */
export const time = (date: Date): Buffer => {
  const digits = date.toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  const short = date.getUTCFullYear() < 2050;
  return encodeElement(
    short ? TAG.utcTime : TAG.generalizedTime,
    Buffer.from(short ? digits.slice(2) : digits, 'latin1'),
  );
};

/** A distinguished name of country, organisation and common name. */
export const distinguishedName = (country: string, organisation: string, commonName: string): Buffer =>
  sequence(
    ...[
      ['2.5.4.6', TAG.printableString, country],
      ['2.5.4.10', TAG.utf8String, organisation],
      ['2.5.4.3', TAG.utf8String, commonName],
    ].map(([type, tag, text]) =>
      set(sequence(encodeOid(String(type)), encodeElement(Number(tag), Buffer.from(String(text))))),
    ),
  );

/** An element of indefinite length, as BER allows and some issuers write. */
export const indefinite = (tag: number, ...parts: readonly Uint8Array[]): Buffer =>
  Buffer.concat([Buffer.from([tag, 0x80]), ...parts, Buffer.from([0, 0])]);
