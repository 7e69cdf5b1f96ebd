import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { decodePage, measureImage, qualityRules as rules } from '@assay/engine/parts';
import sharp from 'sharp';
import { VARIANTS } from './engine/variants.ts';

// How often each check on a picture speaks, for good originals and for what it is meant to catch.
const { values, positionals } = parseArgs({
  options: {
    json: { type: 'string' },
    only: { type: 'string' },
    verbose: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
if (positionals.length === 0) {
  console.error('usage: tsx bench/engine-quality.ts FOLDER... [--json FILE]');
  process.exit(2);
}

const CHECKS = {
  BLUR: rules.blurOf,
  GLARE: rules.glareOf,
  DARK: rules.darknessOf,
  PHOTOCOPY: rules.photocopyOf,
  LCD: rules.lcdOf,
  SCREENSHOT: rules.screenshotOf,
};
type Check = keyof typeof CHECKS;

const files: string[] = [];
for (const folder of positionals)
  for (const name of (await readdir(folder)).sort())
    if (/\.(jpe?g|png)$/i.test(name) && !name.startsWith('selfie')) files.push(join(folder, name));

const rows: Record<string, string | number>[] = [];
const measured: { variant: string; file: string; measures: unknown }[] = [];
for (const [variant, make] of Object.entries(VARIANTS)) {
  if (values.only && !values.only.split(',').includes(variant)) continue;
  const counts = new Map<string, number>();
  let total = 0;
  for (const [i, file] of files.entries()) {
    const { width, height } = await sharp(file).metadata();
    if (Math.max(width, height) < 600) continue;
    const page = await decodePage(
      await make(
        await sharp(await readFile(file))
          .flatten({ background: '#fff' })
          .png()
          .toBuffer(),
        i,
      ),
    );
    const side = { measures: measureImage(page), rotation: 0 as const };
    measured.push({ variant, file, measures: side.measures });
    total++;
    for (const [check, rule] of Object.entries(CHECKS)) {
      const key = `${check} ${rule(side)}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
      if (values.verbose && variant === 'original' && /WARNING|FAILED/.test(key)) console.log(file, key);
    }
  }
  const row: Record<string, string | number> = { variant, total };
  for (const check of Object.keys(CHECKS) as Check[])
    row[check] = `${counts.get(`${check} WARNING`) ?? 0}w ${counts.get(`${check} FAILED`) ?? 0}f`;
  rows.push(row);
}
console.table(rows);
if (values.json) await writeFile(values.json, `${JSON.stringify({ rows, measured }, null, 1)}\n`);
process.exit(0);
