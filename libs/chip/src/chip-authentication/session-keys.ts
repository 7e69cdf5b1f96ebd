import { type Digest, hash } from '../keys/digests.ts';
import type { Cipher } from './select.ts';

/** The keys of a protected session. */
export interface SessionKeys {
  readonly encryption: Buffer;
  readonly mac: Buffer;
}

const SHAPES: Readonly<Record<Cipher, { digest: Digest; bytes: number }>> = {
  '3DES': { digest: 'sha1', bytes: 16 },
  'AES-128': { digest: 'sha1', bytes: 16 },
  'AES-192': { digest: 'sha256', bytes: 24 },
  'AES-256': { digest: 'sha256', bytes: 32 },
};

const ones = (byte: number): number => byte.toString(2).replaceAll('0', '').length;

/** DES keys have an odd number of ones in each byte. */
const withOddParity = (key: Buffer): Buffer =>
  Buffer.from(key.map((byte) => ((byte & 0xfe) | (ones(byte & 0xfe) % 2 === 0 ? 1 : 0)) & 0xff));

const derive = (cipher: Cipher, secret: Uint8Array, counter: number): Buffer => {
  const { digest, bytes } = SHAPES[cipher];
  const key = hash(digest, secret, Buffer.from([0, 0, 0, counter])).subarray(0, bytes);
  return cipher === '3DES' ? withOddParity(key) : key;
};

/** Derives the keys of a session from the agreed secret (9303-11, 9.7.1). */
export const deriveSessionKeys = (cipher: Cipher, secret: Uint8Array): SessionKeys => ({
  encryption: derive(cipher, secret, 1),
  mac: derive(cipher, secret, 2),
});
