import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';

/**
 * Services and simulators start with their packages in one file, which the build compiles
 * (scripts/packages.mjs).
 */

const root = join(import.meta.dirname, '..');
const run = promisify(execFile);
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
/** The flags that an image starts with. */
const FLAGS = read('deploy/Dockerfile')
  .match(/^CMD (.*)$/m)![1]!
  .match(/--[\w=-]+/g)!;
const services = readdirSync(join(root, 'services')).map((name) => `services/${name}/dist/main.packages.js`);
const simulators = readdirSync(join(root, 'tools/simulators/src'))
  .filter((name) => name.endsWith('.main.ts'))
  .map((name) => `tools/simulators/dist/${name.replace(/ts$/, 'packages.js')}`);

/** What a process that has loaded a program's packages prints of an expression over the loader. */
const ask = async (loader: string, expression: string, env: Record<string, string> = {}): Promise<string> => {
  const url = JSON.stringify(pathToFileURL(join(root, loader)).href);
  const program = `const given = await import(${url}); console.log(${expression});`;
  const { stdout } = await run(process.execPath, [...FLAGS, '--input-type=module', '-e', program], {
    env: { PATH: process.env.PATH ?? '', ...env },
    cwd: root,
  });
  return stdout.trim();
};

const build = async (): Promise<string> => (await run(process.execPath, ['scripts/build.mjs'], { cwd: root })).stdout;

beforeAll(build, 300_000);

describe('given the packages of a program', () => {
  test.each([...services, ...simulators])(
    'when %s loads them, then V8 takes what the build compiled',
    async (loader) => {
      expect(await ask(loader, 'given.isCompiled()')).toBe('true');
    },
  );

  test.each(['scripts/packages.mjs', 'libs/local-stack/src/run-suite.ts'])(
    'when %s starts a program, then with the flags of an image',
    (path) => {
      const [line] = read(path).match(/'--enable-source-maps',\s+'--initial-old-space-size=\d+'/)!;
      expect(line.match(/--[\w=-]+/g)).toEqual(FLAGS);
    },
  );

  test.each(services)('when %s connects to MongoDB, then under its name', async (loader) => {
    const client = `new (given.packageOf('mongoose').default.mongo.MongoClient)('mongodb://127.0.0.1:1', { appName: 'its name' })`;
    expect(await ask(loader, `(await ${client}.options.metadata).application?.name`)).toBe('its name');
  });

  const gateway = 'services/gateway/dist/main.packages.js';
  const comesFromItsFiles = `given.packageOf('mongoose').default === (await import('mongoose')).default`;

  test('when nothing traces, then mongoose comes out of the one file', async () => {
    expect(await ask(gateway, comesFromItsFiles)).toBe('false');
  });

  test('when spans are exported, then what tracing changes comes from its own files', async () => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' };
    expect(await ask(gateway, comesFromItsFiles, env)).toBe('true');
  });
});

test('given a program that another version of Node has built, then it is built anew', async () => {
  const stamp = join(root, 'services/notifier/dist/.main.js.inputs.json');
  const made = JSON.parse(readFileSync(stamp, 'utf8'));
  expect(made.node).toBe(process.version);
  writeFileSync(stamp, JSON.stringify({ ...made, node: 'v20.0.0' }));
  expect(await build()).toContain('built 1 programs');
  expect(await build()).toContain('everything is fresh');
}, 120_000);
