import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE = 12;
const TAG = 16;

/** A fresh random key of 32 bytes for one identity (invariant 7). */
export const newDataKey = (): Buffer => randomBytes(32);

/**
 * The notice key of an identity: seals what the notifier has to open, and nothing else. It is made
 * of the identity's key, which cannot be made of it: the notifier opens no document, and what a
 * client still has to be notified of outlives the identity's key for a while.
 */
export const noticeKeyOf = (dataKey: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', dataKey, '', 'assay: notices', 32));

/**
 * The context of sealed bytes: they cannot be opened as those of another tenant, identity or
 * purpose.
 */
export const sealingContext = (tenantId: string, identityId: string, purpose: string): string =>
  `${tenantId}|${identityId}|${purpose}`;

/**
 * The context of a medium's key and bytes, in evidence-intake and in an archive that contains it.
 */
export const mediaContext = (tenantId: string, identityId: string, mediaId: string): string =>
  sealingContext(tenantId, identityId, `media:${mediaId}`);

/**
 * Seals with AES-256-GCM under a random nonce; the result is base64url of nonce, ciphertext and
 * tag.
 */
export const seal = (key: Buffer, context: string, plain: Buffer | string): string => {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(context));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString('base64url');
};

/** Opens what `seal` made. Throws when the key, the context or a single bit is another. */
export const open = (key: Buffer, context: string, sealed: string): Buffer => {
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.length < NONCE + TAG) throw new Error('sealed bytes are too short');
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE))
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(-TAG));
  return Buffer.concat([decipher.update(bytes.subarray(NONCE, -TAG)), decipher.final()]);
};

/** Seals a value as JSON. */
export const sealJson = (key: Buffer, context: string, value: unknown): string =>
  seal(key, context, JSON.stringify(value));

/** Opens what `sealJson` made. The caller names the type: only our own services seal. */
export const openJson = <T>(key: Buffer, context: string, sealed: string): T =>
  JSON.parse(open(key, context, sealed).toString('utf8')) as T;

/** Wraps a key with another one, bound to a context. */
export const wrapKey = (wrappingKey: Buffer, key: Buffer, context: string): string => seal(wrappingKey, context, key);

/** Unwraps what `wrapKey` made. */
export const unwrapKey = (wrappingKey: Buffer, wrapped: string, context: string): Buffer =>
  open(wrappingKey, context, wrapped);
