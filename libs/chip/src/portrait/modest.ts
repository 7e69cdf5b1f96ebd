import { codestreamAt } from '../lds/image.ts';

/*
 * A few hundred bytes of JPEG 2000 can ask for gigabytes, or for minutes: precincts of one pixel,
 * each in thousands of quality layers, or a palette that makes hundreds of channels of one. What a
 * picture asks for is therefore counted before it is decoded.
 */

/**
 * A picture of more than four megapixels has this many with precincts of 32 pixels, or with 1024
 * tiles.
 */
const MOST_PRECINCTS = 32_768;
/** A picture of more than four megapixels has this many with blocks of 16 pixels. */
const MOST_BLOCKS = 100_000;
/** The colours, and an opacity. */
const MOST_CHANNELS = 4;
/** Markers before the pixels of a tile part; an encoder writes half a dozen. */
const MOST_MARKERS = 4096;

const SIZE = 0xff51;
const CODING_STYLE = 0xff52;
const CODING_STYLE_OF_COMPONENT = 0xff53;
const START_OF_PART = 0xff90;
const START_OF_DATA = 0xff93;

interface Segment {
  readonly marker: number;
  readonly content: Buffer;
}

/** The marker segments of the main header and of each tile part; undefined if one is cut off. */
const segmentsOf = (stream: Buffer): Segment[] | undefined => {
  const segments: Segment[] = [];
  let partEnd = stream.length;
  for (let at = 2; at + 4 <= stream.length && segments.length <= MOST_MARKERS; ) {
    const [marker, length] = [stream.readUInt16BE(at), stream.readUInt16BE(at + 2)];
    if (marker === START_OF_DATA) {
      at = partEnd;
      continue;
    }
    if (marker < 0xff00 || length < 2 || at + 2 + length > stream.length) return undefined;
    const content = stream.subarray(at + 4, at + 2 + length);
    if (marker === START_OF_PART) {
      if (content.length !== 8) return undefined;
      // A tile part without a length continues to the end.
      const bytes = content.readUInt32BE(2);
      partEnd = bytes === 0 ? stream.length : at + bytes;
      if (partEnd < at + 12) return undefined;
    }
    segments.push({ marker, content });
    at += 2 + length;
  }
  return segments.length > MOST_MARKERS ? undefined : segments;
};

interface Style {
  readonly layers: number;
  readonly levels: number;
  /** Samples in a code block. */
  readonly block: number;
  /**
   * One byte for each resolution, the coarsest first; absent if each resolution is one precinct.
   */
  readonly precincts: Buffer;
}

const USER_DEFINED = 1;

/** What a COD or COC marker says. `wide`: component numbers have two bytes. */
const styleOf = ({ marker, content }: Segment, wide: boolean): Style | undefined => {
  const isGeneral = marker === CODING_STYLE;
  const start = isGeneral ? 0 : wide ? 2 : 1;
  const levelsAt = isGeneral ? 5 : start + 1;
  if (content.length < levelsAt + 5) return undefined;
  const isDefined = (content[start]! & USER_DEFINED) !== 0;
  return {
    layers: isGeneral ? content.readUInt16BE(2) : 1,
    levels: content[levelsAt]!,
    block: 2 ** ((content[levelsAt + 1]! & 15) + (content[levelsAt + 2]! & 15) + 4),
    precincts: isDefined ? content.subarray(levelsAt + 5) : Buffer.alloc(0),
  };
};

/** The number of precincts of one component in a tile of this size. */
const precinctsOf = ({ levels, precincts }: Style, width: number, height: number): number => {
  if (precincts.length === 0) return levels + 1;
  return precincts.subarray(0, levels + 1).reduce((sum, sizes, resolution) => {
    const [across, down] = [width, height].map((side) => Math.ceil(side / 2 ** (levels - resolution)));
    return sum + Math.ceil(across! / 2 ** (sizes & 15)) * Math.ceil(down! / 2 ** (sizes >> 4));
  }, 0);
};

interface Size {
  readonly width: number;
  readonly height: number;
  readonly tileWidth: number;
  readonly tileHeight: number;
  readonly tiles: number;
  readonly components: number;
}

const sizeOf = ({ content }: Segment): Size => {
  const [right, bottom, left, top, tileWidth, tileHeight] = [2, 6, 10, 14, 18, 22].map((at) =>
    content.readUInt32BE(at),
  ) as [number, number, number, number, number, number];
  const [width, height, components] = [right - left, bottom - top, content.readUInt16BE(34)];
  const tiles = Math.ceil(right / tileWidth) * Math.ceil(bottom / tileHeight);
  return {
    ...{ width, height, tiles, components },
    tileWidth: Math.min(tileWidth, width),
    tileHeight: Math.min(tileHeight, height),
  };
};

const isModestStream = (stream: Buffer): boolean => {
  const segments = segmentsOf(stream) ?? [];
  if (segments[0]?.marker !== SIZE || segments[0].content.length < 36) return false;
  const { width, height, tileWidth, tileHeight, tiles, components } = sizeOf(segments[0]);
  const styles = segments
    .filter(({ marker }) => marker === CODING_STYLE || marker === CODING_STYLE_OF_COMPONENT)
    .map((segment) => styleOf(segment, components > 256));
  const layers = Math.max(...styles.map((style) => style?.layers ?? 0));
  return styles.every((style) => {
    if (style === undefined) return false;
    const precincts = precinctsOf(style, tileWidth, tileHeight) * components * tiles;
    const blocks = (width * height * components) / style.block;
    // A packet is one layer of one precinct and has one byte at least.
    return precincts <= MOST_PRECINCTS && blocks <= MOST_BLOCKS && precincts * layers <= stream.length;
  });
};

/** Whether no palette makes more channels than the colours and an opacity. */
const hasModestPalette = (boxes: Buffer): boolean => {
  for (let at = boxes.indexOf('pclr'); at >= 0; at = boxes.indexOf('pclr', at + 4))
    if ((boxes[at + 6] ?? 0) > MOST_CHANNELS) return false;
  return true;
};

/** Whether a JPEG 2000 picture asks for no more memory and time than its pixels need. */
export const isModest = (bytes: Buffer): boolean => {
  const at = codestreamAt(bytes);
  return at !== undefined && hasModestPalette(bytes.subarray(0, at)) && isModestStream(bytes.subarray(at));
};
