import { codestreamAt } from '../lds/image.ts';

const box = (type: string, ...content: readonly Uint8Array[]): Buffer => {
  const bytes = Buffer.concat(content);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + bytes.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, bytes]);
};

interface Box {
  readonly type: string;
  readonly content: Buffer;
}

/** The boxes in these bytes, one after the other, until one is not complete. */
const boxesIn = (bytes: Buffer): Box[] => {
  const boxes: Box[] = [];
  for (let at = 0; at + 8 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    if (length < 8 || at + length > bytes.length) break;
    boxes.push({ type: bytes.toString('latin1', at + 4, at + 8), content: bytes.subarray(at + 8, at + length) });
    at += length;
  }
  return boxes;
};

const COLOUR = 0;
const CHANNEL = 6;

/**
 * The components that hold the colours, in the order of the colours: as the channel definitions
 * say, else all but the last.
 */
const coloursOf = (definitions: Buffer | undefined, components: number): number[] => {
  const first = Array.from({ length: components - 1 }, (_, component) => component);
  if (definitions === undefined) return first;
  const channels = Array.from({ length: Math.floor((definitions.length - 2) / CHANNEL) }, (_, channel) =>
    [0, 2, 4].map((field) => definitions.readUInt16BE(2 + CHANNEL * channel + field)),
  );
  return channels
    .filter(([component = 0, kind, colour = 0]) => kind === COLOUR && component < components && colour > 0)
    .toSorted(([, , a = 0], [, , b = 0]) => a - b)
    .map(([component = 0]) => component);
};

const ENUMERATED = 1;
const CMYK = 12;
const SRGB = 16;
const GREY = 17;

const uint16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);
const uint32 = (value: number): Buffer => Buffer.concat([uint16(value >>> 16), uint16(value & 0xffff)]);

/** The number of the colour space; undefined if a profile defines it or nothing does. */
const spaceOf = (colour: Buffer | undefined): number | undefined =>
  colour && colour.length >= 7 && colour[0] === ENUMERATED ? colour.readUInt32BE(3) : undefined;

const SIGNATURE = Buffer.from('0d0a870a', 'hex');
const BRAND = Buffer.concat([Buffer.from('jp2 '), uint32(0), Buffer.from('jp2 ')]);
const EIGHT_BITS = 7;

/**
 * A JPEG 2000 picture without its opacity: the same codestream in a file that maps only the
 * components of the colours. A picture without opacity is returned unchanged, and so is one in four
 * inks, which the codec understands.
 */
export const withoutAlpha = (bytes: Buffer): Buffer => {
  const stream = bytes.subarray(codestreamAt(bytes) ?? bytes.length);
  const components = stream.length < 42 ? 0 : stream.readUInt16BE(40);
  if (components !== 2 && components !== 4) return bytes;
  const header = boxesIn(boxesIn(bytes).find(({ type }) => type === 'jp2h')?.content ?? Buffer.alloc(0));
  const contentOf = (wanted: string) => header.find(({ type }) => type === wanted)?.content;
  const colours = coloursOf(contentOf('cdef'), components);
  const space = spaceOf(contentOf('colr'));
  if (colours.length !== components - 1 || space === CMYK || contentOf('pclr')) return bytes;
  const [width, height] = [8, 12].map((at) => stream.readUInt32BE(at) - stream.readUInt32BE(at + 8));
  const usual = colours.length === 1 ? GREY : SRGB;
  const each = Buffer.alloc(colours.length, EIGHT_BITS);
  return Buffer.concat([
    box('jP  ', SIGNATURE),
    box('ftyp', BRAND),
    box(
      'jp2h',
      box('ihdr', uint32(height!), uint32(width!), uint16(components), Buffer.from([EIGHT_BITS, 7, 0, 0])),
      box('colr', Buffer.from([ENUMERATED, 0, 0]), uint32(space ?? usual)),
      // A component mapping requires a palette, but uses none of it: it takes the components
      // directly.
      box('pclr', uint16(1), Buffer.from([colours.length]), each, Buffer.alloc(colours.length)),
      box('cmap', ...colours.flatMap((component) => [uint16(component), Buffer.from([0, 0])])),
    ),
    box('jp2c', stream),
  ]);
};
