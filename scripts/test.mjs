/**
 * `npm test [-- paths and options of Jest]`: sets up what is missing, then one Jest run. What it starts lives in a temporary folder of its own
 * and ends with it, also when it fails or is interrupted. The last line is `N passed, N failed`.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './build.mjs';
import { endRun } from './run-dir.mjs';
import { setup } from './setup.mjs';

const base = mkdtempSync(join(realpathSync(tmpdir()), 'assay-test-'));
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

const cleanUp = async () => {
  for (const name of ['suite', 'engines']) {
    const dir = join(runBase, name);
    if (existsSync(dir)) await endRun(dir, 20_000);
  }
  rmSync(base, { recursive: true, force: true, maxRetries: 3 });
};

const readTally = () => {
  try {
    return JSON.parse(readFileSync(tallyFile, 'utf8'));
  } catch {
    return { passed: 0, failed: 1 };
  }
};

let tally = { passed: 0, failed: 1 };
try {
  await setup();
  process.exitCode = await runJest();
  tally = readTally();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await cleanUp();
}
console.log(`${tally.passed} passed, ${tally.failed} failed`);
