import { afterAll, describe, expect, test } from '@jest/globals';
import { ChipError } from '../errors.ts';
import { readDataGroup2 } from '../lds/portrait.ts';
import { sample } from '../testing/samples.ts';
import { createPortraitDecoder } from './index.ts';
import { isModest } from './modest.ts';

const decoder = createPortraitDecoder();
afterAll(() => decoder.close());

const uint16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);
const uint32 = (value: number): Buffer => Buffer.concat([uint16(value >>> 16), uint16(value & 0xffff)]);
const segment = (marker: number, ...content: readonly Buffer[]): Buffer => {
  const bytes = Buffer.concat(content);
  return Buffer.concat([uint16(marker), uint16(bytes.length + 2), bytes]);
};

interface Shape {
  side: number;
  tile: number;
  components: number;
  layers: number;
  levels: number;
  block: number;
  precinct: number;
  bytes: number;
}

const style = (marker: number, { layers, levels, block, precinct }: Shape): Buffer => {
  const transform = Buffer.from([levels, block, block, 0, 1, ...Array(levels + 1).fill(precinct * 17)]);
  return marker === 0xff52
    ? segment(marker, Buffer.from([1, 0]), uint16(layers), Buffer.from([0]), transform)
    : segment(marker, Buffer.from([0, 1]), transform);
};

const USUAL: Shape = {
  side: 2048,
  tile: 2048,
  components: 3,
  layers: 1,
  levels: 5,
  block: 4,
  precinct: 8,
  bytes: 5000,
};
/** A codestream. `late` is another coding style in the header of its tile. */
const stream = (given: Partial<Shape>, late?: readonly [marker: number, Partial<Shape>]): Buffer => {
  const shape = { ...USUAL, ...given };
  const { side, tile, components, levels, bytes } = shape;
  const sizes = [side, side, 0, 0, tile, tile, 0, 0].map(uint32);
  const header = late ? style(late[0], { ...shape, ...late[1] }) : Buffer.alloc(0);
  return Buffer.concat([
    uint16(0xff4f),
    segment(0xff51, uint16(0), ...sizes, uint16(components), Buffer.from(Array(components).fill([7, 1, 1]).flat())),
    style(0xff52, shape),
    segment(0xff5c, Buffer.from([0x40, ...Array(3 * levels + 1).fill(0x48)])),
    segment(0xff90, uint16(0), uint32(14 + header.length + bytes), Buffer.from([0, 1])),
    header,
    uint16(0xff93),
    Buffer.alloc(bytes, 0x80),
    uint16(0xffd9),
  ]);
};

/** The picture whose part states this length. */
const withPartOf = (bytes: number): Buffer => {
  const changed = stream({});
  changed.writeUInt32BE(bytes, changed.indexOf(Buffer.from('ff90000a', 'hex')) + 6);
  return changed;
};

const box = (type: string, ...content: readonly Buffer[]): Buffer => {
  const bytes = Buffer.concat(content);
  return Buffer.concat([uint32(8 + bytes.length), Buffer.from(type, 'latin1'), bytes]);
};
/** A file whose palette makes this many channels of one. */
const withPalette = (channels: number): Buffer =>
  Buffer.concat([
    box('jP  ', Buffer.from('0d0a870a', 'hex')),
    box('ftyp', Buffer.from('jp2 \0\0\0\0jp2 ')),
    box(
      'jp2h',
      box('ihdr', uint32(2048), uint32(2048), uint16(1), Buffer.from([7, 7, 0, 0])),
      box('colr', Buffer.from([1, 0, 0]), uint32(16)),
      box('pclr', uint16(1), Buffer.from([channels]), Buffer.alloc(channels, 7), Buffer.alloc(channels)),
      box('cmap', ...Array.from({ length: channels }, (_, channel) => Buffer.from([0, 0, 1, channel]))),
    ),
    box('jp2c', stream({ components: 1 })),
  ]);

describe('a JPEG 2000 picture needs no more than its pixels do', () => {
  test.each([
    ['as an issuer wrote it', readDataGroup2(sample('mustermann/DG2.bin')).bytes],
    ['of four megapixels in precincts of 256', stream({})],
    ['in twenty quality layers', stream({ layers: 20, bytes: 20_000 })],
    ['in precincts of 64', stream({ precinct: 6, bytes: 20_000 })],
    ['in blocks of 16', stream({ block: 2 })],
    ['with a palette of three colours', withPalette(3)],
  ])('%s', (_name, bytes) => expect(isModest(bytes)).toBe(true));

  test.each([
    ['precincts of a pixel', stream({ precinct: 0, levels: 0 })],
    ['precincts of a pixel on every level', stream({ precinct: 0 })],
    ['blocks of four', stream({ block: 0 })],
    ['more layers than bytes', stream({ layers: 65_535 })],
    ['small precincts in many layers', stream({ precinct: 5, layers: 2000, bytes: 340_000 })],
    ['as much in the header of a tile', stream({}, [0xff52, { precinct: 0 }])],
    ['as much of one component', stream({}, [0xff53, { precinct: 0 }])],
    ['a palette of forty channels', withPalette(40)],
    ['a header that is cut', stream({}).subarray(0, 60)],
    ['a part that ends before it began', withPartOf(1)],
  ])('refused: %s', async (_name, bytes) => {
    expect(isModest(bytes)).toBe(false);
    await expect(decoder.decode(bytes)).rejects.toBeInstanceOf(ChipError);
  });

  test('a picture that is cut anywhere is assessed without an error', () => {
    const whole = stream({}, [0xff53, {}]);
    for (let end = 0; end < 220; end += 1) expect(typeof isModest(whole.subarray(0, end))).toBe('boolean');
  });
});
