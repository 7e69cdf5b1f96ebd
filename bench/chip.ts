/**
 * npm run bench:chip [-- --json FILE] [--chips N] [--load N] [--clients N] [--counts]
 *                       [--mutants N] [--seed N]
 *
 * Measures what checking chips costs. First mutants of real security objects, each timed by itself
 * and the slowest again. Then chips of a software authority on a suite of its own, without a
 * portrait and with one: one after the other, the processor time of its services, their processes
 * included, from session to stable status, less what they take idle; and by several clients at
 * once, how many a second by the clock, and the processor time of all, the clients included. What
 * else runs on the machine slows the clock and not the processor time.
 *   --json FILE    writes the figures as JSON
 *   --chips N      chips one after the other, 0 for no suite (40)
 *   --load N       chips that are brought at once, 0 for none (200)
 *   --clients N    by so many clients (16)
 *   --counts       counts commands, messages and requests of one chip on another suite
 *   --mutants N    mutants of real security objects (10000)
 *   --seed N       of the mutants (1)
 */
import { writeFileSync } from 'node:fs';
import { readArguments } from '../scripts/arguments.mjs';
import { measureMutants } from './chip/mutants.ts';
import { countChip, measureChips } from './chip/suite.ts';
import { onSuite } from './on-suite.ts';

const options = readArguments(import.meta.filename, {
  json: { type: 'string' },
  chips: { type: 'string', default: '40' },
  load: { type: 'string', default: '200' },
  clients: { type: 'string', default: '16' },
  counts: { type: 'boolean', default: false },
  mutants: { type: 'string', default: '10000' },
  seed: { type: 'string', default: '1' },
});

/** The same without a portrait and with one. */
const both = async <T>(measure: (portrait: boolean) => Promise<T>) => ({
  withoutPortrait: await measure(false),
  withPortrait: await measure(true),
});

const mutants = measureMutants(Number(options.mutants), Number(options.seed));
console.log('mutants of real security objects');
console.table([mutants]);

const sizes = { chips: Number(options.chips), load: Number(options.load), clients: Number(options.clients) };
const suite = sizes.chips > 0 ? await onSuite(() => both((portrait) => measureChips(portrait, sizes))) : undefined;
for (const [name, measured] of Object.entries(suite ?? {}))
  for (const [way, { each, ...figures }] of Object.entries(measured)) {
    console.log(`${name}, ${way}`);
    console.table([figures]);
    console.table([each]);
  }

const counts = options.counts ? await onSuite(() => both(countChip), { env: { MONGO_COUNT: '1' } }) : undefined;
for (const [name, { totals, ...parts }] of Object.entries(counts ?? {})) {
  console.log(`${name}, counted`);
  console.table([totals]);
  console.log(parts);
}

if (options.json) writeFileSync(options.json, `${JSON.stringify({ mutants, ...suite, counts }, null, 2)}\n`);
