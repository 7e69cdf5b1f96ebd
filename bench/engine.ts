/**
 * npm run bench:engine -- --set FOLDER [--json FILE] [--verbose]
 *
 * Reads every picture and text that the index of a set of your own names, with our engine and with
 * the peers that are installed, and counts what is right: with each count, the bounds between which
 * the true rate lies with 95 %.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { bounds } from './engine/bounds.ts';
import { ownRunners, type Runner } from './engine/own.ts';
import { peerResults } from './engine/peers.ts';
import {
  type Entry,
  KINDS,
  type Kind,
  type KindResult,
  nameOf,
  pathsOf,
  readSet,
  summarise,
  type Timed,
} from './engine/set.ts';

/**
 * Read before anything is measured: a program's first pages take twice as long as the same pages
 * later, and a service runs for weeks.
 */
const WARM_UP = 30;
/**
 * Each file is read so often, and its time is the one in the middle: the machine does other things
 * as well.
 */
const TIMES = 3;

const { values } = parseArgs({
  options: { set: { type: 'string' }, json: { type: 'string' }, verbose: { type: 'boolean', default: false } },
});
if (!values.set) {
  console.error('usage: npm run bench:engine -- --set FOLDER [--json FILE] [--verbose]');
  process.exit(2);
}
const folder = values.set;

const timed = async (run: Runner, entry: Entry): Promise<Timed> => {
  const start = performance.now();
  const outcome = await run(entry, pathsOf(folder, entry)).catch((error: unknown) => {
    console.log(`  ${nameOf(entry)}: ${error instanceof Error ? error.message : String(error)}`);
    return { right: false, falseValid: false };
  });
  return { ...outcome, file: nameOf(entry), ms: performance.now() - start };
};

const measure = async (run: Runner, entries: readonly Entry[]): Promise<KindResult> => {
  for (const entry of entries.slice(0, WARM_UP)) await timed(run, entry);
  const results: Timed[] = [];
  for (const entry of entries) {
    const times: Timed[] = [];
    for (let n = 0; n < TIMES; n++) times.push(await timed(run, entry));
    const middle = times.toSorted((a, b) => a.ms - b.ms)[TIMES >> 1]!;
    const right = times.every((time) => time.right);
    results.push({ ...middle, right, falseValid: times.some(({ falseValid }) => falseValid) });
  }
  return summarise(results);
};

const row = (name: string, kind: string, { right, total, falseValid, medianMs, p95Ms }: KindResult) => ({
  engine: name,
  kind,
  right: bounds(right, total),
  falseValid,
  medianMs,
  p95Ms,
});

const entries = await readSet(folder);
const known = entries.filter(({ kind }) => KINDS.includes(kind as Kind));
for (const kind of new Set(entries.filter((entry) => !known.includes(entry)).map((entry) => entry.kind)))
  console.log(`Entries of kind ${kind} are skipped.`);

const runners = await ownRunners();
const kinds: Partial<Record<Kind, KindResult>> = {};
for (const kind of KINDS) {
  const some = known.filter((entry) => entry.kind === kind);
  if (some.length) kinds[kind] = await measure(runners[kind], some);
}
const peakMemoryMb = Math.round(process.resourceUsage().maxRSS / 1024);
const peers = peerResults(folder, known);

console.table([
  ...Object.entries(kinds).map(([kind, result]) => row('assay', kind, result)),
  ...Object.entries(peers).flatMap(([name, results]) =>
    Object.entries(results).map(([kind, result]) => row(name, kind, result)),
  ),
]);
for (const [kind, { wrong }] of Object.entries(kinds))
  if (wrong.length) console.log(`Not right, ${kind}: ${wrong.join(', ')}`);
console.log(
  `Peak memory of this process: ${peakMemoryMb} MB. Each file was read ${TIMES} times and counts with its middle time, after up to ${WARM_UP} of its kind unmeasured.`,
);
if (values.json) await writeFile(values.json, `${JSON.stringify({ kinds, peers, peakMemoryMb }, null, 2)}\n`);
process.exit(0);
