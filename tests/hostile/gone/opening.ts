import { createCipheriv, createDecipheriv } from 'node:crypto';

/* Tries keys on sealed bytes like an attacker, who ignores what the bytes are bound to. */

const NONCE = 12;
const TAG = 16;
const BLOCK = 16;
/** Anything that could be sealed bytes: long words of base64url letters. */
const WORD = /[A-Za-z0-9_-]{40,}/g;
/**
 * How far from the name of an identity its data may be in a file, which has no boundaries between
 * records.
 */
const BEFORE = 8 * 1024;
const BEHIND = 128 * 1024;

/** AES-GCM encrypts with a counter that starts at 2. */
const firstCounter = (sealed: Buffer): Buffer => Buffer.concat([sealed.subarray(0, NONCE), Buffer.from([0, 0, 0, 2])]);

/**
 * Decrypts sealed bytes: AES-GCM without its check of context and tag, so that a wrong context
 * protects nothing.
 */
export const decrypted = (key: Buffer, sealed: string): Buffer => {
  const bytes = Buffer.from(sealed, 'base64url');
  return createDecipheriv('aes-256-ctr', key, firstCounter(bytes)).update(bytes.subarray(NONCE, -TAG));
};

export const wordsIn = (bytes: Buffer): string[] => bytes.toString('latin1').match(WORD) ?? [];

/** The parts of a file that may belong to the identity named in it. */
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
 * Finds the words whose first sixteen bytes are text under a key. Random bytes look like text once
 * in millions. One call decrypts all first blocks: with the keys of hundreds of identities there
 * are millions of them.
 */
const readAsText = (words: readonly Buffer[], counters: Buffer, key: Buffer): number[] => {
  const stream = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false).update(counters);
  return [...words.keys()].filter((nth) => startsAsText(words[nth]!, stream.subarray(nth * BLOCK, (nth + 1) * BLOCK)));
};

/**
 * The sealed words that contain a text under a key although their first block is not text:
 * `broughtToLight` would miss them. Decrypts everything, so it is for few keys.
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

/** The texts that some key reveals in anything that could be sealed bytes. */
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
