import { createCipheriv } from 'node:crypto';
import { cmac } from '@noble/ciphers/aes.js';
import type { Cipher } from './select.ts';

/** Bytes of one block. */
export const blockBytes = (cipher: Cipher): number => (cipher === '3DES' ? 8 : 16);

/** Padding of ISO/IEC 9797-1, method 2: one byte 80, then zeros to the end of the block. */
export const pad = (data: Uint8Array, block: number): Buffer => {
  const padded = Buffer.alloc((Math.floor(data.length / block) + 1) * block);
  padded.set(data);
  padded[data.length] = 0x80;
  return padded;
};

const run = (algorithm: string, key: Uint8Array, iv: Uint8Array | null, data: Uint8Array): Buffer => {
  const cipher = createCipheriv(algorithm, key, iv);
  cipher.setAutoPadding(false);
  return Buffer.concat([cipher.update(data), cipher.final()]);
};

const two = (key: Buffer): Buffer => Buffer.concat([key, key.subarray(0, 8)]);
/**
 * OpenSSL has single DES in its legacy provider only; 3DES with three equal keys gives the same
 * result.
 */
const single = (key: Buffer): Buffer => Buffer.concat([key.subarray(0, 8), key.subarray(0, 8), key.subarray(0, 8)]);

const aes = (key: Buffer, mode: 'cbc' | 'ecb'): string => `aes-${key.length * 8}-${mode}`;

/**
 * Encrypts whole blocks as a protected session does: 3DES with a zero vector, AES with the
 * encrypted counter.
 */
export const encrypt = (cipher: Cipher, key: Buffer, counter: Buffer, blocks: Uint8Array): Buffer =>
  cipher === '3DES'
    ? run('des-ede3-cbc', two(key), Buffer.alloc(8), blocks)
    : run(aes(key, 'cbc'), key, run(aes(key, 'ecb'), key, null, counter), blocks);

/**
 * ISO/IEC 9797-1 algorithm 3, the retail MAC: CBC with the first half of the key, and the last
 * block with both halves.
 */
const retailMac = (key: Buffer, blocks: Buffer): Buffer => {
  const head = run('des-ede3-cbc', single(key), Buffer.alloc(8), blocks.subarray(0, -8));
  const chained = head.length > 0 ? head.subarray(-8) : Buffer.alloc(8);
  const last = Buffer.from(blocks.subarray(-8).map((byte, index) => byte ^ chained[index]!));
  return run('des-ede3-cbc', two(key), Buffer.alloc(8), last);
};

/** The eight bytes of MAC over padded blocks. */
export const macOf = (cipher: Cipher, key: Buffer, blocks: Buffer): Buffer =>
  cipher === '3DES' ? retailMac(key, blocks) : Buffer.from(cmac(blocks, key)).subarray(0, 8);
