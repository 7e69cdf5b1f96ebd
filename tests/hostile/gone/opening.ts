import { createCipheriv, createDecipheriv } from 'node:crypto';

/* Trying keys on sealed bytes as somebody would who need not care what they are bound to. */

const NONCE = 12;
const TAG = 16;
const BLOCK = 16;
/** Whatever could be sealed bytes: long words in the letters of base64url. */
const WORD = /[A-Za-z0-9_-]{40,}/g;
/**
 * How far around its name something may stand that belongs to an identity, where a file has no
 * bounds.
 */
const BEFORE = 8 * 1024;
const BEHIND = 128 * 1024;

/** AES-GCM counts from 2 where it encrypts. */
const firstCounter = (sealed: Buffer): Buffer => Buffer.concat([sealed.subarray(0, NONCE), Buffer.from([0, 0, 0, 2])]);

/**
 * What a key makes of sealed bytes: AES-GCM without its check of context and tag, so a wrong
 * context saves nothing.
 */
export const decrypted = (key: Buffer, sealed: string): Buffer => {
  const bytes = Buffer.from(sealed, 'base64url');
  return createDecipheriv('aes-256-ctr', key, firstCounter(bytes)).update(bytes.subarray(NONCE, -TAG));
};

export const wordsIn = (bytes: Buffer): string[] => bytes.toString('latin1').match(WORD) ?? [];

/** The parts of a file that may belong to who is named in it. */
export const partsAbout = (bytes: Buffer, name: string): Buffer[] => {
  const parts: Buffer[] = [];
  for (let at = bytes.indexOf(name); at >= 0; at = bytes.indexOf(name, at + BEHIND))
    parts.push(bytes.subarray(Math.max(0, at - BEFORE), at + BEHIND));
  return parts;
};

const isLetter = (byte: number): boolean => (byte >= 0x20 && byte < 0x7f) || (byte >= 0x09 && byte <= 0x0d);

const startsAsText = (word: Buffer, stream: Buffer): boolean => {
  const length = Math.min(BLOCK, word.length - NONCE - TAG);
  for (let at = 0; at < length; at += 1) if (!isLetter((word[NONCE + at] ?? 0) ^ (stream[at] ?? 0))) return false;
  return true;
};

/**
 * Which of the words may be text under a key, by their first sixteen bytes. Noise looks like text
 * once in millions. All first blocks are made by one call: with the keys of hundreds of identities
 * there are millions of them.
 */
const readAsText = (words: readonly Buffer[], counters: Buffer, key: Buffer): number[] => {
  const stream = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false).update(counters);
  return [...words.keys()].filter((nth) => startsAsText(words[nth]!, stream.subarray(nth * BLOCK, (nth + 1) * BLOCK)));
};

/**
 * The sealed words in which a text is under a key although their first block is not text: what
 * `broughtToLight` would miss. Decrypts everything, so it is for few keys.
 */
export const missedAsText = (
  bytesFound: readonly Buffer[],
  keys: readonly Buffer[],
  texts: readonly string[],
): string[] => {
  const words = [...new Set(bytesFound.flatMap(wordsIn))];
  return words.filter((word) =>
    keys.some((key) => {
      const plain = decrypted(key, word);
      return texts.some((text) => plain.includes(text)) && !plain.subarray(0, BLOCK).every(isLetter);
    }),
  );
};

/** Which of the texts come to light when every key is tried on everything that could be sealed. */
export const broughtToLight = (
  bytesFound: readonly Buffer[],
  keys: readonly Buffer[],
  texts: readonly string[],
): string[] => {
  const words = [...new Set(bytesFound.flatMap(wordsIn))];
  const sealed = words.map((word) => Buffer.from(word, 'base64url'));
  const counters = Buffer.concat(sealed.map(firstCounter));
  const opened = keys.flatMap((key) =>
    readAsText(sealed, counters, key).map((nth) => decrypted(key, words[nth] ?? '')),
  );
  return texts.filter((text) => opened.some((plain) => plain.includes(text)));
};
