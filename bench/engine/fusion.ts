import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EMBEDDING_WEIGHT, type FaceTemplate } from '@assay/engine';
import { decodePage, type FaceEngine } from '@assay/engine/parts';
import { between, degrade, drawIdentityCard, drawPassport, randomPerson, seeded } from '@assay/specimens';
import sharp from 'sharp';
import { bounds } from './bounds.ts';
import { readSet } from './set.ts';
import { FACES } from './thresholds.ts';

/**
 * Two faces, how far apart each net puts them, and how well the one on the document can be seen.
 */
interface Pair {
  same: boolean;
  descriptors: number;
  embeddings: number;
  width: number;
  blur: number;
}

interface Described {
  person: string;
  file: string;
  template: FaceTemplate;
  width: number;
  blur: number;
}

/** Which photographs of a set show one person, by its pairs. */
const peopleOf = async (folder: string): Promise<Map<string, string>> => {
  const pairs = (await readSet(folder)).filter(({ kind }) => kind === 'face-pair');
  const people = new Map<string, string>();
  for (const { file, expected } of pairs) {
    const [a, b] = file as [string, string];
    const person = people.get(a) ?? people.get(b) ?? a;
    if (expected?.same) for (const one of [a, b]) people.set(one, person);
  }
  for (const one of pairs.flatMap(({ file }) => file)) if (!people.has(one)) people.set(one, one);
  return people;
};

const vector = (text: string): Float32Array => {
  const bytes = Buffer.from(text, 'base64');
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
};
const apart = (one: string, other: string): number => {
  const [a, b] = [vector(one), vector(other)];
  return Math.sqrt(a.reduce((sum, value, at) => sum + (value - b[at]!) ** 2, 0));
};

const describe = async (faces: FaceEngine, image: Buffer): Promise<Omit<Described, 'person' | 'file'> | undefined> => {
  const [face] = await faces.findOnDocument(await decodePage(image), 0);
  const { assessment, measures } = faces.documentPortraitQuality(face);
  if (!face || !measures || assessment === 'UNUSABLE') return undefined;
  return { template: await faces.describeFace(face), width: face.box.width, blur: measures.blur };
};

/**
 * The head of a photograph, printed on a document that is small, blurred, noisy and a little
 * turned.
 */
const onDocument = async (faces: FaceEngine, image: Buffer, seed: number): Promise<Buffer | undefined> => {
  const page = await decodePage(image);
  const [face] = await faces.findFaces(page);
  if (!face) return undefined;
  const { x, y, width: wide, height: high } = face.box;
  const [left, top] = [Math.max(0, Math.round(x - 0.35 * wide)), Math.max(0, Math.round(y - 0.45 * high))];
  const portrait = await sharp(page.rgb.data, { raw: { width: page.width, height: page.height, channels: 3 } })
    .extract({
      left,
      top,
      width: Math.min(page.width - left, Math.round(1.7 * wide)),
      height: Math.min(page.height - top, Math.round(1.95 * high)),
    })
    .png()
    .toBuffer();
  const random = seeded(1000 + seed);
  const draw = seed % 2 ? drawPassport : drawIdentityCard;
  const { front } = await draw(randomPerson(random), { portrait, random });
  const small = await sharp(front)
    .resize(between(random, 380, 800))
    .png()
    .toBuffer();
  return degrade(small, {
    quality: between(random, 50, 85),
    rotation: between(random, -4, 4),
    noise: between(random, 2, 12),
    blur: 0.3 + random() * 1.3,
    seed: seed + 1,
  });
};

type Fusion = (pair: Pair) => number;
const weighed = ({ descriptors, embeddings }: Pair, weight: number): number =>
  (descriptors + weight * embeddings) / (1 + weight);
const now: Fusion = (pair) => weighed(pair, EMBEDDING_WEIGHT);
/** Pixels of width below which a face is small, and how much farther it is then, a pixel. */
const SMALL = { width: 150, slope: 0.0013 };

const FUSIONS: Record<string, Fusion> = {
  'as it is': now,
  'dlib alone': (pair) => weighed(pair, 0),
  'weight .25': (pair) => weighed(pair, 0.25),
  'weight .75': (pair) => weighed(pair, 0.75),
  'less faceres on small faces': (pair) => weighed(pair, Math.min(0.75, 0.25 + pair.width / 400)),
  'more faceres on small faces': (pair) => weighed(pair, Math.max(0.25, 0.75 - pair.width / 400)),
  'less faceres on blurred faces': (pair) => weighed(pair, Math.max(0.2, 0.8 - pair.blur)),
  'more faceres on blurred faces': (pair) => weighed(pair, 0.2 + 0.6 * pair.blur),
  'small faces brought nearer': (pair) => now(pair) - SMALL.slope * Math.max(0, SMALL.width - pair.width),
};

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const spread = (values: readonly number[]): number =>
  Math.sqrt(mean(values.map((value) => (value - mean(values)) ** 2)));

/**
 * Other fusions of the two distances on drawn documents against other photographs of the same
 * people. The limit of each lies as many deviations from the strangers' mean as .58 does now: so
 * few strangers cannot tell where the last of them lies.
 */
export const compareFusions = async (faces: FaceEngine, folder: string, documents: number): Promise<void> => {
  const photographs: Described[] = [];
  const drawn: Described[] = [];
  for (const [file, person] of await peopleOf(folder)) {
    const image = await sharp(await readFile(join(folder, file)))
      .rotate()
      .jpeg({ quality: 95 })
      .toBuffer();
    const seen = await describe(faces, image);
    if (seen) photographs.push({ person, file, ...seen });
    for (let seed = 0; seed < documents; seed++) {
      const page = await onDocument(faces, image, seed);
      const printed = page && (await describe(faces, page));
      if (printed) drawn.push({ person, file, ...printed });
    }
  }
  const pairs = drawn.flatMap((one) =>
    photographs
      .filter(({ file }) => file !== one.file)
      .map(
        (other): Pair => ({
          same: one.person === other.person,
          descriptors: apart(one.template.descriptor, other.template.descriptor),
          embeddings: apart(one.template.embedding, other.template.embedding),
          width: one.width,
          blur: one.blur,
        }),
      ),
  );
  const genuine = pairs.filter(({ same }) => same);
  const strangers = pairs.filter(({ same }) => !same);
  const usual = strangers.map(now);
  const deviations = (mean(usual) - FACES.match) / spread(usual);
  console.log(`${drawn.length} documents, ${photographs.length} photographs; ${strangers.length} pairs of strangers`);
  console.table(
    Object.entries(FUSIONS).map(([fusion, distance]) => {
      const others = strangers.map(distance);
      const limit = mean(others) - deviations * spread(others);
      const above = genuine.filter((pair) => distance(pair) > limit).length;
      const nearest = Math.min(...others).toFixed(3);
      return { fusion, limit: limit.toFixed(3), notMatched: bounds(above, genuine.length), nearest };
    }),
  );
};
