/**
 * npm run catalogue
 *
 * Writes docs/catalogue.md from the code.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answerHelp } from '../../../scripts/arguments.mjs';
import { page } from './page.ts';

answerHelp(import.meta.filename);

writeFileSync(join(import.meta.dirname, '../../../docs/catalogue.md'), page());
