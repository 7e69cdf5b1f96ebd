import { createPublicKey, type KeyObject } from 'node:crypto';
import type { Element } from '../der/read.ts';
import { bits, childAt, oidOf } from '../der/values.ts';
import { TAG } from '../der/write.ts';
import { attempt, type ChipError, malformed, unsupported } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { isStandardCurve } from './standard-curves.ts';

const RSA = '1.2.840.113549.1.1.1';
const RSA_PSS = '1.2.840.113549.1.1.10';
const EC = '1.2.840.10045.2.1';

/** A public key that we can use: RSA of a size within the limits, or EC on a named curve. */
export interface PublicKey {
  readonly kind: 'RSA' | 'EC';
  readonly key: KeyObject;
  /** Bits of the modulus, or the name of the curve. */
  readonly modulusBits?: number;
  readonly curve?: string;
  /** The bits of the subjectPublicKey; for an EC key this is its point. */
  readonly point: Buffer;
}

const keyObject = (spki: Buffer): KeyObject => {
  try {
    return createPublicKey({ key: spki, format: 'der', type: 'spki' });
  } catch {
    throw malformed('a public key is no key');
  }
};

const rsaKey = (key: KeyObject, point: Buffer): PublicKey => {
  const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
  const { least, most } = LIMITS.modulusBits;
  if (modulusLength < least || modulusLength > most)
    throw unsupported(`an RSA modulus has less than ${least} or more than ${most} bits`);
  if (publicExponent < 3n || publicExponent >= 1n << BigInt(LIMITS.exponentBits))
    throw unsupported('an RSA exponent is out of bounds');
  return { kind: 'RSA', key, modulusBits: modulusLength, point };
};

/**
 * The point at infinity, written as one zero byte, is no key. Node aborts if asked for its curve.
 */
const isPoint = (point: Buffer): boolean => (point[0] ?? 0) !== 0;

/** OpenSSL refuses a curve it does not know as it refuses a key that is none. */
const refusalOf = (parameters: Element | undefined, error: ChipError): ChipError => {
  const isKnown = parameters?.tag === TAG.sequence || isStandardCurve(attempt(() => oidOf(parameters, '')).value ?? '');
  return isKnown ? error : unsupported('an EC key is on a curve that we do not know');
};

const ecKey = (spki: Element, point: Buffer): PublicKey => {
  if (!isPoint(point)) throw malformed('a public key is no point of a curve');
  const read = attempt(() => keyObject(spki.bytes));
  if (read.error) throw refusalOf(spki.children[0]?.children[1], read.error);
  const key = read.value;
  const curve = key.asymmetricKeyDetails?.namedCurve;
  // OpenSSL gives a curve its name if explicit parameters are those of a known curve. Other
  // parameters, also another base point on a known curve, have no name and are refused.
  if (curve === undefined || curve === 'UNDEF') throw unsupported('an EC key is on no curve that has a name');
  return { kind: 'EC', key, curve, point };
};

/**
 * Reads a SubjectPublicKeyInfo. Throws UNSUPPORTED for kinds of keys, sizes and curves that we do
 * not use.
 */
export const publicKeyOf = (spki: Element): PublicKey => {
  const algorithm = oidOf(
    childAt(spki, 0, TAG.sequence, 'the algorithm of a key').children[0],
    'the algorithm of a key',
  );
  const point = bits(spki.children[1], 'the bits of a key');
  if (algorithm === RSA || algorithm === RSA_PSS) return rsaKey(keyObject(spki.bytes), point);
  if (algorithm === EC) return ecKey(spki, point);
  throw unsupported('a key is neither RSA nor EC');
};
