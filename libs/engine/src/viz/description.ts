import { table } from '@assay/contracts/table';
import { fewestAway } from './box-length.ts';
import type { SideRead } from './further.ts';
import { fold, nameSpelling, plain } from './letters.ts';
import type { Description } from './match.ts';
import type { Ocr, TextBox, TextLine } from './ocr.ts';

export type DescribedValue = keyof Description;

/** Boxes read for the address, and for height and eyes: each costs time. */
const MOST = { address: 5, others: 6 };
/** Characters of a height and of a colour in print: 5'-11", BRO. */
const SHORT = [6, 3];

/** Values are higher than labels, which are as short as they. */
const LOWER = 0.65;
const isLower = ({ height }: TextBox, boxes: readonly TextBox[]): boolean => {
  const heights = boxes.map((box) => box.height).sort((a, b) => a - b);
  return height < LOWER * (heights[Math.floor(heights.length * 0.75)] ?? 0);
};

const { same } = nameSpelling();
const letters = (text: string): string => same(plain(text));

/** The parts of an address in the order of print; of a long US postcode its first five digits. */
const partsOf = ({
  streetLines,
  city = '',
  state = '',
  postcode = '',
}: NonNullable<Description['address']>): string[] =>
  [...streetLines, city, state, postcode.replace(/-\d{4}$/, '')].map(letters).filter(Boolean);

/** Everything that whole words of a line say, side by side: the recogniser drops blanks. */
const runsIn = (text: string): Set<string> => {
  const words = text.split(/[^\p{L}\p{M}\p{N}]+/u).map(letters);
  return new Set(words.flatMap((_, from) => words.slice(from).map((_, n) => words.slice(from, from + n + 1).join(''))));
};

const CM_PER_INCH = 2.54;
const inFeet = (inches: number): string => `${Math.floor(inches / 12)}${String(inches % 12).padStart(2, '0')}`;

/** Heights in a line, as barcodes have them: 5'-11" and 180 cm are 511. */
const heightsIn = (text: string): string[] => [
  ...[...text.matchAll(/(?<![\d/.-])([3-7])[^\dA-Z/.]{1,4}(\d{1,2})(?!\d|[/.]\d)/gi)].map(
    ([, feet, inches]) => feet! + inches!.padStart(2, '0'),
  ),
  ...[...text.matchAll(/(?<!\d)([12]\d\d) ?cm/gi)].map(([, cm]) => inFeet(Math.round(Number(cm) / CM_PER_INCH))),
];

/** Colours as the AAMVA standard abbreviates them, and as some cards print them. */
const COLOURS = table<readonly string[]>({
  BLK: ['BLACK'],
  BLU: ['BLUE'],
  BRO: ['BROWN'],
  GRN: ['GREEN'],
  GRY: ['GRAY', 'GREY'],
  HAZ: ['HAZEL'],
  MAR: ['MAROON'],
  PNK: ['PINK'],
});

const hasColour = (text: string, colour: string): boolean => {
  const words = fold(text).split(/[^A-Z]+/);
  return [colour, ...(COLOURS[colour] ?? [])].some((name) => words.includes(name));
};

/** Looks for what a barcode says of its holder, line by line. */
const searchFor = ({ address, height, eyeColor }: Description) => {
  const parts = address ? partsOf(address) : [];
  const unseen = new Set(parts.keys());
  const open = new Set<DescribedValue>([
    ...(parts.length > 0 ? (['address'] as const) : []),
    ...(height ? (['height'] as const) : []),
    ...(eyeColor ? (['eyeColor'] as const) : []),
  ]);
  const lookForAddress = (text: string): void => {
    const runs = runsIn(text);
    for (const from of parts.keys())
      for (const to of parts.keys())
        if (runs.has(parts.slice(from, to + 1).join(''))) for (let i = from; i <= to; i++) unseen.delete(i);
    if (unseen.size === 0) open.delete('address');
  };
  return {
    open,
    /** Characters of a line with the street, with what follows it, or with all of the address. */
    lengths: [parts.slice(0, 1), parts.slice(1), parts].map((some) => some.join('').length).filter(Boolean),
    look: ({ text }: TextLine): void => {
      if (open.has('address')) lookForAddress(text);
      if (height && heightsIn(text).includes(height)) open.delete('height');
      if (eyeColor && hasColour(text, eyeColor)) open.delete('eyeColor');
    },
  };
};

/**
 * A search for what a barcode says of its holder: nothing else tells whether the barcode was
 * rewritten there. It reads only print of the length of what it looks for.
 */
export const createDescriptionSearch = (description: Description = {}) => {
  const { open, lengths, look } = searchFor(description);
  return {
    /** What was not seen on any side so far. */
    unseen: (): DescribedValue[] => [...open],
    readSide: async ({ page, boxes, read: before }: SideRead, ocr: Ocr): Promise<ReadonlyMap<TextBox, TextLine>> => {
      for (const line of before.values()) look(line);
      if (open.size === 0) return before;
      const read = new Map(before);
      const readLikely = async (most: number, wanted: readonly number[], isOpen: () => boolean): Promise<void> => {
        const cost = (box: TextBox) => fewestAway(box, wanted) + (isLower(box, boxes) ? 1 : 0);
        const likely = boxes.filter((box) => !read.has(box)).sort((a, b) => cost(a) - cost(b));
        for (const box of likely.slice(0, most)) {
          if (!isOpen()) return;
          read.set(box, await ocr.read(page, box));
          look(read.get(box)!);
        }
      };
      await readLikely(MOST.address, lengths, () => open.has('address'));
      await readLikely(MOST.others, SHORT, () => open.has('height') || open.has('eyeColor'));
      return read;
    },
  };
};
