/** node scripts/simulate.mjs [arguments]: runs the simulation, tests/simulation/main.ts. */
import { join } from 'node:path';
import { answerHelp } from './arguments.mjs';
import { root } from './build.mjs';
import { runBundled } from './bundled.mjs';

answerHelp(join(root, 'tests/simulation/main.ts'));
await runBundled('tests/simulation/main.ts', { folder: '.cache/simulation', name: 'main' });
