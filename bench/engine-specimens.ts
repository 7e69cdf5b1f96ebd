/**
 * npm run bench:specimens [-- --count N] [--seed N] [--only KIND] [--json FILE] [--verbose]
 *
 * Draws specimens of each family at random, photographs them badly, forges some, and counts how
 * many are read right, how many forgeries are stopped and how many portraits match.
 *   --only KIND   forgeries of this kind alone
 */

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { todayAt } from '@assay/contracts';
import {
  decodePage,
  indicatorsOf,
  modelsFolder,
  openFaceEngine,
  openReadingEngine,
  readDocument,
} from '@assay/engine/parts';
import { ALTERABLE_FIELDS, type Alteration, pick, STATE_FIELDS, seeded } from '@assay/specimens';
import { bounds } from './engine/bounds.ts';
import { blockers } from './engine/policy.ts';
import { drawSpecimen, FAMILIES, type Family, type Specimen } from './engine/specimens.ts';
import { FACES } from './engine/thresholds.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    json: { type: 'string' },
    verbose: { type: 'boolean', default: false },
  },
});
const count = Number(values.count);
const portraits = join(fileURLToPath(new URL('.', import.meta.url)), '../specimens/portraits');
const [portrait, otherPortrait] = await Promise.all(
  ['holder.jpg', 'other-portrait.jpg'].map((name) => readFile(join(portraits, name))),
);
const engine = await openReadingEngine();
const faces = await openFaceEngine(modelsFolder());
const [holder] = await faces.findFaces(await decodePage(await readFile(join(portraits, '../selfie-same.jpg'))));
const selfie = await faces.describeFace(holder!);
const TODAY = todayAt(new Date());

const read = async ({ front, back }: Specimen) => {
  const start = performance.now();
  const { reading } = await readDocument({
    front: await decodePage(front),
    ...(back && { back: await decodePage(back) }),
    details: {},
    today: TODAY,
    engine,
  });
  return { reading, indicators: indicatorsOf(reading), ms: performance.now() - start };
};

/**
 * Whether the holder's selfie would be found to match the portrait of the front without anybody
 * being asked.
 */
const matches = async ({ front }: Specimen): Promise<boolean> => {
  const [face] = await faces.findOnDocument(await decodePage(front));
  return face !== undefined && faces.compareFaces(selfie, await faces.describeFace(face)).distance <= FACES.match;
};

const isExact = ({ truth }: Specimen, { reading }: Awaited<ReturnType<typeof read>>): boolean => {
  const { data } = reading;
  const { machine } = truth;
  const names = [data.surname?.value, ...data.givenNames.map(({ value }) => value)].join(' ');
  const printed = [machine.surname, ...machine.givenNames].join(' ');
  // A name that fills its line is cut by the format, not by the reader.
  const cut = reading.mrz?.fields.nameTruncated === true && printed.startsWith(names);
  const wanted = [cut ? names : printed, machine.number, machine.birthDate, machine.expiryDate];
  const seen = [names, data.documentNumber?.value, data.birthDate?.value, data.expiryDate?.value];
  return (
    wanted.every((value, i) => value === seen[i]) && (!truth.mrz || truth.mrz.join() === reading.mrz?.lines.join())
  );
};

/** A card of the specimens prints no code of the state that issued it. */
const STATES_PRINTED: Record<Family, readonly (typeof STATE_FIELDS)[number][]> = {
  passport: STATE_FIELDS,
  'identity-card': ['nationality'],
  'us-licence': [],
};

const alterations = (family: Family): Alteration[] => [
  ...[...ALTERABLE_FIELDS, ...STATES_PRINTED[family]].flatMap((field): Alteration[] => [
    { kind: 'visual', field },
    { kind: 'machine', field },
  ]),
  ...(family === 'us-licence'
    ? []
    : (['number', 'birthDate', 'expiryDate', 'composite'] as const).map(
        (field): Alteration => ({ kind: 'check-digit', field }),
      )),
  { kind: 'expired' },
  { kind: 'portrait' },
];

const summary: Record<string, unknown>[] = [];
for (const family of FAMILIES) {
  const forgeries = alterations(family).filter(({ kind }) => kind === (values.only ?? kind));
  if (forgeries.length === 0) continue;
  const random = seeded(Number(values.seed) * 1000 + FAMILIES.indexOf(family));
  const times: number[] = [];
  let exact = 0;
  let passed = 0;
  let matched = 0;
  let caught = 0;
  const missed: string[] = [];
  for (let i = 0; i < count; i++) {
    const genuine = await drawSpecimen(
      family,
      { portrait: portrait!, otherPortrait: otherPortrait! },
      random,
      undefined,
    );
    const seen = await read(genuine);
    times.push(seen.ms);
    const why = blockers(seen.indicators);
    if (isExact(genuine, seen)) exact++;
    else if (values.verbose)
      console.log(family, i, 'not exact', seen.reading.mrz?.lines ?? seen.reading.data, genuine.truth.machine);
    if (await matches(genuine)) matched++;
    if (why.length === 0) passed++;
    else if (values.verbose)
      console.log(
        family,
        i,
        'genuine but blocked by',
        why.join(' '),
        seen.reading.visual.lines.map(({ text }) => text).join(' | '),
      );
    const alter = pick(random, forgeries);
    const forged = await drawSpecimen(family, { portrait: portrait!, otherPortrait: otherPortrait! }, random, alter);
    const looked = await read(forged);
    const stopped = blockers(looked.indicators).length > 0 || (alter.kind === 'portrait' && !(await matches(forged)));
    if (stopped) caught++;
    else missed.push(JSON.stringify(alter));
    if (values.verbose && !stopped)
      console.log(
        family,
        i,
        'passed altered',
        JSON.stringify(alter),
        JSON.stringify(forged.truth.printed),
        JSON.stringify(forged.truth.machine),
        JSON.stringify(looked.reading.visual.checks),
      );
  }
  times.sort((a, b) => a - b);
  summary.push({
    family,
    exact: bounds(exact, count),
    passed: bounds(passed, count),
    selfieMatched: bounds(matched, count),
    alteredStopped: bounds(caught, count),
    missed,
    medianMs: Math.round(times[count >> 1]!),
    p95Ms: Math.round(times[Math.floor(count * 0.95)]!),
  });
}
console.table(summary.map(({ missed, ...row }) => ({ ...row, missed: (missed as string[]).length })));
if (values.json) await writeFile(values.json, `${JSON.stringify(summary, null, 2)}\n`);
process.exit(0);
