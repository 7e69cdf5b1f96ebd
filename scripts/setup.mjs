/**
 * `npm run setup`: sets up what is missing: the packages, the programs' bundles, a broker and the
 * libc of the embedded database. Plain Node that needs nothing installed. Every line says what is
 * done and why; nothing is said when there is nothing to do.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { answerHelp } from './arguments.mjs';
import { build, root } from './build.mjs';
import { withLock } from './lock.mjs';

/**
 * Why the packages of a folder have to be installed, in words; undefined when what is there agrees
 * with the lock file. npm's own list in node_modules says what it once installed: whether that is
 * still there is looked up.
 */
export const reasonToInstall = (folder = root) => {
  const read = (file) => JSON.parse(readFileSync(join(folder, file), 'utf8')).packages;
  if (!existsSync(join(folder, 'node_modules/.package-lock.json'))) return 'node_modules is missing';
  const wanted = read('package-lock.json');
  const present = read('node_modules/.package-lock.json');
  const other = Object.keys(wanted).find((path) => {
    if (!path.startsWith('node_modules/')) return false;
    const found = present[path];
    return found ? found.version !== wanted[path].version : !wanted[path].optional;
  });
  if (other) return `${other} is not what package-lock.json says`;
  const missing = Object.keys(present).find((path) => !existsSync(join(folder, path, 'package.json')));
  return missing && `${missing} is missing`;
};

/** @returns {Promise<void>} */
const runInRoot = (command, args) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
    child.on('error', reject);
    child.on('exit', (code, signal) =>
      code === 0 ? resolve() : reject(new Error(`${command} ${args.join(' ')} ended ${signal ?? `with code ${code}`}`)),
    );
  });

const npmCi = () => {
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const cli = process.env.npm_execpath;
  return cli?.endsWith('.js') ? runInRoot(process.execPath, [cli, ...args]) : runInRoot('npm', args);
};

/**
 * Installs the packages when they are missing or others than the lock file says. Two that start at
 * once install once.
 */
export const ensurePackages = async (say = console.log) => {
  if (!reasonToInstall()) return;
  await withLock(join(root, '.cache/setup.lock'), async () => {
    const reason = reasonToInstall();
    if (!reason) return;
    say(`npm ci: ${reason}; the first time this takes minutes`);
    await npmCi();
  });
};

/** Refuses a Node that is too old, before anything fails in a way that is hard to read. */
const checkNode = () => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    throw new Error(`Node 20.19 or newer is needed, this is ${process.version}`);
};

/** Packages and bundles. The engines are prepared by whoever starts them, or by `npm run setup`. */
export const setup = async (say = console.log) => {
  checkNode();
  await ensurePackages(say);
  await build(undefined, say);
};

if (process.argv[1] && relative(process.argv[1], fileURLToPath(import.meta.url)) === '') {
  answerHelp(import.meta.filename);
  try {
    await setup();
    await import(join(root, 'libs/local-stack/dist/prepare.js'));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
