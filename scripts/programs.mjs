/**
 * The programs of the repository: what each is bundled from and into, and the documents beside a
 * page. `scripts/build.mjs` bundles them.
 */
import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const list = (folder) => {
  try {
    return readdirSync(join(root, folder));
  } catch {
    return [];
  }
};

/** Whether there is such a file, by its path from the root. */
export const exists = (path) => statSync(join(root, path), { throwIfNoEntry: false }) !== undefined;

/** Changes when a file does. */
export const versionOf = (path) => {
  const found = statSync(join(root, path), { throwIfNoEntry: false });
  return found ? `${found.mtimeMs}:${found.size}` : 'gone';
};

/**
 * The version of a file that was read since `began`. A file that was changed meanwhile may have
 * been read before: it has no version then, and nothing made from it is fresh. A time still to come
 * is that of another clock, and no change.
 */
export const versionRead = (path, began) => {
  const changed = statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return changed > began && changed <= Date.now() ? 'changed while it was read' : versionOf(path);
};

/** Puts a file in place by renaming. */
export const replace = (file, contents) => {
  const next = `${file}.${process.pid}`;
  writeFileSync(next, contents);
  renameSync(next, file);
};

/** Every program: `{ name, entry, out }`, paths from the root. */
export const programs = () => {
  const services = list('services').map((name) => server(`services/${name}`, 'main'));
  const simulators = list('tools/simulators/src')
    .filter((file) => file.endsWith('.main.ts'))
    .map((file) => server('tools/simulators', basename(file, '.ts')));
  return [
    program('libs/local-stack', 'src/supervisor.ts', 'supervisor.js'),
    program('libs/local-stack', 'src/prepare.ts', 'prepare.js'),
    program('libs/engine', 'src/host.ts', 'engine-host.js'),
    program('services/verification-worker', 'src/clients/chip-host.ts', 'chip-host.js'),
    { ...program('libs/runtime', 'src/tracing/main.ts', 'tracing.js'), whole: true, minify: true },
    { ...program('libs/client', 'src/command/main.ts', 'assay.js'), whole: true },
    program('services/evidence-intake', 'src/clients/image-host.ts', 'image-host.js'),
    ...services,
    ...simulators,
    ...list('pages/src')
      .filter((name) => list(`pages/src/${name}`).includes('main.tsx'))
      .map(page),
  ].filter(({ entry }) => exists(entry));
};

const program = (folder, entry, out) => ({
  name: `${folder}/${basename(entry, '.ts')}`,
  folder,
  entry: `${folder}/${entry}`,
  out: `${folder}/dist/${out}`,
});

/** A program that serves, with the packages of others in a file beside it. */
const server = (folder, name) => ({ ...program(folder, `src/${name}.ts`, `${name}.js`), packages: true });

/** Scripts of a page that it loads beside its own. */
const BESIDE = { capture: ['early.ts'], docs: ['reference.tsx', 'theme.ts'] };

/** The document of a page that has none of its own, and the titles that go into it. */
const SHELL = 'pages/src/design/shell.html';
const TITLES = {
  admin: 'Assay administration',
  capture: 'Assay capture',
  console: 'Assay console',
  start: 'Assay',
};

/**
 * A page for a browser: its document, and its script and style with everything they import inside.
 */
const page = (name) => ({
  name: `pages/${name}`,
  folder: 'pages',
  entry: `pages/src/${name}/main.tsx`,
  out: `pages/dist/${name}/main.js`,
  browser: [
    'main.tsx',
    ...(BESIDE[name] ?? []),
    ...list(`pages/src/${name}`).filter((file) => /\.(html|svg)$/.test(file)),
  ].map((file) => `pages/src/${name}/${file}`),
  ...(name === 'docs' ? { guide: true } : {}),
  ...(name in TITLES ? { shell: { name, title: TITLES[name] } } : {}),
});

/** What is beside a page's own files: `{ file, contents }`, and what it is made of. */
export const documentsOf = async ({ guide, shell }) => {
  if (guide) return (await import('./guide.mjs')).renderGuide(root);
  if (!shell) return { files: [], inputs: [] };
  const text = readFileSync(join(root, SHELL), 'utf8');
  const early = BESIDE[shell.name]?.map((file) => file.replace(/tsx?$/, 'js')) ?? [];
  const contents = text
    .replaceAll('{{name}}', shell.name)
    .replaceAll('{{title}}', shell.title)
    .replace(/ *\{\{early\}\}\n/, () =>
      early.map((file) => `    <script async type="module" src="/${shell.name}/${file}"></script>\n`).join(''),
    );
  const strings = list(`pages/src/${shell.name}/strings`).map((file) => `pages/src/${shell.name}/strings/${file}`);
  return {
    files: [
      { file: 'index.html', contents },
      ...strings.map((path) => ({ file: basename(path), contents: readFileSync(join(root, path)) })),
    ],
    inputs: [SHELL, ...strings],
  };
};
