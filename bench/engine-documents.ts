/**
 * `npm run bench:documents [-- --json FILE] [--rounds N]`: the whole document pipeline on a
 * photograph of twelve megapixels: against the sum of its bare parts, in engine processes one and
 * two, and what a selfie and its comparison take. All in one run: machines are noisy, ratios less
 * so.
 */

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { todayAt } from '@assay/contracts';
import { isUnreadable } from '@assay/engine';
import {
  decodePage,
  measureImage,
  openFaceEngine,
  openProcessPool,
  openReadingEngine,
  outlineOf,
  type ProcessPool,
  readDocument,
  readMrz,
} from '@assay/engine/parts';
import sharp from 'sharp';
import { median, rounded } from './figures.ts';

const { values } = parseArgs({ options: { json: { type: 'string' }, rounds: { type: 'string', default: '15' } } });
const rounds = Number(values.rounds);
const root = join(import.meta.dirname, '..');
const models = join(root, 'libs/engine/models');
const today = todayAt(new Date());

/** The specimen as a phone would take it: 4000 by 3000 pixels, on a table, with noise. */
const photograph = async (): Promise<Buffer> => {
  const document = await sharp(await readFile(join(root, 'specimens/passport.jpg')))
    .resize({ width: 3500, height: 2600, fit: 'inside' })
    .toBuffer();
  const noise = await sharp({
    create: {
      width: 4000,
      height: 3000,
      channels: 3,
      background: '#6b5a48',
      noise: { type: 'gaussian', mean: 128, sigma: 6 },
    },
  })
    .png({ compressionLevel: 1 })
    .toBuffer();
  return sharp({ create: { width: 4000, height: 3000, channels: 3, background: '#6b5a48' } })
    .composite([{ input: document }, { input: noise, blend: 'soft-light' }])
    .jpeg({ quality: 88 })
    .toBuffer();
};

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};

/** One warm round, then the median of the others. */
const measured = async (work: () => Promise<unknown>): Promise<number> => {
  await timed(work);
  const times: number[] = [];
  for (let i = 0; i < rounds; i++) times.push(await timed(work));
  return median(times);
};

const perSecond = async (pool: ProcessPool, front: Buffer, processes: number): Promise<number> => {
  const jobs = 6;
  const ms = await timed(() =>
    Promise.all(
      Array.from({ length: processes }, async () => {
        for (let i = 0; i < jobs; i++) await pool.run({ kind: 'document', job: { front, details: {}, today } });
      }),
    ),
  );
  return (processes * jobs * 1000) / ms;
};

/** One process busy and two in turns, so that a machine that slows down meanwhile slows both. */
const throughput = async (front: Buffer) => {
  const pool = await openProcessPool({ size: 2 });
  await perSecond(pool, front, 2);
  const turns: { one: number; two: number }[] = [];
  for (let i = 0; i < 5; i++)
    turns.push({ one: await perSecond(pool, front, 1), two: await perSecond(pool, front, 2) });
  await pool.close();
  return {
    documentsPerSecond: {
      oneProcess: rounded(median(turns.map(({ one }) => one))),
      twoProcesses: rounded(median(turns.map(({ two }) => two))),
    },
    twoToOne: rounded(median(turns.map(({ one, two }) => two / one))),
  };
};

/**
 * What each part takes by itself, given its input ready made; reading print is timed within a whole
 * reading, call by call.
 */
const bareParts = async (front: Buffer, shared: Awaited<ReturnType<typeof openReadingEngine>>) => {
  const faces = await openFaceEngine(models);
  const page = await decodePage(front);
  const zone = () => readMrz(page, shared.recogniseLines, { today: today.latest, search: 'quick' });
  const mrz = await zone();
  let print = 0;
  const counted = <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) => {
    return async (...args: Args): Promise<Result> => {
      const start = performance.now();
      const result = await call(...args);
      print += performance.now() - start;
      return result;
    };
  };
  const ocr = { detect: counted(shared.ocr.detect), read: counted(shared.ocr.read) };
  const prints: number[] = [];
  await measured(async () => {
    print = 0;
    await readDocument({ front: page, details: {}, today, engine: { ...shared, ocr } });
    prints.push(print);
  });
  return {
    decode: await measured(() => decodePage(front)),
    mrz: await measured(zone),
    print: median(prints.slice(1)),
    quality: await measured(async () => measureImage(page, mrz && outlineOf(mrz))),
    portrait: await measured(async () => {
      const [face] = await faces.findOnDocument(page, 0);
      if (face) await Promise.all([faces.cropPortrait(face), faces.describeFace(face)]);
    }),
  };
};

const peakMb = async (pool: ProcessPool): Promise<number> => {
  const peaks = await Promise.all(pool.pids().map((pid) => readFile(`/proc/${pid}/status`, 'utf8')));
  return Math.max(...peaks.map((status) => Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024));
};

const front = await photograph();
const selfie = await readFile(join(root, 'specimens/selfie-same.jpg'));

const engine = await openReadingEngine();
const parts = await bareParts(front, engine);
await engine.close();
const sum = Object.values(parts).reduce((total, ms) => total + ms, 0);

const one = await openProcessPool({ size: 1 });
const seen = await one.run({ kind: 'document', job: { front, details: {}, today } });
if (isUnreadable(seen) || !seen.reading.mrz?.valid || !seen.portrait?.template)
  throw new Error('the photograph was not read: nothing that follows would count');
const { template } = seen.portrait;
const whole = await measured(() => one.run({ kind: 'document', job: { front, details: {}, today } }));
const match = await measured(async () => {
  const portrait = await one.run({ kind: 'portrait', job: { image: selfie } });
  if (!isUnreadable(portrait) && portrait.template)
    await one.run({ kind: 'compare', a: template, b: portrait.template });
});
const memory = await peakMb(one);
await one.close();

const figures = {
  bareParts: Object.fromEntries(Object.entries(parts).map(([name, ms]) => [name, rounded(ms)])),
  sumOfPartsMs: rounded(sum),
  wholeMs: rounded(whole),
  wholeToParts: rounded(whole / sum),
  portraitMatchMs: rounded(match),
  ...(await throughput(front)),
  peakMemoryMb: Math.round(memory),
};
console.log(figures);
if (values.json) await writeFile(values.json, `${JSON.stringify(figures, null, 2)}\n`);
process.exit(0);
