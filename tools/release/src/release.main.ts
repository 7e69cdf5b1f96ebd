/**
 * npm run release -- --version X.Y.Z [--date YYYY-MM-DD] [--out FOLDER] [--platforms LIST]
 * [--no-images] [--dry-run]
 *
 * Makes everything a release consists of from the last commit: chart, client packages, bill of
 * materials, notes, checksums, and images where docker is there. Nothing is published. Without
 * --dry-run the version is then written into the files that name it, to be committed and tagged.
 *   --version X.Y.Z     not before the present one
 *   --date YYYY-MM-DD   the day of the release (today)
 *   --out FOLDER        where the files go; a new folder (.run/release/X.Y.Z)
 *   --platforms LIST    images for several platforms (linux/amd64,linux/arm64), by docker buildx,
 *                       as OCI archives beside the other files; one for this machine when left out
 *   --no-images         builds no images
 *   --dry-run           leaves the files of the repository as they are
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readArguments } from '../../../scripts/arguments.mjs';
import { buildImages, commitWith, layOut, linkedByChart, makeFiles, writeChecksums } from './artefacts.ts';
import { namesVersion, notesOf, type Release, released } from './version.ts';

const root = join(import.meta.dirname, '../../..');
const options = readArguments(import.meta.filename, {
  version: { type: 'string' },
  date: { type: 'string', default: new Date().toISOString().slice(0, 10) },
  out: { type: 'string' },
  platforms: { type: 'string' },
  'no-images': { type: 'boolean', default: false },
  'dry-run': { type: 'boolean', default: false },
});

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 27 });

/** The files that name the version, as the last commit has them. */
const present = (): Record<string, string> =>
  Object.fromEntries(
    git('ls-tree', '-r', '--name-only', 'HEAD')
      .split('\n')
      .filter(namesVersion)
      .map((path) => [path, git('show', `HEAD:${path}`)]),
  );

const imagesOf = (workshop: Parameters<typeof buildImages>[0]): string => {
  if (options['no-images']) return 'images: not built, as asked';
  const images = buildImages(workshop, options.platforms);
  return images.length > 0 ? `images: ${images.join(', ')}` : 'images: not built, no docker daemon answers';
};

const make = (release: Release, folder: string): Record<string, string> => {
  const { version } = release;
  const files = released(present(), release);
  const notes = notesOf(files['CHANGELOG.md'] ?? '', release);
  const out = resolve(process.env.INIT_CWD ?? '.', options.out ?? join(root, '.run/release', version));
  mkdirSync(join(out, '..'), { recursive: true });
  mkdirSync(out);
  const workshop = { root, copy: join(folder, 'copy'), out, version };
  mkdirSync(workshop.copy);
  const commit = commitWith(root, { ...files, ...linkedByChart(root) }, folder);
  layOut(workshop, commit);
  makeFiles(workshop, commit);
  writeFileSync(join(out, 'NOTES.md'), notes);
  const images = imagesOf(workshop);
  const names = writeChecksums(out);
  console.log(`${[...names, 'SHA256SUMS'].join('\n')}\nin ${out}`);
  console.log(images);
  return files;
};

const run = (folder: string): void => {
  const { version, date } = options;
  if (version === undefined) throw new Error('--version X.Y.Z is needed');
  const isClean = git('status', '--porcelain').trim() === '';
  if (!isClean && !options['dry-run']) throw new Error('there are changes that are not committed');
  if (!isClean) console.log('changes that are not committed are left out');
  const files = make({ version, date }, folder);
  if (options['dry-run']) {
    console.log('a dry run: the files of the repository are as they were');
    return;
  }
  for (const [path, text] of Object.entries(files))
    if (readFileSync(join(root, path), 'utf8') !== text) writeFileSync(join(root, path), text);
  console.log(
    `now: git commit -am "Release ${version}" && git tag -s v${version}, and publish as CONTRIBUTING.md says`,
  );
};

const folder = mkdtempSync(join(tmpdir(), 'assay-release-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
process.on('uncaughtException', ({ message }) => {
  console.error(message);
  process.exit(1);
});
run(folder);
