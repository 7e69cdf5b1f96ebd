import { createDecipheriv } from 'node:crypto';

/* Trying keys on sealed bytes as somebody would who need not care what they are bound to. */

const NONCE = 12;
const TAG = 16;
/** Whatever could be sealed bytes: long words in the letters of base64url. */
const WORD = /[A-Za-z0-9_-]{40,}/g;
/**
 * How far around its name something may stand that belongs to an identity, where a file has no
 * bounds.
 */
const BEFORE = 8 * 1024;
const BEHIND = 128 * 1024;

/**
 * What a key makes of sealed bytes: AES-GCM without its check of context and tag, so a wrong
 * context saves nothing.
 */
export const decrypted = (key: Buffer, sealed: string): Buffer => {
  const bytes = Buffer.from(sealed, 'base64url');
  const counter = Buffer.concat([bytes.subarray(0, NONCE), Buffer.from([0, 0, 0, 2])]);
  return createDecipheriv('aes-256-ctr', key, counter).update(bytes.subarray(NONCE, -TAG));
};

export const wordsIn = (bytes: Buffer): string[] => bytes.toString('latin1').match(WORD) ?? [];

/** The parts of a file that may belong to who is named in it. */
export const partsAbout = (bytes: Buffer, name: string): Buffer[] => {
  const parts: Buffer[] = [];
  for (let at = bytes.indexOf(name); at >= 0; at = bytes.indexOf(name, at + BEHIND))
    parts.push(bytes.subarray(Math.max(0, at - BEFORE), at + BEHIND));
  return parts;
};

/** Which of the texts come to light when every key is tried on everything that could be sealed. */
export const broughtToLight = (
  bytesFound: readonly Buffer[],
  keys: readonly Buffer[],
  texts: readonly string[],
): string[] => {
  const words = new Set(bytesFound.flatMap(wordsIn));
  const found = new Set<string>();
  for (const word of words)
    for (const key of keys) {
      const plain = decrypted(key, word);
      for (const text of texts) if (plain.includes(text)) found.add(text);
    }
  return texts.filter((text) => found.has(text));
};
