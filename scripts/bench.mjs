/**
 * node scripts/bench.mjs NAME [arguments]
 *
 * Runs a benchmark of the engine as what it measures runs: in one bundle, as services are built.
 * tsx gives every inner function its name anew each time it is made, which slows the engine by a
 * third.
 */
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { answerHelp } from './arguments.mjs';
import { build, othersOutside, root } from './build.mjs';

/**
 * The engine looks for its models and its processes beside its bundle; a benchmark looks for its
 * own files beside its source.
 */
const besideTheirSources = {
  name: 'beside-their-sources',
  setup: (esbuild) => {
    esbuild.onLoad({ filter: /\/(bench|tools)\/.*\.ts$/ }, async ({ path }) => ({
      loader: 'ts',
      contents: (await readFile(path, 'utf8'))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)),
    }));
  },
};

const [name] = process.argv.splice(2, 1);
if (!name) {
  console.error('usage: node scripts/bench.mjs NAME [arguments]');
  process.exit(2);
}
answerHelp(join(root, 'bench', `${name}.ts`));
await build(({ folder }) => folder === 'libs/engine');
const outfile = join(root, 'libs/engine/dist', `bench-${name}.js`);
const esbuild = await import('esbuild');
await esbuild.build({
  absWorkingDir: root,
  entryPoints: [`bench/${name}.ts`],
  outfile,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  sourcemap: 'linked',
  plugins: [besideTheirSources, othersOutside],
  logLevel: 'error',
});
await esbuild.stop();
process.argv[1] = outfile;
await import(pathToFileURL(outfile).href);
