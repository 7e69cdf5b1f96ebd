import { constants, createECDH, privateEncrypt, randomBytes, sign } from 'node:crypto';
import { macOf, pad } from '../chip-authentication/ciphers.ts';
import { counterOf, protectedSelect } from '../chip-authentication/secure-messaging.ts';
import type { Cipher } from '../chip-authentication/select.ts';
import { deriveSessionKeys } from '../chip-authentication/session-keys.ts';
import { encodeElement } from '../der/write.ts';
import { DIGEST_BYTES, type Digest, hash } from '../keys/digests.ts';
import type { KeyPair } from './keys.ts';

const TRAILERS: Readonly<Record<Digest, string>> = {
  sha1: 'bc',
  sha224: '38cc',
  sha256: '34cc',
  sha384: '36cc',
  sha512: '35cc',
};

const recoverySignature = ({ privateKey }: KeyPair, challenge: Uint8Array, digest: Digest): Buffer => {
  const size = (privateKey.asymmetricKeyDetails?.modulusLength ?? 0) / 8;
  const trailer = Buffer.from(TRAILERS[digest], 'hex');
  const own = randomBytes(size - 1 - DIGEST_BYTES[digest] - trailer.length);
  const message = Buffer.concat([Buffer.from([0x6a]), own, hash(digest, own, challenge), trailer]);
  return privateEncrypt({ key: privateKey, padding: constants.RSA_NO_PADDING }, message);
};

/**
 * Answers the challenge of active authentication: ISO/IEC 9796-2 with an RSA key; ECDSA, plain or
 * in DER, with an EC key.
 */
export const answerChallenge = (
  key: KeyPair,
  challenge: Uint8Array,
  digest: Digest,
  encoding: 'ieee-p1363' | 'der' = 'ieee-p1363',
): Buffer =>
  key.kind === 'RSA'
    ? recoverySignature(key, challenge, digest)
    : sign(digest, challenge, { key: key.privateKey, dsaEncoding: encoding });

/** The private key of an EC pair in the form its curve takes, and the curve. */
const ecdhOf = ({ privateKey }: KeyPair) => {
  const ecdh = createECDH(privateKey.asymmetricKeyDetails?.namedCurve ?? '');
  // The private key is the first octet string of an ECPrivateKey. It is as long as the field; some
  // versions write it shorter.
  const der = privateKey.export({ format: 'der', type: 'sec1' });
  const at = der.indexOf(Buffer.from([0x02, 0x01, 0x01, 0x04])) + 4;
  ecdh.setPrivateKey(der.subarray(at + 1, at + 1 + der[at]!));
  return ecdh;
};

const NOT_PROTECTED = Buffer.from('6988', 'hex');
const DONE = Buffer.from('9000', 'hex');

/**
 * Answers the first protected command after chip authentication: with the MAC of the new keys, or
 * with an error if the command is wrong.
 */
export const answerCommand = (
  key: KeyPair,
  cipher: Cipher,
  terminalPublicKey: Uint8Array,
  command: Uint8Array,
): Buffer => {
  const keys = deriveSessionKeys(cipher, ecdhOf(key).computeSecret(terminalPublicKey));
  if (!protectedSelect(cipher, keys, Buffer.from('010e', 'hex')).equals(command)) return NOT_PROTECTED;
  return Buffer.concat([protectedStatus(cipher, keys.mac), DONE]);
};

/** A chip without the key cannot know the session keys; it answers with random ones. */
export const pretendAnswer = (cipher: Cipher): Buffer =>
  Buffer.concat([protectedStatus(cipher, randomBytes(cipher === '3DES' ? 16 : Number(cipher.slice(4)) / 8)), DONE]);

const protectedStatus = (cipher: Cipher, mac: Buffer): Buffer => {
  const status = encodeElement(0x99, DONE);
  const counter = counterOf(cipher, 2);
  return Buffer.concat([
    status,
    encodeElement(0x8e, macOf(cipher, mac, pad(Buffer.concat([counter, status]), counter.length))),
  ]);
};
