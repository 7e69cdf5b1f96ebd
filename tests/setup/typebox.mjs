/**
 * typebox in three files, for tests: it comes as 700 small modules, and each test file would read
 * and link all of them again.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/build.mjs';

const { version } = JSON.parse(readFileSync(join(root, 'node_modules/typebox/package.json'), 'utf8'));
const folder = join(root, '.cache', `typebox-${version}`);
const ENTRIES = { typebox: 'typebox', value: 'typebox/value' };

/** Which file replaces which import (Jest's `moduleNameMapper`). */
export const typeboxInTests = Object.fromEntries(
  Object.entries(ENTRIES).map(([file, name]) => [`^${name}$`, join(folder, `${file}.mjs`)]),
);

/** Makes the files where they are not there yet. */
export const bundleTypebox = async () => {
  if (Object.values(typeboxInTests).every((file) => existsSync(file))) return;
  const { build } = await import('esbuild');
  await build({
    absWorkingDir: root,
    entryPoints: ENTRIES,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
  });
};
