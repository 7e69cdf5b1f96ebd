import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

/**
 * `npm run sbom` lists everything that the services run with. `npm run licences` checks that all of
 * it may be shipped.
 */

const root = join(import.meta.dirname, '..');
interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}
const run = (program: string, args: string[], env: Record<string, string> = {}): Promise<Ran> =>
  new Promise((resolve) => {
    const options = { cwd: root, env: { ...process.env, ...env }, maxBuffer: 2 ** 26 };
    execFile(program, args, options, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });

interface Manifest {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}
const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest;

describe('the bill of materials', () => {
  let bill: { bomFormat: string; specVersion: string; components: { name: string; version: string; purl: string }[] };
  beforeAll(async () => {
    bill = JSON.parse((await run('npm', ['run', '-s', 'sbom'])).stdout);
  }, 60_000);
  const has = (name: string): boolean =>
    bill.components.some(({ purl }) => purl.startsWith(`pkg:npm/${name.replace('@', '%40')}@`));

  test('is CycloneDX and names every package that a service depends on, with its version', () => {
    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: expect.stringMatching(/^1\./) });
    const direct = readdirSync(join(root, 'services')).flatMap((name) =>
      Object.keys(manifestOf(`services/${name}`).dependencies ?? {}),
    );
    expect(direct.length).toBeGreaterThan(20);
    expect(direct.filter((name) => !has(name))).toEqual([]);
    expect(bill.components.filter(({ version }) => !/^\d/.test(version))).toEqual([]);
  });

  test('names nothing that only development needs', () => {
    expect(['jest', 'typescript', 'playwright-core', '@biomejs/biome'].filter(has)).toEqual([]);
  });
});

describe('the report of licences', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-licences-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  /** The report about a bill with this one further package. */
  const reportOf = (component: object): Promise<Ran> => {
    const bill = JSON.stringify({
      components: [
        { name: 'known', version: '1.0.0', purl: 'pkg:npm/known@1.0.0', licenses: [{ license: { id: 'MIT' } }] },
        component,
      ],
    });
    writeFileSync(join(folder, 'npm'), `#!/bin/sh\ncat <<'END'\n${bill}\nEND\n`);
    chmodSync(join(folder, 'npm'), 0o755);
    return run(process.execPath, [join(root, 'scripts/licences.mjs')], {
      PATH: `${folder}${delimiter}${process.env.PATH}`,
    });
  };
  const component = (licenses: unknown) => ({ name: 'some', version: '2.0.0', purl: 'pkg:npm/some@2.0.0', licenses });

  test('lists every shipped package with a licence that permits shipping it', async () => {
    const { code, stdout, stderr } = await run('npm', ['run', '-s', 'licences']);
    expect([code, stderr]).toEqual([0, '']);
    const lines = stdout.trim().split('\n');
    expect(lines.length).toBeGreaterThan(50);
    expect(lines.filter((line) => !/^\S+@\d\S*\t\S/.test(line))).toEqual([]);
  }, 60_000);

  test.each([
    ['none', [], 'some@2.0.0 (none named)'],
    ['one that forbids it', [{ license: { id: 'AGPL-3.0-only' } }], 'some@2.0.0 (AGPL-3.0-only)'],
    [
      'one of two that forbids it',
      [{ license: { id: 'MIT' } }, { license: { id: 'AGPL-3.0-only' } }],
      'some@2.0.0 (MIT AND AGPL-3.0-only)',
    ],
    ['an unknown one', [{ license: { name: 'Proprietary' } }], 'some@2.0.0 (Proprietary)'],
  ])('ends with 1 where a package has %s', async (_name, licenses, named) => {
    const { code, stderr } = await reportOf(component(licenses));
    expect([code, stderr.trim()]).toEqual([1, `to be looked at: ${named}`]);
  });

  test('accepts an expression with a known licence', async () => {
    expect((await reportOf(component([{ expression: '(MIT OR GPL-3.0)' }]))).code).toBe(0);
  });
});
