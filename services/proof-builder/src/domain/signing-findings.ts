import { createPublicKey } from 'node:crypto';
import { type Finding, parseDateTime } from '@assay/contracts';
import { type KeyTimes, type PublicJwk, signingAt } from './signing-keys.ts';

const DAY_MS = 24 * 3600 * 1000;
const SMALLEST_BITS = 3072;
const LONGEST_DAYS = 2 * 365;

interface Known extends KeyTimes {
  jwk: PublicJwk;
}

/** Whether the key that signs now is long enough and was changed when it should have been. */
export const signingKeyFinding = (keys: readonly Known[], now: Date, maxAgeSeconds: number): Finding => {
  const check = 'signing-key';
  const current = signingAt(keys, now);
  if (!current) return { check, status: 'UNKNOWN', message: 'no key has signed yet' };
  const { modulusLength = 0 } = createPublicKey({ key: { ...current.jwk }, format: 'jwk' }).asymmetricKeyDetails ?? {};
  const days = Math.floor((now.getTime() - parseDateTime(current.activeFrom).getTime()) / DAY_MS);
  const limitDays = Math.ceil((maxAgeSeconds * 1000) / DAY_MS);
  if (days > limitDays)
    return {
      check,
      status: 'PROBLEM',
      message: `it signs for ${days} days, though its limit is ${limitDays}: rotation does not work`,
    };
  if (limitDays > LONGEST_DAYS)
    return { check, status: 'WARNING', message: 'SIGNING_KEY_MAX_AGE_SECONDS is longer than two years' };
  return modulusLength < SMALLEST_BITS
    ? { check, status: 'WARNING', message: `it has ${modulusLength} bits, 3072 are recommended` }
    : { check, status: 'OK', message: `${modulusLength} bits, signs for ${days} days` };
};
