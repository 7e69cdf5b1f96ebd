import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { SERVICE_NAMES } from '@assay/contracts';

export interface Workshop {
  /** The repository. */
  root: string;
  /** A folder of its own with the files of the release. */
  copy: string;
  /** Where artefacts go. */
  out: string;
  version: string;
}

const output = (command: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): Buffer =>
  execFileSync(command, args, {
    cwd,
    env: { ...process.env, ...env },
    maxBuffer: 2 ** 30,
    stdio: ['ignore', 'pipe', 'inherit'],
  });

/**
 * Files with these texts in place of those of the last commit, as a commit that no branch knows.
 * Neither the branch nor the folder changes.
 */
export const commitWith = (root: string, changes: Readonly<Record<string, string>>, folder: string): string => {
  const env = { GIT_INDEX_FILE: join(folder, 'index') };
  const git = (args: readonly string[], input?: string): string =>
    execFileSync('git', args, { cwd: root, env: { ...process.env, ...env }, encoding: 'utf8', input }).trim();
  git(['read-tree', 'HEAD']);
  for (const [path, text] of Object.entries(changes)) {
    const blob = git(['hash-object', '-w', '--stdin'], text);
    git(['update-index', '--cacheinfo', `100644,${blob},${path}`]);
  }
  return committed(root, git(['write-tree']));
};

/** A tree as a commit of the time of the last one: archives of it are the same to the last byte. */
const committed = (root: string, tree: string): string => {
  const time = output('git', ['show', '-s', '--format=%cI', 'HEAD'], root).toString().trim();
  const who = {
    GIT_AUTHOR_NAME: 'release',
    GIT_AUTHOR_EMAIL: '',
    GIT_COMMITTER_NAME: 'release',
    GIT_COMMITTER_EMAIL: '',
  };
  const when = { GIT_AUTHOR_DATE: time, GIT_COMMITTER_DATE: time };
  return output('git', ['commit-tree', tree, '-m', 'release'], root, { ...who, ...when })
    .toString()
    .trim();
};

/** The packages of the repository beside a copy of it; our own are the copy's. */
const linkPackages = (root: string, copy: string): void => {
  const from = join(root, 'node_modules');
  mkdirSync(join(copy, 'node_modules'));
  for (const name of readdirSync(from).filter((each) => each !== '@assay'))
    symlinkSync(join(from, name), join(copy, 'node_modules', name));
  mkdirSync(join(copy, 'node_modules/@assay'));
  for (const folder of ['libs', 'services', 'tools'])
    for (const name of readdirSync(join(copy, folder)))
      symlinkSync(join('../../', folder, name), join(copy, 'node_modules/@assay', name));
};

/** Lays the files of a commit out in a folder of their own, where they can be built. */
export const layOut = ({ root, copy }: Workshop, commit: string): void => {
  const archive = output('git', ['archive', '--format=tar', commit], root);
  execFileSync('tar', ['-x', '-C', copy], { input: archive });
  linkPackages(root, copy);
};

const CHART = 'deploy/helm/assay';

/**
 * The files that the chart has as links to others of the repository, with their text: in a package
 * of its own a link leads nowhere.
 */
export const linkedByChart = (root: string): Record<string, string> => {
  const git = (...args: string[]): string => output('git', args, root).toString();
  const links = git('ls-tree', '-r', 'HEAD', CHART)
    .split('\n')
    .filter((line) => line.startsWith('120000'));
  const paths = links.map((line) => line.split('\t')[1] ?? '');
  return Object.fromEntries(
    paths.map((path) => [path, git('show', `HEAD:${normalize(join(dirname(path), git('show', `HEAD:${path}`)))}`)]),
  );
};

/** What `helm package` makes: the chart's folder under its name. */
const chart = ({ root, out, version }: Workshop, commit: string): void => {
  const tree = committed(root, `${commit}:${CHART}`);
  const file = join(out, `assay-chart-${version}.tgz`);
  output('git', ['archive', '--format=tar.gz', '--prefix=assay/', '-o', file, tree], root);
};

const clients = ({ copy, out }: Workshop): void => {
  output(process.execPath, ['scripts/pack-client.mjs', out], copy);
  const python = 'import sys, build_wheel as b; b.build_wheel(sys.argv[1]); b.build_sdist(sys.argv[1])';
  output('python3', ['-B', '-c', python, out], join(copy, 'clients/python'));
};

const bill = ({ copy, out, version }: Workshop): void => {
  const workspaces = SERVICE_NAMES.flatMap((service) => ['-w', `services/${service}`]);
  const args = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--omit=dev', ...workspaces];
  writeFileSync(join(out, `assay-${version}.sbom.json`), output('npm', args, copy));
};

/**
 * What docker is told to build the image of a service: one for this machine in the local docker, or
 * one for several platforms (`linux/amd64,linux/arm64`) in an OCI archive beside the other files.
 */
export const imageBuild = (
  service: string,
  { version, out }: Pick<Workshop, 'version' | 'out'>,
  platforms?: string,
) => {
  const image = `assay/${service}:${version}`;
  const common = ['-q', '-f', 'deploy/Dockerfile', '--build-arg', `SERVICE=${service}`, '-t', image];
  if (!platforms) return { image, args: ['build', ...common, '.'] };
  const file = `assay-${service}-${version}.oci.tar`;
  const output = `type=oci,dest=${join(out, file)}`;
  return { image: file, args: ['buildx', 'build', '--platform', platforms, '--output', output, ...common, '.'] };
};

/** Builds the images; returns what each is called, none where no daemon answers. */
export const buildImages = (workshop: Workshop, platforms?: string): string[] => {
  if (spawnSync('docker', ['info'], { stdio: 'ignore' }).status !== 0) return [];
  return SERVICE_NAMES.map((service) => {
    const { image, args } = imageBuild(service, workshop, platforms);
    execFileSync('docker', args, { cwd: workshop.copy, stdio: ['ignore', 'ignore', 'inherit'] });
    return image;
  });
};

/** The files of a release but its images: chart, client packages, bill of materials. */
export const makeFiles = (workshop: Workshop, commit: string): void => {
  chart(workshop, commit);
  clients(workshop);
  bill(workshop);
};

/**
 * Writes SHA256SUMS, in the form of sha256sum, over everything else in the folder; returns what it
 * lists.
 */
export const writeChecksums = (folder: string): string[] => {
  const names = readdirSync(folder)
    .filter((name) => name !== 'SHA256SUMS')
    .sort();
  const lines = names.map((name) => {
    const hash = createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex');
    return `${hash}  ${name}\n`;
  });
  writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''));
  return names;
};
