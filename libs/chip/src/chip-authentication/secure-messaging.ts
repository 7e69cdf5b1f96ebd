import { timingSafeEqual } from 'node:crypto';
import { encodeElement } from '../der/write.ts';
import { malformed } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { blockBytes, encrypt, macOf, pad } from './ciphers.ts';
import type { Cipher } from './select.ts';
import type { SessionKeys } from './session-keys.ts';

const PROTECTED_DATA = 0x87;
const STATUS = 0x99;
const MAC = 0x8e;

/** The counter in the form the cipher takes: as long as a block. */
export const counterOf = (cipher: Cipher, count: number): Buffer => {
  const counter = Buffer.alloc(blockBytes(cipher));
  counter.writeUInt32BE(count, counter.length - 4);
  return counter;
};

/** The bytes that a MAC is computed over: the counter, then the data padded to whole blocks. */
const behindCounter = (cipher: Cipher, count: number, ...parts: readonly Buffer[]): Buffer =>
  pad(Buffer.concat([counterOf(cipher, count), ...parts]), blockBytes(cipher));

/** SELECT of an elementary file by its identifier. */
const SELECT = Buffer.from('0ca4020c', 'hex');

/**
 * The protected command that selects a file. It is the first one after new keys, so its counter is
 * one.
 */
export const protectedSelect = (cipher: Cipher, { encryption, mac }: SessionKeys, file: Uint8Array): Buffer => {
  const block = blockBytes(cipher);
  const cryptogram = encrypt(cipher, encryption, counterOf(cipher, 1), pad(file, block));
  const data = encodeElement(PROTECTED_DATA, Buffer.from([1]), cryptogram);
  const checksum = encodeElement(MAC, macOf(cipher, mac, behindCounter(cipher, 1, pad(SELECT, block), data)));
  return Buffer.concat([SELECT, Buffer.from([data.length + checksum.length]), data, checksum, Buffer.from([0])]);
};

interface Response {
  readonly data?: Buffer;
  readonly status: Buffer;
  readonly mac: Buffer;
}

/**
 * One data object: its tag, its content, the whole of it, and where the next one begins. A length
 * has one byte here, or two bytes with 81 in front.
 */
const objectAt = (bytes: Buffer, at: number) => {
  const long = bytes[at + 1] === 0x81;
  const start = at + (long ? 3 : 2);
  const length = bytes[long ? at + 2 : at + 1];
  if (length === undefined || (!long && length > 0x7f) || start + length > bytes.length)
    throw malformed('the answer of the chip is cut off');
  return {
    tag: bytes[at]!,
    whole: bytes.subarray(at, start + length),
    content: bytes.subarray(start, start + length),
    next: start + length,
  };
};

/** Reads [87 data] 99 status, 8E MAC, and the status again. */
const readResponse = (bytes: Buffer): Response => {
  if (bytes.length < 2 || bytes.length > LIMITS.answerBytes)
    throw malformed('the answer of the chip has no size that one has');
  const body = bytes.subarray(0, -2);
  const objects: ReturnType<typeof objectAt>[] = [];
  for (let at = 0; at < body.length; at = objects.at(-1)!.next) objects.push(objectAt(body, at));
  const data = objects[0]?.tag === PROTECTED_DATA ? objects.shift() : undefined;
  const [status, mac] = objects;
  if (objects.length !== 2 || status?.tag !== STATUS || mac?.tag !== MAC)
    throw malformed('the answer of the chip is not protected');
  if (status.content.length !== 2 || mac.content.length !== 8)
    throw malformed('the answer of the chip is not protected');
  if (!status.content.equals(bytes.subarray(-2))) throw malformed('the answer of the chip has two statuses');
  return { ...(data ? { data: data.whole } : {}), status: status.whole, mac: mac.content };
};

/**
 * Whether the answer to the first command has the MAC of the session; its counter is two. Throws
 * MALFORMED for an answer that is not protected.
 */
export const responseIsRight = (cipher: Cipher, macKey: Buffer, response: Uint8Array): boolean => {
  const { data, status, mac } = readResponse(Buffer.from(response));
  const expected = macOf(cipher, macKey, behindCounter(cipher, 2, ...(data ? [data] : []), status));
  return timingSafeEqual(expected, mac);
};
