import { crc32 } from 'node:zlib';

/*
 * What a decoder reads beside the pixels costs time that nobody limits: a list of entries that
 * point to each other in 60 KB of EXIF takes seconds, a text of zeros inflates a thousand times.
 * So a stranger's image is written anew before a decoder sees it, with what its pixels need: their
 * parts, a colour profile, and the way it is turned.
 */

/** Colour profiles have a few kilobytes; printers' have half a megabyte. */
export const LARGEST_PROFILE = 1024 * 1024;
/** The largest compressed profile of a PNG; inflating it makes at most a thousand times as much. */
export const LARGEST_PACKED_PROFILE = 64 * 1024;

/** Ten times what pictures of many megabytes have; each one is held separately. */
const MOST_PARTS = 50_000;

const ORIENTATION = 0x0112;
const ENTRY = 12;

/** A TIFF structure, as in EXIF, with one entry: the orientation of the picture. */
const tiffOf = (orientation: number): Buffer => {
  const tiff = Buffer.from('4d4d002a000000080001011200030000000100000000000000000000', 'hex');
  tiff.writeUInt16BE(orientation, 18);
  return tiff;
};

/** The orientation of the picture by its EXIF; 1 if EXIF has none. */
const orientationIn = (tiff: Buffer): number => {
  if (tiff.length < 10) return 1;
  const isLittle = tiff.toString('latin1', 0, 2) === 'II';
  const short = (at: number): number => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const first = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  if (first + 2 > tiff.length) return 1;
  const end = Math.min(first + 2 + short(first) * ENTRY, tiff.length);
  for (let at = first + 2; at + ENTRY <= end; at += ENTRY) {
    const value = short(at + 8);
    if (short(at) === ORIENTATION) return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
};

export const MARKER = 0xff;
export const START_OF_SCAN = 0xda;
export const END_OF_IMAGE = 0xd9;
const COMMENT = 0xfe;
const EXIF = Buffer.from('Exif\0\0', 'latin1');
export const PROFILE = Buffer.from('ICC_PROFILE\0', 'latin1');

const isApplication = (marker: number): boolean => marker >= 0xe0 && marker <= 0xef;
/** Restart and reserved markers have no length. */
export const isBare = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);

export const startsWith = (bytes: Buffer, at: number, prefix: Buffer): boolean =>
  bytes.subarray(at, at + prefix.length).equals(prefix);

const exifSegment = (orientation: number): Buffer => {
  const tiff = tiffOf(orientation);
  const head = Buffer.from([MARKER, 0xe1, 0, 2 + EXIF.length + tiff.length]);
  return Buffer.concat([head, EXIF, tiff]);
};

/** The parts of an image that are copied. */
const createKeeper = () => {
  let profile = 0;
  let hasExif = false;
  let hasPicture = false;
  return {
    /** If a file has several pictures, the first one is used. */
    isFirstPicture: (): boolean => {
      const isFirst = !hasPicture;
      hasPicture = true;
      return isFirst;
    },
    mayHaveProfile: (bytes: number): boolean => {
      profile += bytes;
      return profile <= LARGEST_PROFILE;
    },
    exif: (tiff: Buffer, write: (orientation: number) => Buffer): Buffer[] => {
      if (hasExif) return [];
      hasExif = true;
      return [write(orientationIn(tiff))];
    },
  };
};
type Keeper = ReturnType<typeof createKeeper>;

const selectedOfSegment = (segment: Buffer, marker: number, keeper: Keeper): Buffer[] => {
  if (marker === COMMENT) return [];
  if (!isApplication(marker)) return [segment];
  if (marker === 0xe0 || marker === 0xee) return [segment];
  if (marker === 0xe1 && startsWith(segment, 4, EXIF)) return keeper.exif(segment.subarray(10), exifSegment);
  return marker === 0xe2 && startsWith(segment, 4, PROFILE) && keeper.mayHaveProfile(segment.length) ? [segment] : [];
};

/** Where the next marker is. Decoders search for it too, past fill bytes and anything else. */
const nextMarker = (bytes: Buffer, from: number): number => {
  let at = bytes.indexOf(MARKER, from);
  while (at >= 0 && at + 1 < bytes.length && (bytes[at + 1] === MARKER || bytes[at + 1] === 0))
    at = bytes.indexOf(MARKER, at + 1);
  return at < 0 ? bytes.length : at;
};

/**
 * Cameras and programs write a dozen scans. Each needs a pass over all pixels, however few bytes it
 * has.
 */
export const MOST_SCANS = 32;
const END = Buffer.from([MARKER, END_OF_IMAGE]);

const isRestart = (marker = END_OF_IMAGE): boolean => marker >= 0xd0 && marker <= 0xd7;

/** Where the pixels of a scan end: at a marker that is not a restart. */
const endOfScan = (bytes: Buffer, from: number): number => {
  let at = nextMarker(bytes, from);
  while (at < bytes.length && isRestart(bytes[at + 1])) at = nextMarker(bytes, at + 2);
  return at;
};

/** The picture of the first scan, if there are more: later ones only refine it. */
const plainJpeg = (bytes: Buffer): Buffer => {
  const selected: Buffer[] = [bytes.subarray(0, 2)];
  const keeper = createKeeper();
  let scans = 0;
  let at = nextMarker(bytes, 2);
  while (at + 4 <= bytes.length && selected.length <= MOST_PARTS) {
    const marker = bytes[at + 1] ?? END_OF_IMAGE;
    if (marker === END_OF_IMAGE) return Buffer.concat([...selected, END]);
    const end = at + 2 + (isBare(marker) ? 0 : Math.max(2, bytes.readUInt16BE(at + 2)));
    const next = marker === START_OF_SCAN ? endOfScan(bytes, end) : nextMarker(bytes, end);
    if (marker === START_OF_SCAN) scans += 1;
    if (scans > MOST_SCANS) return Buffer.concat([...selected, END]);
    if (marker === START_OF_SCAN) selected.push(bytes.subarray(at, next));
    else if (!isBare(marker)) selected.push(...selectedOfSegment(bytes.subarray(at, end), marker, keeper));
    at = next;
  }
  return Buffer.concat(selected.length > MOST_PARTS ? selected : [...selected, bytes.subarray(at)]);
};

export const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const PNG_CHUNKS = new Set(['IHDR', 'PLTE', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'sBIT', 'IDAT', 'IEND']);

const pngExif = (orientation: number): Buffer => {
  const body = Buffer.concat([Buffer.from('eXIf', 'latin1'), tiffOf(orientation)]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length - 4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
};

const selectedOfPng = (chunk: Buffer, keeper: Keeper): Buffer[] => {
  const type = chunk.toString('latin1', 4, 8);
  if (type === 'eXIf') return keeper.exif(chunk.subarray(8, -4), pngExif);
  const isProfile = type === 'iCCP' && chunk.length <= LARGEST_PACKED_PROFILE && keeper.mayHaveProfile(LARGEST_PROFILE);
  return PNG_CHUNKS.has(type) || isProfile ? [chunk] : [];
};

const plainPng = (bytes: Buffer): Buffer => {
  const selected: Buffer[] = [PNG];
  const keeper = createKeeper();
  let at = PNG.length;
  while (at + 12 <= bytes.length && selected.length <= MOST_PARTS) {
    const end = at + 12 + bytes.readUInt32BE(at);
    const chunk = bytes.subarray(at, end);
    selected.push(...selectedOfPng(chunk, keeper));
    if (chunk.toString('latin1', 4, 8) === 'IEND') break;
    at = end;
  }
  return Buffer.concat(selected);
};

export const RIFF = Buffer.from('RIFF', 'latin1');
export const WEBP = Buffer.from('WEBP', 'latin1');
/** A still picture, or one frame of an animation: decoding thousands of frames takes minutes. */
const WEBP_PICTURES = new Set(['VP8 ', 'VP8L', 'ANMF']);
const WEBP_CHUNKS = new Set(['ALPH', 'ANIM']);
/** The flag of a file that has XMP; the copy has none. */
const XMP_FLAG = 0x04;

const chunkOf = (type: string, content: Buffer): Buffer => {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
};

const selectedOfWebp = (type: string, chunk: Buffer, keeper: Keeper): Buffer[] => {
  if (type === 'EXIF') {
    const content = chunk.subarray(8);
    const tiff = startsWith(content, 0, EXIF) ? content.subarray(EXIF.length) : content;
    return keeper.exif(tiff, (orientation) => chunkOf('EXIF', tiffOf(orientation)));
  }
  if (type === 'VP8X' && chunk.length > 8) {
    const flags = Buffer.from(chunk);
    flags[8] = (flags[8] ?? 0) & ~XMP_FLAG;
    return [flags];
  }
  if (WEBP_PICTURES.has(type)) return keeper.isFirstPicture() ? [chunk] : [];
  const isProfile = type === 'ICCP' && keeper.mayHaveProfile(chunk.length);
  return WEBP_CHUNKS.has(type) || isProfile ? [chunk] : [];
};

const plainWebp = (bytes: Buffer): Buffer => {
  const selected: Buffer[] = [WEBP];
  const keeper = createKeeper();
  let at = RIFF.length + 4 + WEBP.length;
  while (at + 8 <= bytes.length && selected.length <= MOST_PARTS) {
    const length = bytes.readUInt32LE(at + 4);
    const end = at + 8 + length + (length % 2);
    selected.push(...selectedOfWebp(bytes.toString('latin1', at, at + 4), bytes.subarray(at, end), keeper));
    at = end;
  }
  return chunkOf('RIFF', Buffer.concat(selected));
};

/**
 * A JPEG, PNG or WebP with only its pixels, colour profile and orientation. Bytes of any other kind
 * stay as they are. The time grows only with the number of bytes.
 */
export const plainImage = (image: Uint8Array): Uint8Array => {
  const bytes = Buffer.from(image.buffer, image.byteOffset, image.byteLength);
  if (bytes[0] === MARKER && bytes[1] === 0xd8) return plainJpeg(bytes);
  if (startsWith(bytes, 0, PNG)) return plainPng(bytes);
  return startsWith(bytes, 0, RIFF) && startsWith(bytes, 8, WEBP) ? plainWebp(bytes) : image;
};
