import { describe, expect, test } from '@jest/globals';
import type { Page } from '../image.ts';
import { createDescriptionSearch } from './description.ts';
import type { Description } from './match.ts';
import type { Ocr, TextBox } from './ocr.ts';

const HOLDER: Description = {
  address: { streetLines: ['2300 WEST BROAD STREET'], city: 'RICHMOND', state: 'VA', postcode: '23269' },
  height: '511',
  eyeColor: 'BRO',
};
const ADDRESS = '8 2300 WEST BROAD STREET, RICHMOND, VA 23269';

const page: Page = {
  ...{ width: 1000, height: 600, scale: 1, decodeMs: 0, rgb: { width: 1000, height: 600, data: new Uint8Array() } },
  grey: { width: 1000, height: 600, data: new Uint8Array() },
  original: { width: 1000, height: 600, format: 'jpeg', bytes: 1, hasCameraData: false },
};
const HEIGHT = 20;
const boxOf = (text: string, y: number): TextBox => {
  const right = (text.length / 1.9) * HEIGHT;
  return { left: 0, right, x: right / 2, y, top: -10, bottom: 10, height: HEIGHT, slope: 0, offset: y };
};

/** What is not seen on a front of these lines, of which the first `known` were read before. */
const unseenOn = async (lines: readonly string[], description = HOLDER, known = 0) => {
  const texts = new Map(lines.map((text, i) => [boxOf(text, 30 * i), text]));
  const boxes = [...texts.keys()];
  const asLine = (box: TextBox) => ({ text: texts.get(box)!, confidence: 0.99, box });
  const ocr: Ocr = { detect: async () => boxes, read: async (_page, box) => asLine(box) };
  const search = createDescriptionSearch(description);
  const read = new Map(boxes.slice(0, known).map((box) => [box, asLine(box)]));
  const { size } = await search.readSide({ page, boxes, read }, ocr);
  return { unseen: search.unseen(), size };
};

describe('what a barcode says of its holder', () => {
  test.each([
    ['in one line', [ADDRESS, `5'-11"`, 'BRO']],
    ['in two lines, with labels', ['2300 WEST BROAD STREET', 'RICHMOND, VA 23269-0001', `16 HGT 5'11"`, '18 EYES BRO']],
    ['without the blanks', ['2300WEST BROADSTREET', 'RICHMOND VA23269', '180 cm', 'Eyes: Brown']],
    ['with look-alikes', ['23OO WEST BR0AD STREET, RICHMOND, VA 23269', `5'-11"`, 'BRO']],
  ])('is seen %s', async (_how, lines) => {
    expect((await unseenOn(lines)).unseen).toEqual([]);
  });

  test.each([
    ['another street', '8 17 OTHER AVENUE, RICHMOND, VA 23269'],
    ['another house number', '12300 WEST BROAD STREET, RICHMOND, VA 23269'],
    ['a shorter house number', '300 WEST BROAD STREET, RICHMOND, VA 23269'],
    ['another city', '2300 WEST BROAD STREET, NORFOLK, VA 23269'],
    ['another postcode', '2300 WEST BROAD STREET, RICHMOND, VA 23260'],
  ])('is not seen where print has %s', async (_what, address) => {
    expect((await unseenOn([address, `5'-11"`, 'BRO'])).unseen).toEqual(['address']);
  });

  test('is not seen where print has another height or colour', async () => {
    expect((await unseenOn([ADDRESS, `5'-10"`, 'BLU', '05/11/1970', '5/11/1970'])).unseen).toEqual([
      'height',
      'eyeColor',
    ]);
  });

  test('is looked for among lines that were read, and no more is read then', async () => {
    const lines = [ADDRESS, `5'-11"`, 'BRO', 'DONOR', 'CLASS D'];
    expect(await unseenOn(lines, HOLDER, 3)).toEqual({ unseen: [], size: 3 });
    expect(await unseenOn(lines, {}, 0)).toEqual({ unseen: [], size: 0 });
  });
});
