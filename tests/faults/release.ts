import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** Another release of the suite, built in a folder of its own. */
export interface Release {
  /** The tag, branch or commit that was asked for. */
  ref: string;
  commit: string;
  folder: string;
}

const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

const run = (folder: string, command: string, ...args: string[]): void => {
  const { status, stderr } = spawnSync(command, args, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} in ${folder}: ${stderr.slice(-2000)}`);
};

/** The packages of this tree as hard links, or installed by npm if the lock file differs. */
const installPackages = (folder: string): void => {
  const lock = (tree: string): string => readFileSync(join(tree, 'package-lock.json'), 'utf8');
  if (lock(folder) !== lock(root)) {
    run(folder, 'npm', 'ci', '--no-audit', '--no-fund', '--prefer-offline');
    return;
  }
  const folders = git('ls-files', '--', '*package.json')
    .split('\n')
    .map((file) => join(file, '..', 'node_modules'));
  for (const one of folders.filter((each) => existsSync(join(root, each))))
    run(root, 'cp', '-al', one, join(folder, one));
};

/**
 * The tag of the last release.
 * @throws if there is none
 */
export const lastRelease = (): string => {
  const { status, stdout } = spawnSync('git', ['describe', '--tags', '--abbrev=0', 'HEAD^'], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error('no release is tagged yet: name a commit, --beside REF');
  return stdout.trim();
};

/** A release in `.cache/releases`, built if it is not there. */
export const buildRelease = (ref: string, say: (line: string) => void): Release => {
  const commit = git('rev-parse', '--short=12', `${ref}^{commit}`);
  const folder = join(root, '.cache/releases', commit);
  if (existsSync(folder)) return { ref, commit, folder };
  say(`building ${ref} (${commit})`);
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  run(root, 'sh', '-c', `git archive ${commit} | tar -x -C '${unfinished}'`);
  installPackages(unfinished);
  run(unfinished, process.execPath, 'scripts/build.mjs');
  renameSync(unfinished, folder);
  return { ref, commit, folder };
};
