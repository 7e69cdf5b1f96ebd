/**
 * npm run simulate [-- --seeds N] [--from SEED] [--until-found] [--shrink] [--trace] [--json]
 *
 * Runs the six services in this process over a simulated store, broker and network, under a virtual
 * clock. Each seed draws the clients' work and the faults; the same seed gives the same run. Prints
 * every seed that broke a promise, with what it broke, and ends with 1 where there is one. Many
 * seeds are run by a process for each processor.
 *   --seeds N      how many (200)
 *   --from SEED    the first one (1)
 *   --until-found  ends with the first seed that broke a promise
 *   --shrink       takes away from each failing run what it does not need, and prints what is left
 *   --scenario J   the clients, rates and times of this JSON in place of those the seeds draw
 *   --one-process  runs all in this process
 *   --tied         ends when its standard input does: with the program that started it
 *   --trace        prints what happened in the run of the first seed, event by event
 *   --json         prints the results as one line of JSON
 */
import './world/globals.ts';
import { readArguments } from '../../scripts/arguments.mjs';
import type { Scenario } from './scenario.ts';
import { runInShares, type SeedResult, SHARED_FROM } from './shares.ts';
import { realMs } from './world/real.ts';

const values = readArguments(import.meta.filename, {
  seeds: { type: 'string', default: '200' },
  from: { type: 'string', default: '1' },
  'until-found': { type: 'boolean', default: false },
  shrink: { type: 'boolean', default: false },
  scenario: { type: 'string', default: '{}' },
  'one-process': { type: 'boolean', default: false },
  tied: { type: 'boolean', default: false },
  trace: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
});
if (values.tied) process.stdin.once('end', () => process.exit(1)).resume();
// Whatever asks for time or randomness is loaded after those were replaced.
const { runSeed } = await import('./run.ts');
const { described, shrink } = await import('./shrink.ts');
const given: Partial<Scenario> = JSON.parse(values.scenario);

/** One seed after the other, in this process. */
const runHere = async (from: number, seeds: number): Promise<SeedResult[]> => {
  const results: SeedResult[] = [];
  for (let seed = from; seed < from + seeds; seed += 1) {
    const { lines, ...result } = await runSeed(seed, { scenario: given, recordsLines: values.trace });
    results.push(result);
    for (const line of lines) console.log(line);
    for (const finding of result.findings) console.log(`seed ${seed}: ${finding}`);
    if (values.shrink && result.findings.length > 0)
      for (const line of described(await shrink((next, scenario) => runSeed(next, { scenario }), result)))
        console.log(line);
    if (values['until-found'] && result.findings.length > 0) break;
  }
  return results;
};

const from = Number(values.from);
const seeds = values.trace ? 1 : Number(values.seeds);
const untilFound = values['until-found'];
const flags = (['until-found', 'shrink'] as const).flatMap((name) => (values[name] ? [`--${name}`] : []));
const args = [...flags, '--scenario', values.scenario];
const print = (text: string): void => void process.stdout.write(text);
const startedAt = realMs();
const results =
  seeds > SHARED_FROM && !values['one-process']
    ? await runInShares({ from, seeds, args, untilFound, print })
    : await runHere(from, seeds);
const bad = results.filter(({ findings }) => findings.length > 0);
const sum = (count: (result: SeedResult) => number): number => results.reduce((all, one) => all + count(one), 0);
const seconds = Math.round((realMs() - startedAt) / 1000);
if (values.json) console.log(JSON.stringify({ results }));
else
  console.log(
    `${results.length} seeds from ${from}: ${bad.length} with findings${bad.length > 0 ? ` (${bad.map(({ seed }) => seed).join(', ')})` : ''}; ` +
      `${sum(({ accepted }) => accepted)} submissions accepted, ${sum(({ events }) => events)} events, ${seconds} s`,
  );
// Promises of dead processes never settle and need no end. What was printed must reach the reader
// of a pipe before this process exits.
process.stdout.write('', () => process.exit(bad.length > 0 ? 1 : 0));
