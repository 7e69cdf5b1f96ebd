import { constants, publicDecrypt } from 'node:crypto';
import { DIGEST_BYTES, type Digest, hash } from '../keys/digests.ts';
import type { PublicKey } from '../keys/public-key.ts';

const HEADER = 0x6a;
/** The two bits of every message, and the one that says that there is more than it holds. */
const MORE_DATA = 0b011;
const MORE_DATA_BITS = 3;
const BORDERED_BITS = 4;

/**
 * The trailer of ISO/IEC 9796-2 scheme 1: the byte BC for SHA-1, else the number of the digest
 * followed by CC.
 */
const TRAILERS: Readonly<Record<number, Digest>> = {
  51: 'sha1',
  52: 'sha256',
  53: 'sha512',
  54: 'sha384',
  56: 'sha224',
};

const trailerOf = (message: Buffer): { digest: Digest; bytes: number } | undefined => {
  const last = message.at(-1);
  if (last === 0xbc) return { digest: 'sha1', bytes: 1 };
  const digest = last === 0xcc ? TRAILERS[message.at(-2) ?? 0] : undefined;
  return digest && { digest, bytes: 2 };
};

/**
 * How many bytes the header takes: none if these are no such message. It says that more was signed
 * than the message holds, and ends with a border. With a modulus of whole bytes it is one byte.
 * Otherwise it begins with the highest bit of the modulus, has four bits at least, and ends with a
 * byte; the digest covers all that follows.
 */
const headerBytes = (message: Buffer, modulusBits: number): number => {
  const surplus = modulusBits % 8;
  if (surplus === 0) return message[0] === HEADER ? 1 : 0;
  const bytes = surplus < BORDERED_BITS ? 2 : 1;
  const bits = message.readUIntBE(0, bytes) >> (surplus + 8 * (bytes - 1) - MORE_DATA_BITS);
  return bits === MORE_DATA ? bytes : 0;
};

/**
 * ISO/IEC 9796-2, B.6: a chip may give the smaller one of two numbers, the signature and the
 * modulus minus the signature.
 */
const ofTheLesser = ({ key }: PublicKey, recovered: Buffer): Buffer => {
  if ((recovered.at(-1)! & 0x0f) === 0x0c) return recovered;
  const modulus = BigInt(`0x${Buffer.from(key.export({ format: 'jwk' }).n ?? '', 'base64url').toString('hex')}`);
  const message = modulus - BigInt(`0x${recovered.toString('hex')}`);
  return Buffer.from(message.toString(16).padStart(recovered.length * 2, '0'), 'hex');
};

const recover = (publicKey: PublicKey, signature: Uint8Array): Buffer | undefined => {
  try {
    const { key } = publicKey;
    return ofTheLesser(publicKey, publicDecrypt({ key, padding: constants.RSA_NO_PADDING }, signature));
  } catch {
    // OpenSSL throws if the number is not below the modulus: then the answer is no signature.
    return undefined;
  }
};

/**
 * Whether the answer is an ISO/IEC 9796-2 signature (scheme 1, partial recovery) over its own
 * message and the challenge.
 */
export const recoverySignatureIsRight = (key: PublicKey, challenge: Uint8Array, signature: Uint8Array): boolean => {
  if (signature.length !== Math.ceil((key.modulusBits ?? 0) / 8)) return false;
  const message = recover(key, signature);
  const trailer = message && trailerOf(message);
  const start = message ? headerBytes(message, key.modulusBits ?? 0) : 0;
  if (!message || !trailer || start === 0) return false;
  const end = message.length - trailer.bytes - DIGEST_BYTES[trailer.digest];
  if (end < start) return false;
  const own = message.subarray(start, end);
  return message.subarray(end, message.length - trailer.bytes).equals(hash(trailer.digest, own, challenge));
};
