import {
  END_OF_IMAGE,
  isBare,
  LARGEST_PACKED_PROFILE,
  LARGEST_PROFILE,
  MARKER,
  MOST_SCANS,
  PNG,
  PROFILE,
  RIFF,
  START_OF_SCAN,
  startsWith,
  WEBP,
} from './plain-image.ts';

/*
 * The engine looks at a copy of an image (plain-image.ts), people at the image itself, in their
 * browsers. Where the two show different pictures, one document is checked and another one is seen
 * by operators and by readers of the proof. This finds what makes the difference. It reads the
 * bytes as they pass, and stores none of them.
 */

/** The parts of a file, one after the other. */
interface Parts {
  /** Where the first one begins. */
  first: number;
  /** Where a part begins, from a place on; the end of the bytes if it may begin behind them. */
  find(bytes: Buffer, from: number): number;
  /** Bytes of the part that begins there; undefined where more bytes are needed to know. */
  lengthAt(bytes: Buffer, at: number): number | undefined;
}
type Report = (found: string) => void;

const ANIMATION = 'an animation';
const GREAT_PROFILE = 'a colour profile that is too large';

const nextMarker = (bytes: Buffer, from: number): number => {
  let at = from;
  // Not `indexOf`: it takes fifty times as long where every second byte is one.
  while (at + 1 < bytes.length && (bytes[at] !== MARKER || bytes[at + 1] === MARKER || bytes[at + 1] === 0)) at += 1;
  return at + 1 < bytes.length || bytes[at] === MARKER ? at : bytes.length;
};

const APPLICATION_2 = 0xe2;

const partsOfJpeg = (report: Report): Parts => {
  let scans = 0;
  let profile = 0;
  return {
    first: 2,
    find: nextMarker,
    lengthAt: (bytes, at) => {
      if (at + 4 > bytes.length) return undefined;
      const marker = bytes[at + 1] ?? END_OF_IMAGE;
      if (marker === END_OF_IMAGE) return Number.POSITIVE_INFINITY;
      if (isBare(marker)) return 2;
      const length = 2 + Math.max(2, bytes.readUInt16BE(at + 2));
      if (marker === APPLICATION_2 && at + Math.min(length, 4 + PROFILE.length) > bytes.length) return undefined;
      if (marker === START_OF_SCAN) scans += 1;
      if (marker === APPLICATION_2 && startsWith(bytes, at + 4, PROFILE)) profile += length;
      if (scans > MOST_SCANS) report(`more than ${MOST_SCANS} scans`);
      if (profile > LARGEST_PROFILE) report(GREAT_PROFILE);
      return length;
    },
  };
};

/** The least part of a PNG, and all that is looked at of each. */
const CHUNK = 12;
const type = (name: string): number => Buffer.from(name, 'latin1').readUInt32BE();
const [ACTL, GAMA, ICCP] = [type('acTL'), type('gAMA'), type('iCCP')];
/**
 * A gamma between these, in 100,000ths, makes a picture darker or brighter: screens have 45,455.
 * Beyond them most of its colours become black or white, and what could not be seen stands out.
 * Browsers apply it; the decoder does not.
 */
const GAMMAS = { least: 30_000, most: 100_000 };

const partsOfPng = (report: Report): Parts => ({
  first: PNG.length,
  find: (_bytes, from) => from,
  lengthAt: (bytes, at) => {
    if (at + CHUNK > bytes.length) return undefined;
    const [length, name, value] = [
      bytes.readUInt32BE(at) + CHUNK,
      bytes.readUInt32BE(at + 4),
      bytes.readUInt32BE(at + 8),
    ];
    if (name === ACTL) report(ANIMATION);
    if (name === ICCP && length > LARGEST_PACKED_PROFILE) report(GREAT_PROFILE);
    if (name === GAMA && (value < GAMMAS.least || value > GAMMAS.most)) report('a gamma of no screen');
    return length;
  },
});

const partsOfWebp = (report: Report): Parts => ({
  first: RIFF.length + 4 + WEBP.length,
  find: (_bytes, from) => from,
  lengthAt: (bytes, at) => {
    if (at + 8 > bytes.length) return undefined;
    const name = bytes.toString('latin1', at, at + 4);
    const length = 8 + bytes.readUInt32LE(at + 4);
    if (name === 'ANMF') report(ANIMATION);
    if (name === 'ICCP' && length > LARGEST_PROFILE) report(GREAT_PROFILE);
    return length + (length % 2);
  },
});

const HEAD_BYTES = 12;

/** Of a JPEG, PNG or WebP: whoever takes images in refuses others by their first bytes. */
const partsOf = (head: Buffer, report: Report): Parts => {
  if (startsWith(head, 0, PNG)) return partsOfPng(report);
  return startsWith(head, 0, RIFF) ? partsOfWebp(report) : partsOfJpeg(report);
};

/**
 * Looks at the bytes of an image as they pass. Gives what of it makes people see another picture
 * than the engine, as soon as that has passed; undefined of a picture that is one to both.
 */
export const createPictureWatch = (): ((chunk: Buffer) => string | undefined) => {
  let found: string | undefined;
  let parts: Parts | undefined;
  /** The end of what has passed, where more bytes are needed to know what it is. */
  let waiting: Buffer = Buffer.alloc(0);
  /** Bytes to pass before the next part. */
  let ahead = 0;
  const follow = (bytes: Buffer, { find, lengthAt }: Parts): void => {
    let at = ahead;
    for (let length: number | undefined = 0; length !== undefined && at < bytes.length; at += length ?? 0) {
      at = find(bytes, at);
      length = lengthAt(bytes, at);
    }
    waiting = bytes.subarray(at);
    ahead = Math.max(0, at - bytes.length);
  };
  return (chunk) => {
    const bytes = waiting.length > 0 ? Buffer.concat([waiting, chunk]) : chunk;
    if (!parts && bytes.length >= HEAD_BYTES) {
      parts = partsOf(bytes, (what) => {
        found ??= what;
      });
      ahead = parts.first;
    }
    if (parts) follow(bytes, parts);
    else waiting = bytes;
    return found;
  };
};
