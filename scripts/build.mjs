/**
 * `npm run build`: bundles every program of the repository into the `dist` folder beside its
 * sources: our own packages inside, the packages of others outside but for one. Skips what is
 * fresh, and puts each finished file in place by renaming, so that two builds may run at once.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { answerHelp } from './arguments.mjs';
import { othersOutside, SOURCES, withPackages } from './packages.mjs';
import { documentsOf, exists, programs, replace, root, versionOf, versionRead } from './programs.mjs';

export { root };

const SCRIPTS = ['scripts/build.mjs', 'scripts/programs.mjs'];

const stampFile = ({ out }) => join(root, dirname(out), `.${basename(out)}.inputs.json`);

const isFresh = (target) => {
  try {
    const { node, inputs } = JSON.parse(readFileSync(stampFile(target), 'utf8'));
    // V8 takes only what it has compiled itself.
    if (node !== process.version || !exists(target.out)) return false;
    return Object.entries(inputs).every(([path, version]) => versionOf(path) === version);
  } catch {
    return false;
  }
};

const forNode = (target) => ({
  entryPoints: [target.entry],
  outfile: target.out,
  platform: 'node',
  target: 'node20',
  plugins: [othersOutside],
  // A stack trace needs places and names: the text of the sources would only be read at each start.
  sourcesContent: false,
});

/**
 * A program with everybody else's packages inside as well, but those that work on modules and have
 * to be modules themselves.
 */
const wholeForNode = (target) => ({
  ...forNode(target),
  plugins: [],
  external: ['import-in-the-middle', 'require-in-the-middle'],
  mainFields: ['module', 'main'],
  minify: target.minify ?? false,
  // For packages inside that know CommonJS only.
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
});

const forBrowser = (target) => ({
  entryPoints: target.browser,
  outdir: dirname(target.out),
  platform: 'browser',
  target: 'es2022',
  minify: true,
  jsx: 'automatic',
  jsxImportSource: 'preact',
  loader: { '.html': 'copy', '.svg': 'copy' },
});

const settingsOf = async (esbuild, target) => {
  if (target.browser) return forBrowser(target);
  if (target.packages) return { ...forNode(target), ...(await withPackages(esbuild, target)) };
  return target.whole ? wholeForNode(target) : forNode(target);
};

/** Whether a line of the bundle is a line of a source. */
const hasLines = ({ browser, minify }) => !browser && !minify;

/**
 * A source map with the first place of each line alone: enough for a stack trace. Node turns a map
 * into an object for each of its places at the first error of a process, and keeps them.
 */
const lineByLine = async (text) => {
  const { decode, encode } = await import('@jridgewell/sourcemap-codec');
  const map = JSON.parse(text);
  /** @type {import('@jridgewell/sourcemap-codec').SourceMapMappings} */
  const lines = decode(map.mappings).map(([place]) => {
    const [column = 0, source, line = 0, from = 0] = place ?? [];
    return source === undefined ? [] : [[column, source, line, from]];
  });
  return JSON.stringify({ ...map, names: [], mappings: encode(lines) });
};

const bundle = async (esbuild, target) => {
  const began = Date.now();
  const { outputFiles, metafile } = await esbuild.build({
    absWorkingDir: root,
    ...(await settingsOf(esbuild, target)),
    bundle: true,
    format: 'esm',
    sourcemap: 'linked',
    metafile: true,
    write: false,
    logLevel: 'silent',
  });
  const folder = join(root, dirname(target.out));
  mkdirSync(folder, { recursive: true });
  for (const { path, contents, text } of outputFiles)
    replace(path, hasLines(target) && path.endsWith('.map') ? await lineByLine(text) : contents);
  const documents = await documentsOf(target);
  for (const { file, contents } of documents.files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    replace(join(folder, file), contents);
  }
  const paths = [...Object.keys(metafile.inputs), ...documents.inputs, ...SCRIPTS, ...SOURCES];
  const inputs = Object.fromEntries(paths.map((path) => [path, versionRead(path, began)]));
  replace(stampFile(target), JSON.stringify({ node: process.version, inputs }));
};

/**
 * Builds what is not fresh and returns the names of what was built. `wanted` narrows it to some
 * programs; `say` is told before it begins. Throws with esbuild's messages when one does not build.
 */
export const build = async (
  /** @type {(program: { folder: string, name: string }) => boolean} */ wanted = () => true,
  /** @type {(text: string) => void} */ say = () => undefined,
) => {
  const stale = programs().filter((target) => wanted(target) && !isFresh(target));
  if (stale.length === 0) return [];
  say(`building ${stale.length} programs`);
  const esbuild = await import('esbuild');
  const results = await Promise.allSettled(stale.map((target) => bundle(esbuild, target)));
  await esbuild.stop();
  const failed = results.flatMap((result, index) =>
    result.status === 'rejected' ? [`${stale[index]?.name}: ${result.reason.message}`] : [],
  );
  if (failed.length > 0) throw new Error(`the build failed\n${failed.join('\n')}`);
  return stale.map(({ name }) => name);
};

if (process.argv[1] && relative(process.argv[1], fileURLToPath(import.meta.url)) === '') {
  answerHelp(import.meta.filename);
  const started = performance.now();
  try {
    const built = await build();
    const took = `${Math.round(performance.now() - started)} ms`;
    console.log(built.length > 0 ? `built ${built.length} programs in ${took}` : `everything is fresh (${took})`);
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
