/**
 * `npm test [-- paths and options of Jest]`: sets up what is missing, then one Jest run. What it starts lives in a temporary folder of its own
 * and ends with it, also when it fails or is interrupted. The last line is `N passed, N failed`.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './build.mjs';
import { ownerOf, takeLock } from './lock.mjs';
import { endRun } from './run-dir.mjs';
import { setup } from './setup.mjs';

const prefix = 'assay-test-';
const temporary = realpathSync(tmpdir());
const ownerFile = 'owner.lock';

/** Ends what runs in a folder of tests and removes it. */
const remove = async (folder) => {
  const runs = join(folder, 'run');
  for (const name of existsSync(runs) ? readdirSync(runs) : []) await endRun(join(runs, name), 20_000);
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
};

/** Removes what runs that were killed have left of this user's. */
const removeLeftovers = async () => {
  const mine = (folder) => existsSync(join(folder, ownerFile)) && !ownerOf(join(folder, ownerFile));
  const folders = readdirSync(temporary).filter((name) => name.startsWith(prefix));
  for (const folder of folders.map((name) => join(temporary, name)).filter(mine)) await remove(folder);
};

const base = mkdtempSync(join(temporary, prefix));
takeLock(join(base, ownerFile));
const runBase = join(base, 'run');
const tallyFile = join(base, 'tally.json');

const runJest = () =>
  new Promise((resolve) => {
    mkdirSync(join(base, 'tmp'));
    const args = [
      '--experimental-vm-modules',
      '--disable-warning=ExperimentalWarning',
      join(root, 'node_modules/jest/bin/jest.js'),
    ];
    const child = spawn(process.execPath, [...args, ...process.argv.slice(2)], {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, TMPDIR: join(base, 'tmp'), TEST_RUN_BASE: runBase, TEST_TALLY_FILE: tallyFile },
    });
    // An interrupt from the keyboard reaches Jest as well; one sent to this process alone is passed on.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
    child.on('exit', (code) => resolve(code ?? 1));
  });

const readTally = () => {
  try {
    return JSON.parse(readFileSync(tallyFile, 'utf8'));
  } catch {
    return { passed: 0, failed: 1 };
  }
};

let tally = { passed: 0, failed: 1 };
try {
  await removeLeftovers();
  await setup();
  process.exitCode = await runJest();
  tally = readTally();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await remove(base);
}
console.log(`${tally.passed} passed, ${tally.failed} failed`);
