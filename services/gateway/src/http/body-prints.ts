import { createHmac } from 'node:crypto';
import type { BodyPrints } from '../store/idempotency-keys.ts';

/**
 * The value with the members of each object in one order: which order they are sent in says nothing
 * (RFC 8259), and the maps of some languages have another one after each start.
 */
const inOneOrder = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(inOneOrder);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, inner]) => [name, inOneOrder(inner)] as const);
  return Object.fromEntries(members.sort(([one], [other]) => (one < other ? -1 : 1)));
};

export const hmacWith =
  (secret: Buffer) =>
  (text: string): string =>
    createHmac('sha256', secret).update(text).digest('hex');

/**
 * Keyed digests of a JSON body: as it was sent, which a former release compares, and of its value.
 */
export const printsOf = (body: unknown, secret: Buffer): BodyPrints => {
  const hmac = hmacWith(secret);
  const print = (value: unknown): string => hmac(JSON.stringify(value ?? null));
  return { fingerprint: print(body), unordered: print(inOneOrder(body)) };
};

/** Whether two bodies say the same. What a former release stored is compared as it was sent. */
export const isSameBody = (one: BodyPrints, other: BodyPrints): boolean =>
  one.fingerprint === other.fingerprint || (one.unordered !== undefined && one.unordered === other.unordered);
