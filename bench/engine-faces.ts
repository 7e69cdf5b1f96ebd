import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { FaceTemplate } from '@assay/engine';
import { decodePage, type FaceEngine, modelsFolder, openFaceEngine } from '@assay/engine/parts';
import { between, degrade, drawIdentityCard, drawPassport, randomPerson, seeded } from '@assay/specimens';
import sharp, { type Sharp } from 'sharp';
import { compareFusions } from './engine/fusion.ts';
import { FACES } from './engine/thresholds.ts';
import { median } from './figures.ts';

/**
 * What docs/faces.md reports beside the pairs of `bench:engine`: selfie rules on degraded
 * portraits, portraits of degraded specimens against their holder and somebody else, and the cost
 * of each step. `node scripts/bench.mjs engine-faces [--portraits FOLDER] [--specimens 40] [--first
 * 1]`; with `--set FOLDER [--documents 8]` other fusions of the two nets on that set's people
 * instead.
 */
const { values } = parseArgs({
  options: {
    portraits: { type: 'string' },
    specimens: { type: 'string', default: '40' },
    first: { type: 'string', default: '1' },
    set: { type: 'string' },
    documents: { type: 'string', default: '8' },
  },
});
const specimens = path.resolve(import.meta.dirname, '../specimens');
const read = (name: string) => readFile(path.join(specimens, name));
const engine = await openFaceEngine(modelsFolder());

async function described(faces: FaceEngine, image: Buffer): Promise<FaceTemplate | undefined> {
  const [face] = await faces.findOnDocument(await decodePage(image));
  return face && faces.describeFace(face);
}

async function onSpecimens(count: number): Promise<void> {
  const portrait = await read('portraits/holder.jpg');
  const holder = await described(engine, await read('selfie-same.jpg'));
  const other = await described(engine, await read('selfie-other.jpg'));
  if (!holder || !other) throw new Error('no face on the selfies');
  const same: number[] = [];
  const different: number[] = [];
  let missed = 0;
  for (let seed = Number(values.first); seed < Number(values.first) + count; seed++) {
    const random = seeded(seed);
    const draw = seed % 2 ? drawPassport : drawIdentityCard;
    const { front } = await draw(randomPerson(random), { portrait });
    const taken = await degrade(front, {
      quality: between(random, 60, 90),
      rotation: between(random, -15, 15),
      perspective: 0.05,
      blur: 0.3 + random(),
      noise: between(random, 0, 10),
      seed,
    });
    const template = await described(engine, taken);
    if (!template) missed++;
    else {
      same.push(engine.compareFaces(template, holder).distance);
      different.push(engine.compareFaces(template, other).distance);
    }
  }
  console.log(
    `degraded specimens: ${count}, no face ${missed}; holder at or under ${FACES.match}: ${same.filter((d) => d <= FACES.match).length}, ` +
      `above ${FACES.refuse}: ${same.filter((d) => d > FACES.refuse).length}, median ${median(same).toFixed(3)}, worst ${Math.max(...same).toFixed(3)}; ` +
      `somebody else at or under ${FACES.refuse}: ${different.filter((d) => d <= FACES.refuse).length}, nearest ${Math.min(...different).toFixed(3)}`,
  );
}

const jpeg = (image: Sharp) => image.jpeg({ quality: 90 }).toBuffer();
const VARIANTS: Record<string, (image: Buffer, faceWidth: number) => Promise<Buffer>> = {
  'as it is': (image) => jpeg(sharp(image)),
  'blur, 1.2 % of the face': (image, width) => jpeg(sharp(image).blur(Math.max(0.4, width * 0.012))),
  'blur, 2.5 % of the face': (image, width) => jpeg(sharp(image).blur(Math.max(0.4, width * 0.025))),
  'light x 0.18': (image) => jpeg(sharp(image).linear(0.18, 0)),
  'over-exposed': (image) => jpeg(sharp(image).linear(1.6, 80)),
  'face of 80 px': async (image, width) => {
    const { width: whole = 1 } = await sharp(image).metadata();
    return jpeg(sharp(image).resize(Math.max(1, Math.round((whole * 80) / width))));
  },
  'turned by 30 degrees': (image) => jpeg(sharp(image).rotate(30, { background: '#777' })),
};

async function rules(files: string[]): Promise<void> {
  for (const [name, variant] of Object.entries(VARIANTS)) {
    let refused = 0;
    const reasons = new Map<string, number>();
    for (const file of files) {
      const image = await sharp(await readFile(file))
        .rotate()
        .resize(1600, 1600, { fit: 'inside', withoutEnlargement: true })
        .jpeg({ quality: 95 })
        .toBuffer();
      const [face] = await engine.findFaces(await decodePage(image));
      const seen = await engine.findFaces(await decodePage(await variant(image, face?.box.width ?? 200)));
      const { refusals } = engine.portraitQuality(seen).assessment;
      if (refusals.length > 0) refused++;
      for (const refusal of refusals) reasons.set(refusal, (reasons.get(refusal) ?? 0) + 1);
    }
    console.log(`${name}: refused ${refused} of ${files.length}`, Object.fromEntries(reasons));
  }
}

/**
 * Processor time, which other work on the machine does not lengthen as much as it does the clock.
 */
async function costs(rounds: number): Promise<void> {
  const page = await decodePage(await read('selfie-same.jpg'));
  const spent: Record<string, number[]> = { find: [], assess: [], describe: [], crop: [] };
  const time = async <Value>(step: string, work: () => Promise<Value> | Value): Promise<Value> => {
    const before = process.cpuUsage();
    const value = await work();
    const { user, system } = process.cpuUsage(before);
    spent[step]?.push((user + system) / 1000);
    return value;
  };
  for (let round = 0; round < rounds; round++) {
    const faces = await time('find', () => engine.findFaces(page));
    await time('assess', () => engine.portraitQuality(faces));
    const [face] = faces;
    if (!face) continue;
    await time('describe', () => engine.describeFace(face));
    await time('crop', () => engine.cropPortrait(face));
  }
  for (const [step, list] of Object.entries(spent)) {
    console.log(
      `${step}: median ${median(list).toFixed(1)} ms, least ${Math.min(...list).toFixed(1)} ms of processor time`,
    );
  }
}

if (values.set) {
  await compareFusions(engine, values.set, Number(values.documents));
  process.exit(0);
}
await costs(20);
await onSpecimens(Number(values.specimens));
if (values.portraits) {
  const names = (await readdir(values.portraits)).filter((name) => /\.(jpe?g|png)$/i.test(name));
  await rules(names.map((name) => path.join(values.portraits ?? '', name)));
}
