/**
 * npm run bench:obstacles [-- --count N] [--seed N] [--only KIND] [--verbose]
 *
 * What happens to documents that are covered, damaged, cut off, too far away, on other print or
 * beside another: of each kind drawn at random, how many the default policy stops, how many raise
 * an indicator that tells of it, and of how many the part in question is called OK all the same.
 */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { todayAt } from '@assay/contracts';
import { isUnreadable } from '@assay/engine';
import { openProcessPool } from '@assay/engine/parts';
import {
  between,
  drawIdentityCard,
  drawPassport,
  drawUsLicence,
  photograph,
  pick,
  type Random,
  randomPerson,
  seeded,
  US_STATES,
} from '@assay/specimens';
import sharp from 'sharp';
import { bounds } from './engine/bounds.ts';
import { blockers } from './engine/policy.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    verbose: { type: 'boolean', default: false },
  },
});
const portraits = join(import.meta.dirname, '../specimens/portraits');
const portrait = await readFile(join(portraits, 'holder.jpg'));
const stranger = await readFile(join(portraits, 'other-portrait.jpg'));
const engine = await openProcessPool({ size: 1 });
const today = todayAt(new Date());

type Box = readonly [left: number, top: number, width: number, height: number];
interface Sides {
  front: Buffer;
  back?: Buffer;
}
/** Where each family has its portrait, its surname and its machine-readable part, in shares. */
const FAMILIES = [
  {
    draw: (random: Random): Promise<Sides> => drawPassport(randomPerson(random), { portrait, random }),
    portrait: [0.04, 0.13, 0.28, 0.52],
    surname: [0.34, 0.215, 0.36, 0.075],
    machine: [0.3, 0.83, 0.18, 0.15],
  },
  {
    draw: (random: Random): Promise<Sides> => drawIdentityCard(randomPerson(random), { portrait, random }),
    portrait: [0.03, 0.15, 0.31, 0.62],
    surname: [0.36, 0.17, 0.4, 0.105],
    machine: [0.4, 0.65, 0.18, 0.3],
  },
  {
    draw: (random: Random): Promise<Sides> =>
      drawUsLicence(randomPerson(random), pick(random, US_STATES), { portrait, random }),
    portrait: [0.03, 0.15, 0.31, 0.62],
    surname: [0.36, 0.27, 0.4, 0.095],
    machine: [0.35, 0.42, 0.3, 0.5],
  },
] as const;
type Family = (typeof FAMILIES)[number];

const overlaid = async (side: Buffer, shape: (width: number, height: number) => string): Promise<Buffer> => {
  const { width, height } = await sharp(side).metadata();
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${shape(width, height)}</svg>`;
  return sharp(side)
    .composite([{ input: Buffer.from(drawing) }])
    .png()
    .toBuffer();
};

const SKIN = ['#e8b898', '#c98f6b', '#8a5a3c'];
const TABLE = '#76604a';
const patch = (side: Buffer, [x, y, w, h]: Box, fill: string, round = 0): Promise<Buffer> =>
  overlaid(
    side,
    (width, height) =>
      `<rect x="${x * width}" y="${y * height}" width="${w * width}" height="${h * height}" rx="${round * h * height}" fill="${fill}"/>`,
  );
const finger = (side: Buffer, box: Box, random: Random) => patch(side, box, pick(random, SKIN), 0.4);

const hole = (side: Buffer, [x, y, w, h]: Box): Promise<Buffer> =>
  overlaid(
    side,
    (width, height) =>
      `<circle cx="${(x + w / 5) * width}" cy="${(y + h / 2) * height}" r="${0.6 * h * height}" fill="${TABLE}"/>`,
  );

const torn = (side: Buffer, random: Random): Promise<Buffer> =>
  overlaid(side, (width, height) => {
    const reach = between(random, 18, 30) / 100;
    return `<path d="M${width} 0H${width * (1 - reach)}L${width * (1 - reach / 2)} ${height * reach * 0.6}L${width} ${height * reach}Z" fill="${TABLE}"/>`;
  });

const taken = (side: Buffer, random: Random, margin = 0.07): Promise<Buffer> =>
  photograph(side, { width: between(random, 1400, 1700), seed: between(random, 1, 1e6), margin });

/** The left quarter of the picture is missing. */
const cut = async (picture: Buffer): Promise<Buffer> => {
  const { width, height } = await sharp(picture).metadata();
  const left = Math.round(width / 4);
  return sharp(picture)
    .extract({ left, top: 0, width: width - left, height })
    .jpeg({ quality: 90 })
    .toBuffer();
};

/** A newspaper on the table around the document. */
const amongPrint = async (side: Buffer): Promise<Buffer> => {
  const { width, height } = await sharp(side).metadata();
  const size = [Math.round(width * 1.5), Math.round(height * 1.5)] as const;
  const rows = Array.from(
    { length: 30 },
    (_, i) =>
      `<text x="10" y="${(i + 1) * (size[1] / 30)}" font-family="serif" font-size="24">Surname SMITH was seen on 12 MAY 1990 in the town, said the paper of the day, No. ${i}47110815, and left it again</text>`,
  ).join('');
  const paper = `<svg xmlns="http://www.w3.org/2000/svg" width="${size[0]}" height="${size[1]}"><rect width="100%" height="100%" fill="#e9e6dd"/>${rows}</svg>`;
  return sharp(Buffer.from(paper))
    .composite([{ input: side }])
    .png()
    .toBuffer();
};

/** Two documents on one table, the second behind the first, each so many pixels wide. */
const sideBySide = async (documents: readonly (readonly [Buffer, number])[]): Promise<Buffer> => {
  const scaled = await Promise.all(
    documents.map(([document, width]) => sharp(document).resize(width).png().toBuffer({ resolveWithObject: true })),
  );
  const height = 60 + Math.max(...scaled.map(({ info }) => info.height));
  const width = documents.reduce((sum, [, wide]) => sum + wide + 40, 30);
  const table = sharp({ create: { width, height, channels: 3, background: TABLE } });
  const parts = scaled.map(({ data, info }, at) => ({
    input: data,
    top: 30,
    left: at === 0 ? 30 : width - 30 - info.width,
  }));
  return table.composite(parts).png().toBuffer();
};

const onOnePicture = (picture: Buffer, random: Random): Promise<Buffer> =>
  photograph(picture, { width: between(random, 2000, 2300), seed: between(random, 1, 1e6), margin: 0.03 });

/** A second passport lies beside the first, what it says in its zone covered. */
const twoPassports = async (random: Random): Promise<Sides> => {
  const mine = await drawPassport(randomPerson(random), { portrait, random });
  const other = await drawPassport(randomPerson(random), { portrait: stranger, random });
  const covered = await patch(other.front, [0, 0.78, 1, 0.22], TABLE);
  const documents = [[mine.front, 1250] as const, [covered, 1250] as const];
  return { front: await onOnePicture(await sideBySide(documents), random) };
};

/** The front that the back belongs to lies beside a stranger's, which is larger. */
const twoFronts = async (random: Random): Promise<Sides> => {
  const draw = pick(random, [
    (face: Buffer) => drawIdentityCard(randomPerson(random), { portrait: face, random }),
    (face: Buffer) => drawUsLicence(randomPerson(random), 'VA', { portrait: face, random }),
  ]);
  const [mine, other] = [await draw(portrait), await draw(stranger)];
  const documents = [[mine.front, 900] as const, [other.front, between(random, 920, 1300)] as const];
  return {
    front: await onOnePicture(await sideBySide(documents), random),
    back: await taken(mine.back!, random),
  };
};

const bothSides = async ({ front, back }: Sides, change: (side: Buffer) => Promise<Buffer>): Promise<Sides> => ({
  front: await change(front),
  ...(back && { back: await change(back) }),
});

interface Kind {
  name: string;
  make: (family: Family, random: Random) => Promise<Sides>;
  /** Indicators that tell of it, and codes of errors. */
  tells: RegExp;
  /** What nobody can have examined. */
  neverOk?: RegExp;
}

const onFront =
  (change: (front: Buffer, family: Family, random: Random) => Promise<Buffer>): Kind['make'] =>
  async (family, random) => {
    const { front, back } = await family.draw(random);
    return bothSides({ front: await change(front, family, random), ...(back && { back }) }, (side) =>
      taken(side, random),
    );
  };

const KINDS: readonly Kind[] = [
  {
    name: 'clean',
    make: onFront(async (front) => front),
    tells: /^(OCR|MRZ|CUT|PORTRAIT_[WF]|LOW)\w*_(WARNING|FAILED)$/,
  },
  {
    name: 'a finger on the portrait',
    make: onFront((front, family, random) => finger(front, family.portrait, random)),
    tells: /^PORTRAIT_(FAILED|WARNING|UNVERIFIED)$/,
    neverOk: /^PORTRAIT_OK$/,
  },
  {
    name: 'a finger on the surname',
    make: onFront((front, family, random) => finger(front, family.surname, random)),
    tells: /^OCR_SURNAME_(WARNING|UNVERIFIED)$/,
    neverOk: /^OCR_SURNAME_OK$/,
  },
  {
    name: 'a hole in the surname',
    make: onFront((front, family) => hole(front, family.surname)),
    tells: /^OCR_SURNAME_(WARNING|UNVERIFIED)$/,
    neverOk: /^OCR_SURNAME_OK$/,
  },
  {
    name: 'a sticker on the machine-readable part',
    make: async (family, random) => {
      const { front, back } = await family.draw(random);
      const changed = await patch(back ?? front, family.machine, '#f4f1d0');
      return bothSides(back ? { front, back: changed } : { front: changed }, (side) => taken(side, random));
    },
    tells: /^(MRZ_\w+|DOCUMENT_BARCODE_PARSING|MODEL_RECOGNIZED)_(FAILED|WARNING|UNVERIFIED)$/,
    neverOk: /^MRZ_CHECKSUMS_OK$/,
  },
  {
    name: 'a torn corner',
    make: onFront((front, _, random) => torn(front, random)),
    tells: /^DAMAGED_DOCUMENT_CHECK_FAILED$/,
  },
  {
    name: 'a quarter of each picture cut off',
    make: async (family, random) => {
      const sides = await family.draw(random);
      return bothSides(sides, async (side) => cut(await taken(side, random)));
    },
    tells: /^(CUT_OFF_DOCUMENT_CHECK|PORTRAIT|MRZ_PRESENCE)_(WARNING|FAILED)$/,
    neverOk: /^CUT_OFF_DOCUMENT_CHECK_OK$/,
  },
  {
    name: 'too far: a third of the width',
    make: async (family, random) => bothSides(await family.draw(random), (side) => taken(side, random, 0.335)),
    tells: /^((LOW_IMAGE_QUALITY_\w+|PORTRAIT|MRZ_PRESENCE)_(WARNING|FAILED)|1541)$/,
  },
  {
    name: 'print in the background',
    make: async (family, random) =>
      bothSides(await family.draw(random), async (side) => taken(await amongPrint(side), random)),
    tells: /^(OCR_\w+_(WARNING|UNVERIFIED)|1538)$/,
  },
  {
    name: 'another passport beside it, its zone covered',
    make: (_, random) => twoPassports(random),
    tells: /^NO_MULTIPLE_DOCUMENT_CHECK_FAILED$/,
    neverOk: /^NO_MULTIPLE_DOCUMENT_CHECK_OK$/,
  },
  {
    name: "a stranger's larger front beside that of the back",
    make: (_, random) => twoFronts(random),
    tells: /^PORTRAIT_SUBSTITUTION_WARNING$/,
    neverOk: /^NO_MULTIPLE_DOCUMENT_CHECK_OK$/,
  },
];

const rows = [];
for (const [at, kind] of KINDS.entries()) {
  if (!new RegExp(values.only).test(kind.name)) continue;
  const count = { pictures: 0, stopped: 0, told: 0, wronglyOk: 0, slowest: 0 };
  for (let i = 0; i < Number(values.count); i++) {
    const random = seeded(Number(values.seed) * 10_000 + at * 100 + i);
    const { front, back } = await kind.make(pick(random, FAMILIES), random);
    const start = performance.now();
    const seen = await engine.run({ kind: 'document', job: { front, ...(back && { back }), details: {}, today } });
    count.slowest = Math.max(count.slowest, performance.now() - start);
    if (isUnreadable(seen)) throw new Error(seen.error.code);
    const { indicators } = seen;
    const said = [...indicators, ...seen.errors.map(({ code }) => code)];
    const wrong = indicators.filter((name) => kind.neverOk?.test(name));
    const told = said.filter((name) => kind.tells.test(name) && name !== 'OCR_ISSUING_DATE_UNVERIFIED');
    count.pictures++;
    if (blockers(indicators).length > 0) count.stopped++;
    if (told.length > 0) count.told++;
    if (wrong.length > 0) count.wronglyOk++;
    if (values.verbose) console.log(kind.name, i, back ? 'two sides' : 'one', blockers(indicators), told, wrong);
  }
  const { pictures, stopped, told, wronglyOk, slowest } = count;
  rows.push({
    kind: kind.name,
    stopped: bounds(stopped, pictures),
    told: bounds(told, pictures),
    wronglyOk: kind.neverOk ? bounds(wronglyOk, pictures) : '',
    slowestMs: Math.round(slowest),
  });
}
console.table(rows);
await engine.close();
process.exit(0);
