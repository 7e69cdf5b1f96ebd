import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from '@jest/globals';

/* Runs the commands that the README asks a newcomer to type, as they are. */

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'assay-newcomer-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = promisify(execFile);

/** A folder that looks like the clone in which the suite under test runs. */
const clone = (): string => {
  mkdirSync(join(folder, '.run'));
  symlinkSync(process.env.TEST_STACK_FILE!, join(folder, '.run/stack.json'));
  for (const name of ['specimens', 'node_modules', 'package.json', 'libs'])
    symlinkSync(join(root, name), join(folder, name));
  return folder;
};

test('the flow with curl, pasted whole, ends with a good proof', async () => {
  const [, block] = /## The typical flow with curl\n```sh\n([\s\S]*?)```/.exec(
    readFileSync(join(root, 'README.md'), 'utf8'),
  )!;
  const { stdout } = await run('bash', ['-c', block!], { cwd: clone() });
  expect(stdout).toContain('GOOD: this proof is complete');
}, 120_000);

test('the demo with --chip leaves a proof whose chip verifies again', async () => {
  const left = join(folder, 'demo-chip');
  mkdirSync(left);
  const demo = ['--import', 'tsx', 'tools/demo/src/demo.main.ts', '--stack', process.env.TEST_STACK_FILE!, '--chip'];
  const { stdout } = await run(process.execPath, [...demo, '--archives', left], { cwd: root });
  expect(stdout).toMatch(/^ *chip +VERIFIED +LEVEL4/m);
  expect(stdout).toMatch(/level of assurance +LOA[2-6]/);
  const command = stdout.match(/^ *npx .* --csca .*$/m)![0];
  const { stdout: verified } = await run('bash', ['-c', command], { cwd: root });
  expect(verified).toMatch(/^OK +PASSIVE_AUTHENTICATION_CHECK$/m);
  expect(verified).toMatch(/^OK +ACTIVE_AUTHENTICATION_CHECK$/m);
  expect(verified).toMatch(/^not made +CHIP_AUTHENTICATION_CHECK/m);
}, 120_000);

test('the commands that the demo prints verify and show its proof without the suite', async () => {
  const left = join(folder, 'demo');
  mkdirSync(left);
  const demo = ['--import', 'tsx', 'tools/demo/src/demo.main.ts', '--stack', process.env.TEST_STACK_FILE!];
  const { stdout } = await run(process.execPath, [...demo, '--archives', left], { cwd: root });
  const commands = stdout.match(/^ *npx --no-install assay .*$/gm)!;
  expect(commands.map((command) => /assay proof (\w+)/.exec(command)?.[1])).toEqual(['verify', 'show']);

  const withoutSuite = { ...process.env, ASSAY_URL: 'http://127.0.0.1:9', ASSAY_KEY: '' };
  const page = /-o (\S+)/.exec(commands[1]!)![1]!;
  rmSync(join(root, page));
  const [verified, shown] = await Promise.all(
    commands.map((command) => run('bash', ['-c', command], { cwd: root, env: withoutSuite })),
  );
  expect(verified!.stdout).toContain('GOOD: this proof is complete');
  expect(shown!.stdout.trim()).toBe(page);
  expect(statSync(join(root, page)).size).toBeGreaterThan(10_000);
}, 120_000);
