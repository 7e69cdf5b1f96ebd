/**
 * `npm run screenshots [-- STORY...]`: plays the stories of the pages (of STORY alone, such as
 * admin or console, where some are named) and puts their pictures, with few colours so that they
 * stay small, into docs/images; a page with four looks also into docs/images/looks, side by side.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { answerHelp } from './arguments.mjs';
import { root } from './build.mjs';

answerHelp(import.meta.filename);

const WIDEST = 1200;
const STORIES = ['admin', 'console', 'capture', 'capture-habits', 'docs-page', 'start-page'];
const named = process.argv.slice(2);
const stories = named.length > 0 ? named : STORIES;
const folder = mkdtempSync(join(tmpdir(), 'assay-screenshots-'));
const { status } = spawnSync('npm', ['test', '--', `tests/(${stories.join('|')}).test`], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, SCREENSHOTS: folder },
});

const store = async (image, file) => {
  const { size } = await image
    .png({ palette: true, colours: 64, effort: 10, compressionLevel: 9 })
    .toFile(join(root, 'docs/images', file));
  console.log(`docs/images/${file} ${Math.round(size / 1024)} KB`);
};

const ROW_HEIGHT = 480;
const GAP = 16;
const GREY = '#9aa0a6';
/** The looks of one page side by side, in the order of their names. */
const sideBySide = async (files) => {
  const parts = [];
  let left = GAP;
  for (const file of files) {
    const { data, info } = await sharp(join(folder, file))
      .resize({ height: ROW_HEIGHT })
      .toBuffer({ resolveWithObject: true });
    parts.push({ input: data, left, top: GAP });
    left += info.width + GAP;
  }
  const sheet = sharp({ create: { width: left, height: ROW_HEIGHT + 2 * GAP, channels: 3, background: GREY } });
  return sharp(await sheet.composite(parts).png().toBuffer());
};

mkdirSync(join(root, 'docs/images/looks'), { recursive: true });
const files = readdirSync(folder).sort();
for (const name of files.filter((file) => !file.includes('@')))
  await store(sharp(join(folder, name)).resize({ width: WIDEST, withoutEnlargement: true }), name);
for (const name of new Set(files.flatMap((file) => (file.includes('@') ? [file.split('@')[0]] : []))))
  await store(await sideBySide(files.filter((file) => file.startsWith(`${name}@`))), `looks/${name}.png`);
rmSync(folder, { recursive: true });
process.exitCode = status ?? 1;
