import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const root = join(import.meta.dirname, '../../..');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

/** Runs a script of the root package like npm, and kills it if it starts something instead. */
const run = (name: string, ...args: string[]) => {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', `${scripts[name]} "$@"`, 'sh', ...args], {
    cwd: root,
    env: { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}` },
    encoding: 'utf8',
    timeout: 25_000,
  });
  return { status, stdout, stderr };
};

/** Scripts that run other programs, or `npm test` with other arguments, which answers for them. */
const OTHERS = ['typecheck', 'format', 'lint', 'test:docker', 'test:operations'];

test.each(Object.keys(scripts).filter((name) => !OTHERS.includes(name)))(
  'npm run %s -- --help says how it is called, and starts nothing',
  (name) => {
    const { status, stdout, stderr } = run(name, '--help');
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(new RegExp(`npm (run (-s )?)?${name}\\b`));
    expect(stdout).not.toMatch(/[/]\*|\*[/]/);
  },
);

test.each(['up', 'down', 'dev'])('npm run %s names an option it does not know, and what it does know', (name) => {
  const { status, stderr } = run(name, '--dir', 'somewhere');
  expect(status).not.toBe(0);
  expect(stderr).toContain("Unknown option '--dir'");
  expect(stderr).toContain(`npm run ${name} -- --help`);
  expect(stderr).not.toMatch(/^\s+at /m);
});

test('npm run up says at once that it cannot make its folder', () => {
  const { status, stderr } = run('up', '--run-dir', '/proc/nope');
  expect([status, stderr.trim().split('\n').at(-1)]).toEqual([1, expect.stringContaining("mkdir '/proc/nope'")]);
});

test.each(['bench', 'bench:proof', 'fuzz', 'fuzz:api', 'test:faults'])(
  'npm run %s names an option it does not know, without a stack',
  (name) => {
    const { status, stderr } = run(name, '--rouns', '3');
    expect(status).toBe(2);
    expect(stderr).toContain("Unknown option '--rouns'");
    expect(stderr).not.toMatch(/^\s+at /m);
  },
);

test.each([
  ['backup', '--state', '', '--keys', 'keys'],
  ['restore', '--state', '', '--replace'],
])('npm run %s refuses a folder without a name, which would be the working directory', (name, ...args) => {
  const { status, stderr } = run(name, ...args);
  expect(status).toBe(2);
  expect(stderr).toMatch(/^--state is empty\n/);
});
