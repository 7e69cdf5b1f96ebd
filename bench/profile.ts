/**
 * npm run bench:profile [-- --of text|chip|portrait] [--out DIR] [--times N] [--top N]
 *
 * Starts a suite of its own, goes so many paths in a row, and records where the processor time of
 * each service goes meanwhile. A path is a text (creation, consents, text up to its webhook), or a
 * chip from session to stable status, without a portrait or with one. For each service there are
 * then a flame graph (SVG) and a `.cpuprofile`, which speedscope and the developer tools of a
 * browser open; the largest costs are printed, in milliseconds of one path.
 *   --of PATH    which path: text, chip, or portrait for a chip with one (text)
 *   --out DIR    where pictures and profiles go (.run/profile)
 *   --times N    paths that are recorded (100)
 *   --top N      functions that are printed for each service (12)
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openCostRounds, readStack, waitFor } from '@assay/testing';
import { readArguments } from '../scripts/arguments.mjs';
import { openChipPath } from './chip/path.ts';
import { onSuite } from './on-suite.ts';
import { flameOf } from './profile/flame.ts';
import { framesOf, ownBy, type Profile } from './profile/reading.ts';

const options = readArguments(import.meta.filename, {
  of: { type: 'string', default: 'text' },
  out: { type: 'string', default: '.run/profile' },
  times: { type: 'string', default: '100' },
  top: { type: 'string', default: '12' },
});
const [times, top] = [Number(options.times), Number(options.top)];
const root = join(import.meta.dirname, '..');
const out = resolve(root, options.out);
const recorder = pathToFileURL(join(import.meta.dirname, 'profile/recorder.mjs')).href;

const profileOf = (service: string): string => join(out, `${service}.cpuprofile`);
const signalAll = (): void => {
  for (const { pid } of Object.values(readStack().services).flat()) process.kill(pid, 'SIGUSR2');
};

/** What is recorded: `ready` gives a row of paths that needs nothing but to be gone. */
interface Path {
  ready(): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

const openTexts = async (): Promise<Path> => {
  const { paths, close } = await openCostRounds();
  return { ready: async () => () => paths(times), close };
};

const openChips = async (portrait: boolean): Promise<Path> => {
  const { subjects, bring } = await openChipPath({ portrait });
  const ready = async () => {
    const made = await subjects(times);
    return async () => {
      for (const subject of made) await bring(subject);
    };
  };
  return { ready, close: async () => undefined };
};

const PATHS: Record<string, () => Promise<Path>> = {
  text: openTexts,
  chip: () => openChips(false),
  portrait: () => openChips(true),
};
const openPath = PATHS[options.of];
if (!openPath) throw new Error(`--of is one of ${Object.keys(PATHS).join(', ')}`);

const record = async (): Promise<string[]> => {
  const services = Object.keys(readStack().services);
  const path = await openPath();
  const warm = await path.ready();
  await warm();
  const go = await path.ready();
  for (const service of services) rmSync(profileOf(service), { force: true });
  signalAll();
  await go();
  signalAll();
  await waitFor('the profiles', () => services.every((service) => existsSync(profileOf(service))), 60_000);
  await path.close();
  return services;
};

const show = (service: string): void => {
  const frames = framesOf(JSON.parse(readFileSync(profileOf(service), 'utf8')) as Profile);
  const each = (ms: number): string => (ms / times).toFixed(2);
  writeFileSync(join(out, `${service}.svg`), flameOf(`${service}: ${each(frames.totalMs)} ms of one path`, frames));
  console.log(`\n${service}: ${each(frames.totalMs)} ms of one path`);
  const places = ownBy(frames, ({ place }) => place).slice(0, top);
  console.log(`  ${places.map(([place, ms]) => `${place} ${each(ms)}`).join(', ')}`);
  for (const [name, ms] of ownBy(frames, (frame) => `${frame.name} (${frame.place})`).slice(0, top))
    console.log(`  ${each(ms).padStart(6)} ${name}`);
};

mkdirSync(out, { recursive: true });
const report = async (): Promise<void> => {
  for (const service of await record()) show(service);
  console.log(`\nflame graphs and profiles: ${out}`);
};
await onSuite(report, {
  env: { ASSAY_PROFILES: out, SUITE_NODE_ARGUMENTS: `--import ${recorder}` },
});
