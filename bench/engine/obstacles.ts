/** Documents that are covered, damaged, cut off, on other print or beside another one, as drawn. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  between,
  drawIdentityCard,
  drawPassport,
  drawUsLicence,
  photograph,
  pick,
  type Random,
  randomPerson,
  US_STATES,
} from '@assay/specimens';
import sharp from 'sharp';

const portraits = join(import.meta.dirname, '../../specimens/portraits');
const portrait = await readFile(join(portraits, 'holder.jpg'));
const stranger = await readFile(join(portraits, 'other-portrait.jpg'));

type Box = readonly [left: number, top: number, width: number, height: number];
export interface Sides {
  front: Buffer;
  back?: Buffer;
}
/** Where each family has its portrait, its surname and its machine-readable part, in shares. */
export const FAMILIES = [
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
export type Family = (typeof FAMILIES)[number];

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
export const patch = (side: Buffer, [x, y, w, h]: Box, fill: string, round = 0): Promise<Buffer> =>
  overlaid(
    side,
    (width, height) =>
      `<rect x="${x * width}" y="${y * height}" width="${w * width}" height="${h * height}" rx="${round * h * height}" fill="${fill}"/>`,
  );
export const finger = (side: Buffer, box: Box, random: Random) => patch(side, box, pick(random, SKIN), 0.4);

export const hole = (side: Buffer, [x, y, w, h]: Box): Promise<Buffer> =>
  overlaid(
    side,
    (width, height) =>
      `<circle cx="${(x + w / 5) * width}" cy="${(y + h / 2) * height}" r="${0.6 * h * height}" fill="${TABLE}"/>`,
  );

export const torn = (side: Buffer, random: Random): Promise<Buffer> =>
  overlaid(side, (width, height) => {
    const reach = between(random, 18, 30) / 100;
    return `<path d="M${width} 0H${width * (1 - reach)}L${width * (1 - reach / 2)} ${height * reach * 0.6}L${width} ${height * reach}Z" fill="${TABLE}"/>`;
  });

export const taken = (side: Buffer, random: Random, margin = 0.07): Promise<Buffer> =>
  photograph(side, { width: between(random, 1400, 1700), seed: between(random, 1, 1e6), margin });

/** A lamp shines from the surface of what was taken: white in the middle, nothing at the edge. */
export const highlight = async (picture: Buffer, [x, y, w, h]: Box, random: Random, margin = 0.07): Promise<Buffer> => {
  const inPicture = (share: number) => margin + share * (1 - 2 * margin);
  const lit = await overlaid(picture, (width, height) => {
    const reach = (between(random, 8, 14) / 100) * width;
    const [cx, cy] = [inPicture(x + (w * between(random, 15, 60)) / 100) * width, inPicture(y + h / 2) * height];
    const stops = '<stop offset="0.55" stop-color="#fff"/><stop offset="1" stop-color="#fff" stop-opacity="0"/>';
    return `<defs><radialGradient id="lamp">${stops}</radialGradient></defs><ellipse cx="${cx}" cy="${cy}" rx="${reach}" ry="${reach * 0.6}" fill="url(#lamp)"/>`;
  });
  return sharp(lit).jpeg({ quality: 90 }).toBuffer();
};

/** The left quarter of the picture is missing. */
export const cut = async (picture: Buffer): Promise<Buffer> => {
  const { width, height } = await sharp(picture).metadata();
  const left = Math.round(width / 4);
  return sharp(picture)
    .extract({ left, top: 0, width: width - left, height })
    .jpeg({ quality: 90 })
    .toBuffer();
};

/** A newspaper on the table around the document. */
export const amongPrint = async (side: Buffer): Promise<Buffer> => {
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
export const twoPassports = async (random: Random): Promise<Sides> => {
  const mine = await drawPassport(randomPerson(random), { portrait, random });
  const other = await drawPassport(randomPerson(random), { portrait: stranger, random });
  const covered = await patch(other.front, [0, 0.78, 1, 0.22], TABLE);
  const documents = [[mine.front, 1250] as const, [covered, 1250] as const];
  return { front: await onOnePicture(await sideBySide(documents), random) };
};

/** The front that the back belongs to lies beside a stranger's, which is larger. */
export const twoFronts = async (random: Random): Promise<Sides> => {
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

export const bothSides = async ({ front, back }: Sides, change: (side: Buffer) => Promise<Buffer>): Promise<Sides> => ({
  front: await change(front),
  ...(back && { back: await change(back) }),
});
