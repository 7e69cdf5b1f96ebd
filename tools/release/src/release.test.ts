import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { imageBuild } from './artefacts.ts';
import { namesVersion, notesOf, released } from './version.ts';

const root = join(import.meta.dirname, '../../..');
const paths = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n').filter(namesVersion);
const files = Object.fromEntries(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
const release = { version: '98.7.6', date: '2031-02-03' };

test('a release changes every file that names the version, and nothing else in it', () => {
  const { version: present } = JSON.parse(files['package.json']!);
  const changed = released(files, release);
  expect(paths.length).toBeGreaterThan(20);
  for (const [path, text] of Object.entries(changed).filter(([path]) => path !== 'CHANGELOG.md')) {
    expect([path, text.includes('98.7.6')]).toEqual([path, true]);
    // Other packages may have the same number.
    const ours = new RegExp(`("@assay/[^"]+": "|^  "version": "|^(app)?[vV]ersion:? (= ")?)${present}`, 'm');
    expect([path, ours.test(text)]).toEqual([path, false]);
    expect([path, text.split('\n').length]).toEqual([path, files[path]!.split('\n').length]);
  }
  const back = released({ ...changed, 'CHANGELOG.md': files['CHANGELOG.md']! }, { ...release, version: '98.7.7' });
  expect(JSON.parse(back['package-lock.json']!).packages['services/gateway'].dependencies['@assay/bus']).toBe('98.7.7');
});

test('the notes are the part of the changelog that was unreleased', () => {
  const changelog = '# Changelog\n\n## 2.0.0 (unreleased)\n- New.\n\n## 1.0.0 (2030-01-01)\n- Old.\n';
  const small = { 'package.json': '{\n  "version": "1.0.0"\n}\n', 'CHANGELOG.md': changelog };
  const { 'CHANGELOG.md': after } = released(small, { version: '2.0.0', date: '2031-02-03' });
  expect(after).toBe(changelog.replace('(unreleased)', '(2031-02-03)'));
  expect(notesOf(after!, { version: '2.0.0', date: '2031-02-03' })).toBe('- New.\n');
  const empty = '## 2.0.0 (2031-02-03)\n\n## 1.0.0 (2030-01-01)\n- Old.\n';
  expect(() => notesOf(empty, { version: '2.0.0', date: '2031-02-03' })).toThrow('nothing about 2.0.0');
});

test.each([
  ['1.0', 'is no version'],
  ['v1.0.0', 'is no version'],
  ['0.0.9', 'comes before'],
  ['1.0.0-rc.1', 'comes before'],
])('%s is refused: %s', (version, why) => {
  const small = { 'package.json': '{\n  "version": "1.0.0"\n}\n' };
  expect(() => released(small, { version, date: '2031-02-03' })).toThrow(why);
});

test('the tenth candidate of a release comes behind the ninth, and the release behind both', () => {
  const at = (version: string) => ({ 'package.json': `{\n  "version": "${version}"\n}\n` });
  const release = (present: string, version: string) => released(at(present), { version, date: '2031-02-03' });
  expect(release('1.0.0-rc.9', '1.0.0-rc.10')).toEqual(at('1.0.0-rc.10'));
  expect(release('1.0.0-rc.10', '1.0.0')).toEqual(at('1.0.0'));
  expect(() => release('1.0.0-rc.10', '1.0.0-rc.9')).toThrow('comes before');
});

test('an image is built for this machine, or for several platforms in an archive with the other files', () => {
  const workshop = { version: '2.0.0', out: '/release' };
  expect(imageBuild('gateway', workshop)).toMatchObject({
    image: 'assay/gateway:2.0.0',
    args: expect.arrayContaining(['build', '-t']),
  });
  const { image, args } = imageBuild('gateway', workshop, 'linux/amd64,linux/arm64');
  expect(image).toBe('assay-gateway-2.0.0.oci.tar');
  expect(args.join(' ')).toMatch(
    /^buildx build --platform linux\/amd64,linux\/arm64 .*dest=\/release\/assay-gateway-2/,
  );
});

test.each(['x64', 'arm64'])('native modules of the images exist for %s', (machine) => {
  const lock = JSON.parse(files['package-lock.json']!).packages;
  const nets = join(root, 'node_modules/onnxruntime-node/bin');
  expect(Object.keys(lock)).toContain(`node_modules/@img/sharp-linux-${machine}`);
  expect(readdirSync(nets).flatMap((version) => readdirSync(join(nets, version, 'linux')))).toContain(machine);
});

const inFolder = (folder: string, command: string, ...args: string[]): string =>
  execFileSync(command, args, { cwd: folder, encoding: 'utf8' });
const hasPython = (() => {
  try {
    return execFileSync('python3', ['--version']).length > 0;
  } catch {
    return false;
  }
})();

(hasPython ? test : test.skip)(
  'a dry run makes the files of a release and leaves the repository as it is',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'release-'));
    const out = join(folder, 'out');
    const status = () => inFolder(root, 'git', 'status', '--porcelain');
    const before = status();
    const main = join(root, 'tools/release/src/release.main.ts');
    const args = ['--version', '98.7.6', '--date', '2031-02-03', '--out', out, '--no-images', '--dry-run'];
    expect(inFolder(root, process.execPath, '--import', 'tsx', main, ...args)).toContain('a dry run');
    expect(status()).toBe(before);

    expect(inFolder(out, 'sha256sum', '-c', 'SHA256SUMS').match(/: OK$/gm)).toHaveLength(6);
    expect(inFolder(out, 'tar', '-xzOf', 'assay-chart-98.7.6.tgz', 'assay/Chart.yaml')).toContain('appVersion: 98.7.6');
    expect(inFolder(out, 'tar', '-xzOf', 'assay-chart-98.7.6.tgz', 'assay/alerts.yml')).toBe(
      readFileSync(join(root, 'deploy/prometheus/alerts.yml'), 'utf8'),
    );
    const packed = JSON.parse(inFolder(out, 'tar', '-xzOf', 'assay-client-98.7.6.tgz', 'package/package.json'));
    expect([packed.name, packed.version]).toEqual(['@assay/client', '98.7.6']);
    expect(readFileSync(join(out, 'NOTES.md'), 'utf8').length).toBeGreaterThan(0);
    const bill = JSON.parse(readFileSync(join(out, 'assay-98.7.6.sbom.json'), 'utf8'));
    const ours = bill.components.find(({ name }: { name: string }) => name === '@assay/gateway' || name === 'gateway');
    expect(ours?.version).toBe('98.7.6');
    for (const file of ['assay_client-98.7.6-py3-none-any.whl', 'assay_client-98.7.6.tar.gz']) {
      const site = join(folder, file);
      const quiet = ['--quiet', '--disable-pip-version-check', '--no-index', '--no-deps', '--no-build-isolation'];
      inFolder(out, 'python3', '-m', 'pip', 'install', ...quiet, '--target', site, join(out, file));
      expect(readFileSync(join(site, 'assay_client-98.7.6.dist-info/METADATA'), 'utf8')).toContain('Version: 98.7.6');
    }
    rmSync(folder, { recursive: true, force: true });
  },
  180_000,
);
