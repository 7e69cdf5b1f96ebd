/**
 * npm run bench:portraits [-- --count N] [--seed N] [--portraits FOLDER] [--samples FOLDER]
 * [--verbose]
 *
 * How often a portrait put onto a document raises PORTRAIT_SUBSTITUTION_WARNING, and a genuine one:
 * documents drawn at random and photographed, with the portrait exchanged in three ways, and with a
 * second portrait of the holder or of somebody else.
 *   --portraits FOLDER   faces to draw with, instead of the two that come with the specimens
 *   --samples FOLDER     genuine pages to measure false alarms on
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  boxOnImage,
  decodePage,
  modelsFolder,
  openFaceEngine,
  otherPortrait,
  substitutionIndicator,
  tracesOf,
} from '@assay/engine/parts';
import {
  between,
  type DrawOptions,
  degrade,
  drawIdentityCard,
  drawPassport,
  drawUsLicence,
  pastePortrait,
  photograph,
  pick,
  type Random,
  randomPerson,
  reprintPortrait,
  seeded,
  US_STATES,
} from '@assay/specimens';
import sharp from 'sharp';
import { bounds } from './engine/bounds.ts';
import { FACES } from './engine/thresholds.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    portraits: { type: 'string' },
    samples: { type: 'string' },
    verbose: { type: 'boolean', default: false },
  },
});
const faces = await openFaceEngine(modelsFolder());
const shipped = join(import.meta.dirname, '../specimens/portraits');

/** The head with some room around it, as `portrait` wants it. */
const headOf = async (file: string): Promise<Buffer[]> => {
  const image = await sharp(await readFile(file))
    .rotate()
    .toBuffer();
  const page = await decodePage(image);
  const [face] = await faces.findFaces(page);
  if (!face) return [];
  const { box } = face;
  const left = Math.max(0, Math.round(box.x - 0.35 * box.width));
  const top = Math.max(0, Math.round(box.y - 0.45 * box.height));
  const width = Math.min(page.width - left, Math.round(1.7 * box.width));
  const height = Math.min(page.height - top, Math.round(1.95 * box.height));
  return [
    await sharp(page.rgb.data, { raw: { width: page.width, height: page.height, channels: 3 } })
      .extract({ left, top, width, height })
      .png()
      .toBuffer(),
  ];
};

const filesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder))
    .filter((name) => /\.(jpe?g|png)$/i.test(name))
    .sort()
    .map((name) => join(folder, name));

const heads = values.portraits
  ? (await Promise.all((await filesIn(values.portraits)).map(headOf))).flat()
  : await Promise.all(['holder.jpg', 'other-portrait.jpg'].map((name) => readFile(join(shipped, name))));

/** Folders of faces show some people twice: those are nobody else. */
const templates = await Promise.all(
  heads.map(async (head) => {
    const [face] = await faces.findFaces(await decodePage(head));
    return face && faces.describeFace(face);
  }),
);
const othersThan = (holder: Buffer): Buffer[] => {
  const own = templates[heads.indexOf(holder)];
  return heads.filter((_, i) => {
    const template = templates[i];
    return own && template && faces.compareFaces(own, template).distance > FACES.refuse;
  });
};

const FAMILIES = [
  (options: DrawOptions, random: Random) => drawPassport(randomPerson(random), options),
  (options: DrawOptions, random: Random) => drawIdentityCard(randomPerson(random), options),
  (options: DrawOptions, random: Random) => drawUsLicence(randomPerson(random), pick(random, US_STATES), options),
];

/** As a camera or a scanner takes it: one in three lies flat. */
const taken = async (front: Buffer, random: Random): Promise<Buffer> => {
  const seed = between(random, 1, 1e6);
  const flat = random() < 1 / 3;
  const photo = flat ? front : await photograph(front, { width: between(random, 1200, 1800), seed, quality: 95 });
  return degrade(photo, {
    seed,
    rotation: flat ? 0 : between(random, -4, 4),
    noise: between(random, 0, 6),
    quality: between(random, 65, 95),
  });
};

const counts = new Map<string, { pictures: number; noFace: number; OK: number; WARNING: number; UNVERIFIED: number }>();
const gaps = new Map<string, number[]>();

type Face = Parameters<typeof faces.describeFace>[0];
const distanceOf = async (one: Face, other: Face): Promise<number> =>
  faces.compareFaces(await faces.describeFace(one), await faces.describeFace(other)).distance;

/** Assesses one picture as the engine does; the first face's box, where there is one. */
const assessPicture = async (kind: string, name: string, picture: Buffer) => {
  const count = counts.get(kind) ?? { pictures: 0, noFace: 0, OK: 0, WARNING: 0, UNVERIFIED: 0 };
  counts.set(kind, count);
  count.pictures++;
  const page = await decodePage(picture);
  const [face, ...others] = await faces.findOnDocument(page, 0);
  if (!face) {
    count.noFace++;
    return undefined;
  }
  const second = await otherPortrait(faces, { face, others, isWhole: false });
  const traces = {
    ...tracesOf(page, 0, boxOnImage(face)),
    ...(second && { secondDistance: await distanceOf(face, second) }),
  };
  const status = substitutionIndicator(traces).replace('PORTRAIT_SUBSTITUTION_', '');
  if (status === 'OK' || status === 'WARNING' || status === 'UNVERIFIED') count[status]++;
  if (traces.historyGap !== undefined) gaps.set(kind, [...(gaps.get(kind) ?? []), traces.historyGap]);
  if (values.verbose) console.log(kind, name, status, JSON.stringify(traces));
  return face.box;
};

const again = (picture: Buffer, random: Random, width?: number): Promise<Buffer> =>
  sharp(picture)
    .resize(width ? { width } : {})
    .jpeg({ quality: between(random, 60, 97) })
    .toBuffer();

for (let i = 0; i < Number(values.count); i++) {
  const random = seeded(Number(values.seed) * 1000 + i);
  const draw = pick(random, FAMILIES);
  const holder = pick(random, heads);
  const other = pick(random, othersThan(holder));
  const take = async (options: DrawOptions) => taken((await draw(options, random)).front, random);
  const genuine = await take({ portrait: holder });
  const box = await assessPicture('genuine', String(i), genuine);
  await assessPicture('genuine, saved again', String(i), await again(genuine, random));
  await assessPicture('genuine, resized', String(i), await again(genuine, random, between(random, 900, 1400)));
  if (box) {
    const left = Math.max(0, Math.round(box.x - 0.35 * box.width));
    const top = Math.max(0, Math.round(box.y - 0.45 * box.height));
    const place = { left, top, width: Math.round(1.6 * box.width), height: Math.round(1.8 * box.height) };
    await assessPicture('pasted', String(i), await pastePortrait(genuine, place, other, random));
    await assessPicture('blended', String(i), await pastePortrait(genuine, place, other, random, true));
  }
  await assessPicture('re-printed', String(i), await take({ portrait: await reprintPortrait(other, random) }));
  const strength = 0.3 + 0.6 * random();
  await assessPicture(
    'second portrait, the same',
    String(i),
    await take({ portrait: holder, ghost: { portrait: holder, strength } }),
  );
  await assessPicture(
    'second portrait, another',
    String(i),
    await take({ portrait: other, ghost: { portrait: holder, strength } }),
  );
}
const random = seeded(Number(values.seed));
for (const file of values.samples ? await filesIn(values.samples) : []) {
  const picture = await readFile(file);
  await assessPicture('sample', file, picture);
  await assessPicture('sample, saved again', file, await again(picture, random));
  await assessPicture('sample, resized', file, await again(picture, random, between(random, 900, 1400)));
}
console.table(
  [...counts].map(([kind, { pictures, noFace, OK, WARNING, UNVERIFIED }]) => ({
    kind,
    noFace,
    warning: bounds(WARNING, pictures),
    ok: bounds(OK, pictures),
    unverified: UNVERIFIED,
    widestGap: Math.max(...(gaps.get(kind) ?? [])).toFixed(2),
  })),
);
process.exit(0);
