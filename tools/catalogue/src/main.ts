/** `npm run catalogue`: writes docs/catalogue.md. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { page } from './page.ts';

writeFileSync(join(import.meta.dirname, '../../../docs/catalogue.md'), page());
