import { type Element, readDer } from '../der/read.ts';
import { malformed } from '../errors.ts';

/** The outer tag of each data group. */
export const DATA_GROUP_TAGS: Readonly<Record<number, number>> = {
  1: 0x61,
  2: 0x75,
  3: 0x63,
  4: 0x76,
  5: 0x65,
  6: 0x66,
  7: 0x67,
  8: 0x68,
  9: 0x69,
  10: 0x6a,
  11: 0x6b,
  12: 0x6c,
  13: 0x6d,
  14: 0x6e,
  15: 0x6f,
  16: 0x70,
};

/** The outer tag of EF.SOD. */
export const SECURITY_OBJECT_TAG = 0x77;

/** Reads a file of the chip that has this outer tag. */
export const readFile = (bytes: Uint8Array, tag: number, what: string): Element => {
  const file = readDer(bytes);
  if (file.tag !== tag) throw malformed(`${what} has another tag`);
  return file;
};

/** Reads a data group. */
export const readDataGroup = (bytes: Uint8Array, number: number): Element =>
  readFile(bytes, DATA_GROUP_TAGS[number] ?? 0, `data group ${number}`);
