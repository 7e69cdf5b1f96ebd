/**
 * npm run references
 *
 * Writes the references that are made from the code: configuration, settings, metrics and the
 * example of an environment.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answerHelp } from '../../../scripts/arguments.mjs';
import { PAGES } from './pages.ts';
import { root } from './sources.ts';

answerHelp(import.meta.filename);

for (const [path, make] of Object.entries(PAGES)) {
  writeFileSync(join(root, path), make());
  console.log(`wrote ${path}`);
}
