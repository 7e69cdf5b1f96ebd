/**
 * `npm test [-- paths and options of Jest]`: sets up what is missing, then one Jest run. What it
 * starts lives in a temporary folder of its own and ends with it, also when it fails or is
 * interrupted. The last line is `N passed, N failed`. With `--again`, up to five files that failed
 * are run once more, one after the other and with nothing beside them. What passes then is printed
 * as unsteady, by name: a test that fails only on a busy machine is to be mended, but says nothing
 * about the change that is tried. With `--operations`, it is the drills of operations that run; with
 * `--all`, they run among the tests, as in `.ci/run`.
 * `npm run test:properties` runs the large properties 10,000 times each (`PROPERTY_RUNS`), and 500
 * seeds of the simulation.
 */
import { spawn } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { answerHelp } from './arguments.mjs';
import { root } from './build.mjs';
import { ownerOf, takeLock } from './lock.mjs';
import { endRun } from './run-dir.mjs';
import { setup } from './setup.mjs';

answerHelp(import.meta.filename);

const prefix = 'assay-test-';
const temporary = realpathSync(tmpdir());
const ownerFile = 'owner.lock';

/** Ends what runs in a folder of tests and removes it. */
const remove = async (folder) => {
  const runs = join(folder, 'run');
  for (const name of existsSync(runs) ? readdirSync(runs) : []) await endRun(join(runs, name), 20_000);
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
};

/**
 * A folder of this user's, and no link: in the temporary folder anybody can make one of such a
 * name.
 */
const isOwnFolder = (folder) => {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() === true && (!process.getuid || found.uid === process.getuid());
};

/** Removes what runs that were killed have left of this user's. */
const removeLeftovers = async () => {
  const mine = (folder) =>
    isOwnFolder(folder) && existsSync(join(folder, ownerFile)) && !ownerOf(join(folder, ownerFile));
  const folders = readdirSync(temporary).filter((name) => name.startsWith(prefix));
  for (const folder of folders.map((name) => join(temporary, name)).filter(mine)) await remove(folder);
};

const base = mkdtempSync(join(temporary, prefix));
takeLock(join(base, ownerFile));
const runBase = join(base, 'run');
const tallyFile = join(base, 'tally.json');

const again = process.argv.includes('--again');
const all = process.argv.includes('--all');
const operations = process.argv.includes('--operations');
const own = ['--again', '--all', '--operations'];
const others = process.argv.slice(2).filter((argument) => !own.includes(argument));
const given = operations && others.length === 0 ? ['tests/operations/'] : others;
/** Which drills of operations Jest sees: these alone, these too, or none. */
const drills = operations ? 'ONLY' : all ? 'ALSO' : 'NONE';
const MOST_AGAIN = 5;

/**
 * The environment without certificate authorities for calls to others: tests make none, and Node
 * would read that list in each of hundreds of processes.
 */
const environment = () => {
  const { NODE_EXTRA_CA_CERTS: _authorities, ...others } = process.env;
  return others;
};

/** @param {string[]} jestArguments */
const runJest = (jestArguments) =>
  new Promise((resolve) => {
    mkdirSync(join(base, 'tmp'), { recursive: true });
    rmSync(tallyFile, { force: true });
    const args = [
      '--import',
      pathToFileURL(join(root, 'tests/setup/register-typescript.mjs')).href,
      // For Jest's workers as well. Most of what a property makes is garbage at once, and one
      // thread collects it cheaper than several. Most code runs seldom: it is compiled at once,
      // and optimized late.
      ...['--max-semi-space-size=32', '--single-threaded-gc'],
      ...['--always-sparkplug', '--interrupt-budget=400000'],
      join(root, 'node_modules/jest/bin/jest.js'),
    ];
    const child = spawn(process.execPath, [...args, ...jestArguments], {
      cwd: root,
      stdio: 'inherit',
      env: {
        ...environment(),
        ...{ TMPDIR: join(base, 'tmp'), TEST_RUN_BASE: runBase, TEST_TALLY_FILE: tallyFile },
        TEST_OPERATIONS: drills,
      },
    });
    // An interrupt from the keyboard reaches Jest as well; one sent to this process alone is passed
    // on.
    /** @type {NodeJS.Signals[]} */
    const passedOn = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    for (const signal of passedOn) process.on(signal, () => child.kill(signal));
    child.on('exit', (code) => resolve(code ?? 1));
  });

const readTally = () => {
  try {
    return JSON.parse(readFileSync(tallyFile, 'utf8'));
  } catch {
    return { passed: 0, failed: 1, failedFiles: [] };
  }
};

/** Runs the files that failed once more, and counts their second run in place of their first. */
const runFailedAgain = async (first) => {
  const paths = first.failedFiles.map(({ path }) => path);
  console.log(`\nAgain, alone: ${paths.map((path) => relative(root, path)).join(', ')}`);
  // What a test that fails left open would keep Jest from ending.
  process.exitCode = await runJest(['--runInBand', '--forceExit', '--runTestsByPath', ...paths]);
  const second = readTally();
  const failsAgain = new Set(second.failedFiles.map(({ path }) => path));
  for (const { path, tests } of first.failedFiles.filter((file) => !failsAgain.has(file.path)))
    console.log(`unsteady: ${relative(root, path)}: ${tests.join('; ') || 'could not be run'}`);
  const passedBefore = first.failedFiles.reduce((sum, { passed }) => sum + passed, 0);
  return { ...second, passed: first.passed - passedBefore + second.passed };
};

let tally = { passed: 0, failed: 1, failedFiles: [] };
try {
  await removeLeftovers();
  await setup();
  process.exitCode = await runJest(given);
  tally = readTally();
  const { length } = tally.failedFiles;
  if (again && process.exitCode === 1 && length > 0 && length <= MOST_AGAIN) tally = await runFailedAgain(tally);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await remove(base);
}
console.log(`${tally.passed} passed, ${tally.failed} failed`);
