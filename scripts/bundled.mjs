/**
 * Runs a program of the repository as services run: bundled, with the packages of others outside.
 * tsx gives every inner function its name anew each time it is made, and reads each file by itself:
 * that slows a program that computes by a third.
 */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { othersOutside } from './packages.mjs';
import { root } from './programs.mjs';

/** Programs look for their own files beside their source, also in a bundle. */
const besideTheirSources = {
  name: 'beside-their-sources',
  setup: (esbuild) => {
    esbuild.onLoad({ filter: /\/(bench|tests|tools)\/.*\.ts$/ }, async ({ path }) => ({
      loader: 'ts',
      contents: (await readFile(path, 'utf8'))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
        .replaceAll('import.meta.filename', JSON.stringify(path))
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)),
    }));
  },
};

/**
 * Bundles `entry` into `folder` as `NAME.js` and runs it in this process. What it imports
 * dynamically is in files of its own, and runs when it is asked for. Files are put in place by
 * renaming: the same may be done twice at once.
 */
export const runBundled = async (
  /** @type {string} */ entry,
  /** @type {{ folder: string, name: string }} */ { folder, name },
) => {
  const esbuild = await import('esbuild');
  const { outputFiles } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: { [name]: entry },
    outdir: join(root, folder),
    chunkNames: `${name}-[hash]`,
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    sourcemap: 'linked',
    sourcesContent: false,
    plugins: [besideTheirSources, othersOutside],
    write: false,
    logLevel: 'error',
  });
  await esbuild.stop();
  mkdirSync(join(root, folder), { recursive: true });
  for (const { path, contents } of outputFiles) {
    writeFileSync(`${path}.${process.pid}`, contents);
    renameSync(`${path}.${process.pid}`, path);
  }
  const outfile = join(root, folder, `${name}.js`);
  process.argv[1] = outfile;
  await import(pathToFileURL(outfile).href);
};
