/**
 * `npm run screenshots`: plays the stories of the pages and puts their pictures, with few colours
 * so that they stay small, into docs/images.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { answerHelp } from './arguments.mjs';
import { root } from './build.mjs';

answerHelp(import.meta.filename);

const WIDEST = 1200;
const folder = mkdtempSync(join(tmpdir(), 'assay-screenshots-'));
const { status } = spawnSync('npm', ['test', '--', 'tests/(admin|console|capture|docs-page|start-page)'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, SCREENSHOTS: folder },
});
for (const name of readdirSync(folder)) {
  const { size } = await sharp(join(folder, name))
    .resize({ width: WIDEST, withoutEnlargement: true })
    .png({ palette: true, colours: 64, effort: 10, compressionLevel: 9 })
    .toFile(join(root, 'docs/images', name));
  console.log(`docs/images/${name} ${Math.round(size / 1024)} KB`);
}
rmSync(folder, { recursive: true });
process.exitCode = status ?? 1;
