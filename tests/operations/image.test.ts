import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from '@jest/globals';

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'assay-image-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * The files that the build of an image gets: all files of the repository except those that
 * `.dockerignore` names.
 */
const filesOfBuild = async (): Promise<string[]> => {
  // Docker matches its patterns from the root, git from any folder.
  const patterns = readFileSync(join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (line.startsWith('!') ? `!/${line.slice(1)}` : `/${line}`));
  const file = join(folder, 'patterns');
  writeFileSync(file, patterns.join('\n'));
  const listed = async (...options: string[]) => {
    const { stdout } = await run('git', ['ls-files', '--cached', '-z', ...options], { cwd: root, maxBuffer: 2 ** 26 });
    return stdout.split('\0').filter((path) => path !== '');
  };
  const ignored = new Set(await listed('--ignored', `--exclude-from=${file}`));
  return (await listed()).filter((path) => !ignored.has(path) && existsSync(join(root, path)));
};

describe('the image', () => {
  test('given the folders that the first run writes into, then each belongs to its user', () => {
    const compose = readFileSync(join(root, 'docker-compose.yml'), 'utf8');
    const mounted = [...compose.matchAll(/:\/run\/assay\/out\/([\w-]+)$/gm)].map(([, name]) => name);
    const [, made = ''] = /for name in ([\w -]+);/.exec(readFileSync(join(root, 'deploy/Dockerfile'), 'utf8')) ?? [];
    expect(mounted).toHaveLength(8);
    expect(made.split(' ').sort()).toEqual(mounted.sort());
  });

  test('given the files that .dockerignore lets through, then all programs and pages are built', async () => {
    const files = await filesOfBuild();
    expect(files).toContain('specimens/passport.jpg');
    expect(files.filter((path) => /^(tests|bench)\/|\.test\.ts$/.test(path))).toEqual([]);
    const copy = join(folder, 'assay');
    for (const path of files) cpSync(join(root, path), join(copy, path));
    const packages = ['.', ...readdirSync(join(root, 'services')).map((name) => join('services', name))]
      .map((place) => join(place, 'node_modules'))
      .filter((place) => existsSync(join(root, place)) && existsSync(join(copy, dirname(place))));
    for (const place of packages) symlinkSync(join(root, place), join(copy, place));

    await run(process.execPath, ['scripts/build.mjs'], { cwd: copy, maxBuffer: 2 ** 26 });
    for (const made of ['services/gateway/dist/main.js', 'pages/dist/docs/index.html'])
      expect({ made, isThere: existsSync(join(copy, made)) }).toEqual({ made, isThere: true });
  }, 300_000);
});
