import { gunzipSync, inflateSync } from 'node:zlib';

/* Finds marked text in bytes, however it is written there. */

/**
 * All marked texts begin so. Letters alone: it passes for a name, and for the start of a number.
 */
export const MARK = 'ZQMARKED';

/**
 * Base64 of a text wherever it begins in what is encoded: without the letters that its neighbours
 * change.
 */
const base64Forms = (text: string, encoding: 'base64' | 'base64url'): string[] =>
  [0, 1, 2].map((offset) => {
    const whole = Buffer.from(`${'\0'.repeat(offset)}${text}`)
      .toString(encoding)
      .replace(/=+$/, '');
    const firstWhole = offset === 0 ? 0 : offset + 1;
    return whole.slice(firstWhole, Math.floor(((offset + text.length) * 8) / 6));
  });

const spellings = [MARK, MARK.toLowerCase(), `${MARK[0]}${MARK.slice(1).toLowerCase()}`];

/** The mark in every form that software writes text in. */
export const FORMS: readonly Buffer[] = spellings.flatMap((text) => [
  Buffer.from(text),
  Buffer.from(text, 'utf16le'),
  Buffer.from(Buffer.from(text).toString('hex')),
  Buffer.from(Buffer.from(text).toString('hex').toUpperCase()),
  Buffer.from([...Buffer.from(text)].map((byte) => `%${byte.toString(16)}`).join('')),
  ...base64Forms(text, 'base64').map((form) => Buffer.from(form)),
]);

const BEFORE = 60;
const BEHIND = 80;

/** What stands around each mark in these bytes; empty if there is none. */
export const marksIn = (bytes: Buffer, forms: readonly Buffer[] = FORMS): string[] => {
  const found: string[] = [];
  for (const form of forms)
    for (let at = bytes.indexOf(form); at >= 0; at = bytes.indexOf(form, at + form.length))
      found.push(bytes.subarray(Math.max(0, at - BEFORE), at + BEHIND).toString('latin1'));
  return found;
};

const unpacked = (unpack: () => Buffer): Buffer[] => {
  try {
    return [unpack()];
  } catch {
    return [];
  }
};

const ZIP_HEADS: readonly [Buffer, (bytes: Buffer) => Buffer][] = [
  [Buffer.from([0x1f, 0x8b, 8]), gunzipSync],
  [Buffer.from([0x78, 0x9c]), inflateSync],
];

/** What is packed by gzip or deflate in these bytes, unpacked. */
export const packedIn = (bytes: Buffer): Buffer[] =>
  ZIP_HEADS.flatMap(([head, unpack]) => {
    const found: Buffer[] = [];
    for (let at = bytes.indexOf(head); at >= 0; at = bytes.indexOf(head, at + 1))
      found.push(...unpacked(() => unpack(bytes.subarray(at))));
    return found;
  });
