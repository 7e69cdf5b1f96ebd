/**
 * npm run fuzz [-- --seconds N] [--target NAME] [--seed N]
 *
 * Reads mutated inputs for N seconds a target (60 by default). An input that breaks a promise is
 * written to the corpus, and the run ends with 1.
 */
import { createHash, randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readArguments } from '../../../scripts/arguments.mjs';
import { corpusFolder, fuzz } from './fuzz.ts';
import { openTargets } from './targets.ts';

const values = readArguments(import.meta.filename, {
  seconds: { type: 'string', default: '60' },
  target: { type: 'string' },
  seed: { type: 'string', default: String(randomInt(2 ** 31)) },
});
const { targets, close } = openTargets();
for (const target of targets.filter(({ name }) => values.target === undefined || name === values.target)) {
  const { inputs, finding } = await fuzz(target, {
    seed: Number(values.seed),
    budgetMs: Number(values.seconds) * 1000,
  });
  console.log(`${target.name}: ${inputs} inputs, seed ${values.seed}${finding ? `, ${finding.reason}` : ''}`);
  if (!finding) continue;
  const file = join(corpusFolder(target.name), createHash('sha256').update(finding.input).digest('hex').slice(0, 16));
  writeFileSync(file, finding.input);
  console.log(`  written to ${file}`);
  process.exitCode = 1;
}
await close();
