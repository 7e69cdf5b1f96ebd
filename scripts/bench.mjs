/**
 * node scripts/bench.mjs NAME [arguments]
 *
 * Runs a benchmark of the engine as what it measures runs: in a bundle beside the engine's, which
 * looks for its models and its processes there.
 */
import { join } from 'node:path';
import { answerHelp } from './arguments.mjs';
import { build, root } from './build.mjs';
import { runBundled } from './bundled.mjs';

const [name] = process.argv.splice(2, 1);
if (!name) {
  console.error('usage: node scripts/bench.mjs NAME [arguments]');
  process.exit(2);
}
answerHelp(join(root, 'bench', `${name}.ts`));
await build(({ folder }) => folder === 'libs/engine');
await runBundled(`bench/${name}.ts`, { folder: 'libs/engine/dist', name: `bench-${name}` });
