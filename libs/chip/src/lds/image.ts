import { LIMITS } from '../limits.ts';

/** An image in a file: its kind by its first bytes, and the size that it states. */
export interface FoundImage {
  readonly type: 'image/jpeg' | 'image/jp2';
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
}

const JPEG = Buffer.from('ffd8ff', 'hex');
const JP2 = Buffer.from('0000000c6a502020', 'hex');
const CODESTREAM = Buffer.from('ff4fff51', 'hex');

const startsWith = (bytes: Buffer, magic: Buffer): boolean => bytes.subarray(0, magic.length).equals(magic);

/** The kind of image that begins here, by its own first bytes and not by what a header declares. */
export const sniff = (bytes: Buffer): FoundImage['type'] | undefined => {
  if (startsWith(bytes, JPEG)) return 'image/jpeg';
  return startsWith(bytes, JP2) || startsWith(bytes, CODESTREAM) ? 'image/jp2' : undefined;
};

/** Where the first image begins in these bytes; undefined if none does. */
export const imageAt = (bytes: Buffer): number | undefined => {
  const found = [JPEG, JP2, CODESTREAM].map((magic) => bytes.indexOf(magic)).filter((at) => at >= 0);
  return found.length > 0 ? Math.min(...found) : undefined;
};

type Size = { readonly width: number; readonly height: number } | undefined;

const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** Walks the segments of a JPEG to its frame. Every step advances by two bytes at least. */
const jpegSize = (bytes: Buffer): Size => {
  let at = 2;
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1]!;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (isFrame(marker)) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    const length = bytes.readUInt16BE(at + 2);
    if (length < 2) return undefined;
    at += 2 + length;
  }
  return undefined;
};

/** Where the codestream of a JPEG 2000 picture begins, in a JP2 file or by itself. */
export const codestreamAt = (bytes: Buffer): number | undefined => {
  if (startsWith(bytes, CODESTREAM)) return 0;
  let at = 0;
  while (at + 8 <= bytes.length) {
    const length = bytes.readUInt32BE(at);
    if (bytes.toString('latin1', at + 4, at + 8) === 'jp2c') return at + (length === 1 ? 16 : 8);
    if (length < 8) return undefined;
    at += length;
  }
  return undefined;
};

const COMPONENTS = 4;
const TILES = 1024;

/**
 * The size that the SIZ marker states; undefined if it asks for more components or tiles than a
 * portrait has.
 */
const codestreamSize = (bytes: Buffer): Size => {
  if (bytes.length < 42 || !startsWith(bytes, CODESTREAM)) return undefined;
  const [right, bottom, left, top, tileWidth, tileHeight] = [8, 12, 16, 20, 24, 28].map((at) =>
    bytes.readUInt32BE(at),
  ) as [number, number, number, number, number, number];
  const [width, height] = [right - left, bottom - top];
  if (tileWidth === 0 || tileHeight === 0 || bytes.readUInt16BE(40) > COMPONENTS) return undefined;
  const tiles = Math.ceil(right / tileWidth) * Math.ceil(bottom / tileHeight);
  return tiles > TILES ? undefined : { width, height };
};

const sizeOf = (bytes: Buffer, type: FoundImage['type']): Size => {
  if (type === 'image/jpeg') return jpegSize(bytes);
  const at = codestreamAt(bytes);
  return at === undefined ? undefined : codestreamSize(bytes.subarray(at));
};

/**
 * The image in these bytes; undefined if they are no image, do not state a size, or are larger than
 * we decode.
 */
export const imageOf = (bytes: Buffer): FoundImage | undefined => {
  const type = sniff(bytes);
  const size = type && sizeOf(bytes, type);
  if (!type || !size || size.width < 1 || size.height < 1 || size.width * size.height > LIMITS.pixels) return undefined;
  return { type, bytes, ...size };
};
