import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PAGES } from './pages.ts';
import { root } from './sources.ts';

for (const [path, make] of Object.entries(PAGES)) {
  writeFileSync(join(root, path), make());
  console.log(`wrote ${path}`);
}
