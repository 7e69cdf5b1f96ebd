import { createECDH } from 'node:crypto';
import { malformed, unsupported } from '../errors.ts';
import { table } from '../table.ts';

/** Draws this many random bytes. */
export type Randomness = (size: number) => Uint8Array;

/** The curves of ICAO 9303, and Brainpool's twisted ones, with the bits of their fields. */
const CURVES = table<number>({
  prime192v1: 192,
  secp224r1: 224,
  prime256v1: 256,
  secp384r1: 384,
  secp521r1: 521,
  brainpoolP160r1: 160,
  brainpoolP160t1: 160,
  brainpoolP192r1: 192,
  brainpoolP192t1: 192,
  brainpoolP224r1: 224,
  brainpoolP224t1: 224,
  brainpoolP256r1: 256,
  brainpoolP256t1: 256,
  brainpoolP320r1: 320,
  brainpoolP320t1: 320,
  brainpoolP384r1: 384,
  brainpoolP384t1: 384,
  brainpoolP512r1: 512,
  brainpoolP512t1: 512,
});

/** Whether keys are agreed on this curve. */
export const agreesOn = (curve: string | undefined): boolean => CURVES[curve ?? ''] !== undefined;

const ATTEMPTS = 256;

/**
 * A private key below the order of the curve. It is drawn until it is below, so that every key is
 * equally likely.
 */
const drawKey = (curve: string, bits: number, randomness: Randomness) => {
  const own = createECDH(curve);
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const candidate = Buffer.from(randomness(Math.ceil(bits / 8)));
    candidate[0] = candidate[0]! & (0xff >> (candidate.length * 8 - bits));
    try {
      own.setPrivateKey(candidate);
      return own;
    } catch {
      // Zero, or not below the order.
    }
  }
  throw new Error('the source of randomness gives no private key');
};

/**
 * Draws a key on the chip's curve and agrees on a secret. The private key does not leave this
 * function.
 */
export const agree = (
  { curve, point }: { readonly curve: string; readonly point: Uint8Array },
  randomness: Randomness,
): { publicKey: Buffer; secret: Buffer } => {
  const bits = CURVES[curve];
  if (bits === undefined) throw unsupported('the key of the chip is on a curve that chip authentication does not use');
  const own = drawKey(curve, bits, randomness);
  try {
    // Checks that the chip's point is on the curve. The secret is as long as the field, zeros in
    // front included.
    return { publicKey: own.getPublicKey(), secret: own.computeSecret(point) };
  } catch {
    throw malformed('the key of the chip is no point of its curve');
  }
};
