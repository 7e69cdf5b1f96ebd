/**
 * The packages of others that a program imports at its start, in one file beside it that V8 has
 * compiled in advance: to find, read and compile hundreds of small files took most of a start.
 * What a program imports later (`import()`), or is machine code, stays where it is installed.
 *
 * `node scripts/packages.mjs NAME.packages.js`: compiles what that file loads. It runs with the
 * flags of a service, because V8 takes only what was compiled under the same.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { replace, root, versionOf } from './programs.mjs';

/**
 * Packages of others that are bundled as ours are: one of 700 small modules, of which a program
 * needs a part, takes a quarter of its start to find and read.
 */
const INSIDE = /^(@assay|typebox)(\/|$)/;
const MACHINE_CODE = /^(sharp|onnxruntime-node)(\/|$)/;
/** As in `libs/local-stack/src/run-suite.ts` and `deploy/Dockerfile`. */
const FLAGS = ['--enable-source-maps', '--initial-old-space-size=112'];
const LOADER = 'scripts/packages-loader.mjs';
/** Another version of any of these makes other packages; the first changes with every installation. */
export const SOURCES = ['node_modules/.package-lock.json', 'scripts/packages.mjs', LOADER];

/** What imports all packages. */
const START = 'packages.mjs';

const isTheirs = ({ path, kind }) => kind !== 'entry-point' && !INSIDE.test(path) && !path.endsWith('.json');
const isBundled = ({ path, kind }) =>
  kind === 'import-statement' && !path.startsWith('node:') && !MACHINE_CODE.test(path);

/** Calls `take` with each package of others that is imported: it says where the package is. */
const others = (name, take) => ({
  name,
  setup: (build) => {
    build.onResolve({ filter: /^[^./]/ }, (asked) => (isTheirs(asked) ? take(asked) : undefined));
  },
});

/** Leaves everybody else's packages where they are. */
export const othersOutside = others('others-outside', ({ path }) => ({ path, external: true }));

const quiet = { bundle: true, platform: 'node', target: 'node20', metafile: true, write: false, logLevel: 'silent' };

/** The packages that a program imports at its start. */
const importedBy = async (esbuild, { entry }) => {
  const names = new Set();
  const collected = others('collected', (asked) => {
    if (isBundled(asked)) names.add(asked.path);
    return { path: asked.path, external: true };
  });
  await esbuild.build({ ...quiet, entryPoints: [entry], absWorkingDir: root, format: 'esm', plugins: [collected] });
  return [...names].sort();
};

/** The names that a package exports, `default` among them. */
const exportsOf = async (esbuild, { name, folder }) => {
  const { metafile } = await esbuild.build({
    ...quiet,
    ...{ entryPoints: [name], absWorkingDir: folder, outdir: 'dist', format: 'esm' },
  });
  return Object.values(metafile.outputs)[0].exports;
};

/** esbuild leaves comments and regular expressions as they are; the same escapes fit both. */
const inAscii = (text) =>
  text.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

const compile = async (loader) => {
  const { PATH } = process.env;
  await promisify(execFile)(process.execPath, [...FLAGS, fileURLToPath(import.meta.url), loader], { env: { PATH } });
};

/**
 * Bundles packages into one file, and compiles it. Returns which of them are ES modules, with the
 * names that they export.
 */
const bundle = async (esbuild, { names, folder, loader }) => {
  const imports = names.map((name, at) => `import * as package${at} from '${name}';`);
  const lines = names.map((name, at) => `  '${name}': package${at},`);
  const { outputFiles, metafile } = await esbuild.build({
    ...{ ...quiet, absWorkingDir: folder, format: 'cjs' },
    // As a module, it imports what a program would: the same file of each package.
    stdin: {
      contents: [...imports, 'export default {', ...lines, '};'].join('\n'),
      resolveDir: folder,
      sourcefile: START,
    },
    define: { 'import.meta.url': 'undefined' },
    // `import()` becomes a `require`: code that V8 compiled before has no way to import, and fails.
    supported: { 'dynamic-import': false },
    // A function, so that what runs it gives it these.
    banner: { js: '(function (module, require, __filename, __dirname) {' },
    footer: { js: '})' },
  });
  const text = inAscii(outputFiles[0].text);
  mkdirSync(dirname(loader), { recursive: true });
  const file = `${loader.slice(0, -3)}-${createHash('sha256').update(text).digest('hex').slice(0, 12)}.cjs`;
  replace(file, text);
  replace(loader, readFileSync(join(root, LOADER), 'utf8').replaceAll('PACKAGES', basename(file)));
  await compile(loader);
  const isModule = (name) => {
    const found = metafile.inputs[START].imports.find(({ original }) => original === name);
    return metafile.inputs[found.path]?.format === 'esm';
  };
  const modules = names.filter(isModule).map(async (name) => [name, await exportsOf(esbuild, { name, folder })]);
  return { file, modules: Object.fromEntries(await Promise.all(modules)) };
};

const readStamp = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
};

const removeFormer = (file) => {
  const [start] = basename(file).split('-');
  for (const name of readdirSync(dirname(file)))
    if (name.startsWith(`${start}-`) && !name.startsWith(basename(file))) rmSync(join(dirname(file), name));
};

/** The ES modules among a program's packages, after these are bundled if they are not fresh. */
const freshPackages = async (esbuild, target, loader) => {
  const folder = join(root, target.folder);
  const names = await importedBy(esbuild, target);
  const made = JSON.stringify([process.version, names, SOURCES.map(versionOf)]);
  const stampFile = join(dirname(loader), `.${basename(loader)}.inputs.json`);
  const stamp = readStamp(stampFile);
  if (stamp.made === made) return stamp.modules;
  const { file, modules } = await bundle(esbuild, { names, folder, loader });
  replace(stampFile, JSON.stringify({ made, modules }));
  removeFormer(file);
  return modules;
};

const taking = (path, names) => {
  const taken = `packageOf(${JSON.stringify(path)})`;
  if (!names) return `module.exports = ${taken}.default;`;
  const lines = names.map((name) =>
    name === 'default' ? 'export default taken.default;' : `export const ${name} = taken.${name};`,
  );
  return [`const taken = ${taken};`, ...lines].join('\n');
};

/** Settings of esbuild with which a program takes its packages from the file beside it. */
export const withPackages = async (esbuild, target) => {
  const loader = join(root, target.out.replace(/\.js$/, '.packages.js'));
  const modules = await freshPackages(esbuild, target, loader);
  const bundled = others('packages-beside', (asked) =>
    isBundled(asked) ? { path: asked.path, namespace: 'packages' } : { path: asked.path, external: true },
  );
  const setup = (build) => {
    bundled.setup(build);
    build.onLoad({ filter: /.*/, namespace: 'packages' }, ({ path }) => ({ contents: taking(path, modules[path]) }));
  };
  return {
    banner: { js: `import { packageOf } from './${basename(loader)}';` },
    plugins: [{ name: bundled.name, setup }],
  };
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , loader = ''] = process.argv;
  const { compiled, file } = await import(pathToFileURL(loader).href);
  replace(`${file}.compiled`, compiled());
}
