import { constants, generateKeyPairSync, privateEncrypt } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { hash } from '../keys/digests.ts';
import { recoverySignatureIsRight } from './iso9796.ts';

const challenge = Buffer.from('0102030405060708', 'hex');
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
const key = { kind: 'RSA', key: publicKey, modulusBits: 1024, point: Buffer.alloc(0) } as const;
const number = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
const modulus = number(Buffer.from(publicKey.export({ format: 'jwk' }).n!, 'base64url'));

/** What a chip signs: with so much of its own that the whole has the length of the modulus. */
const signed = (own: number): Buffer => {
  const part = Buffer.alloc(128 - 1 - 32 - 2, own);
  const message = Buffer.concat([
    Buffer.from([0x6a]),
    part,
    hash('sha256', part, challenge),
    Buffer.from('34cc', 'hex'),
  ]);
  return privateEncrypt({ key: privateKey, padding: constants.RSA_NO_PADDING }, message);
};
const difference = (signature: Buffer): Buffer =>
  Buffer.from((modulus - number(signature)).toString(16).padStart(256, '0'), 'hex');

describe('an answer with message recovery', () => {
  test.each([1, 2, 3, 4])(
    'is right, and so is its difference to the modulus; chips give the lesser of both: %i',
    (own) => {
      const signature = signed(own);
      expect(recoverySignatureIsRight(key, challenge, signature)).toBe(true);
      expect(recoverySignatureIsRight(key, challenge, difference(signature))).toBe(true);
    },
  );

  // Header, more data to follow, and a border: as many bits of them as the modulus leaves.
  test.each([
    [2047, '3a'],
    [1023, '3a'],
    [1025, '00ca'],
    [1028, '07'],
    [1030, '19'],
  ])('of a modulus of %i bits, which is no number of bytes, is right', (modulusLength, header) => {
    const pair = generateKeyPairSync('rsa', { modulusLength });
    const odd = { kind: 'RSA', key: pair.publicKey, modulusBits: modulusLength, point: Buffer.alloc(0) } as const;
    const start = Buffer.from(header, 'hex');
    const part = Buffer.alloc(Math.ceil(modulusLength / 8) - start.length - 32 - 2, 7);
    const answerTo = (asked: Buffer) =>
      privateEncrypt(
        { key: pair.privateKey, padding: constants.RSA_NO_PADDING },
        Buffer.concat([start, part, hash('sha256', part, asked), Buffer.from('34cc', 'hex')]),
      );
    expect(recoverySignatureIsRight(odd, challenge, answerTo(challenge))).toBe(true);
    expect(recoverySignatureIsRight(odd, challenge, answerTo(Buffer.alloc(8)))).toBe(false);
  });

  test('to another challenge is wrong either way', () => {
    const signature = signed(1);
    for (const answer of [signature, difference(signature)])
      expect(recoverySignatureIsRight(key, Buffer.alloc(8), answer)).toBe(false);
  });

  test('that is zero, or not below the modulus, is invalid', () => {
    for (const answer of [Buffer.alloc(128), Buffer.alloc(128, 0xff), Buffer.alloc(127), Buffer.alloc(0)])
      expect(recoverySignatureIsRight(key, challenge, answer)).toBe(false);
  });
});
