import { malformed } from '../errors.ts';
import type { Element } from './read.ts';
import { TAG } from './write.ts';

/** The element, if it has this tag; otherwise an error that names `what`. */
export const expectTag = (element: Element | undefined, tag: number, what: string): Element => {
  if (element === undefined) throw malformed(`${what} is missing`);
  if (element.tag !== tag) throw malformed(`${what} has another tag`);
  return element;
};

/** The child at this place, if it has this tag. */
export const childAt = (element: Element, index: number, tag: number, what: string): Element =>
  expectTag(element.children[index], tag, what);

/** The first child with this tag, or undefined. */
export const findChild = (element: Element, tag: number): Element | undefined =>
  element.children.find((child) => child.tag === tag);

const arcsOf = (content: Buffer): bigint[] => {
  const arcs: bigint[] = [];
  let value = 0n;
  for (const byte of content) {
    value = (value << 7n) | BigInt(byte & 0x7f);
    if (byte & 0x80) continue;
    arcs.push(value);
    value = 0n;
  }
  return arcs;
};

const OID_BYTES = 64;

/** An object identifier in dotted form. */
export const oidOf = (element: Element | undefined, what: string): string => {
  const { content } = expectTag(element, TAG.oid, what);
  if (content.length === 0 || content.length > OID_BYTES || content.at(-1)! & 0x80)
    throw malformed(`${what} is no object identifier`);
  const [first = 0n, ...rest] = arcsOf(content);
  const top = first < 80n ? first / 40n : 2n;
  return [top, first - top * 40n, ...rest].join('.');
};

/** The bytes of an integer without leading zeros. */
export const integerBytes = (element: Element | undefined, what: string): Buffer => {
  const { content } = expectTag(element, TAG.integer, what);
  if (content.length === 0) throw malformed(`${what} is an empty integer`);
  let start = 0;
  while (start < content.length - 1 && content[start] === 0) start += 1;
  return content.subarray(start);
};

/** A small integer: from 0 to 2^31. */
export const smallInteger = (element: Element | undefined, what: string): number => {
  const bytes = integerBytes(element, what);
  if (bytes.length > 4 || element!.content[0]! & 0x80) throw malformed(`${what} is out of range`);
  return bytes.readUIntBE(0, bytes.length);
};

/** The content of an octet string. */
export const octets = (element: Element | undefined, what: string): Buffer =>
  expectTag(element, TAG.octetString, what).content;

/** The content of a bit string that has whole bytes. */
export const bits = (element: Element | undefined, what: string): Buffer => {
  const { content } = expectTag(element, TAG.bitString, what);
  if (content.length === 0 || content[0] !== 0) throw malformed(`${what} is no bit string of whole bytes`);
  return content.subarray(1);
};

const TIMES: Readonly<Record<number, RegExp>> = {
  [TAG.utcTime]: /^(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})?(Z|[+-]\d{4})$/,
  [TAG.generalizedTime]: /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})?(?:[.,]\d{1,9})?(Z|[+-]\d{4})$/,
};

/**
 * A UTCTime or GeneralizedTime. DER requires UTC, but issuers have written time zones and fractions
 * of seconds.
 */
export const timeOf = (element: Element | undefined, what: string): Date => {
  const stated = TIMES[element?.tag ?? 0]?.exec(element!.content.toString('latin1')) ?? [];
  const [, year, month, day, hour, minute, second = '00', zone = 'Z'] = stated;
  if (year === undefined) throw malformed(`${what} is no time`);
  const century = year.length === 4 ? '' : Number(year) < 50 ? '20' : '19';
  const offset = zone === 'Z' ? zone : `${zone.slice(0, 3)}:${zone.slice(3)}`;
  const time = new Date(`${century}${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`);
  if (Number.isNaN(time.getTime())) throw malformed(`${what} is no time`);
  return time;
};

/** Four bytes for each character. */
const universalText = (content: Buffer): string => {
  const characters = Array.from({ length: Math.floor(content.length / 4) }, (_, at) => content.readUInt32BE(at * 4));
  return characters.map((code) => (code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code))).join('');
};

/** The text of any kind of string that certificates use. */
export const textOf = (element: Element): string => {
  if (element.tag === TAG.utf8String) return element.content.toString('utf8');
  if (element.tag === TAG.bmpString)
    return Buffer.from(element.content.subarray(0, element.content.length & ~1))
      .swap16()
      .toString('utf16le');
  if (element.tag === TAG.universalString) return universalText(element.content);
  return element.content.toString('latin1');
};
