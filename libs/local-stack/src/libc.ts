import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { findProgram, run } from './command.ts';
import type { Say } from './engine.ts';

const wanted = [2, 38] as const;
const suite = 'trixie';
const machines = {
  x64: { triplet: 'x86_64-linux-gnu', loader: 'ld-linux-x86-64.so.2' },
  arm64: { triplet: 'aarch64-linux-gnu', loader: 'ld-linux-aarch64.so.1' },
} as const;

/** How to run Node so that the embedded MongoDB finds the libc it needs. */
export interface NodeCommand {
  readonly command: string;
  readonly args: readonly string[];
}

const plainNode: NodeCommand = { command: process.execPath, args: [] };

/** The version of this machine's GNU libc; undefined on another libc or system. */
const glibcVersion = async (): Promise<readonly [number, number] | undefined> => {
  if (process.platform !== 'linux' || !findProgram('getconf')) return undefined;
  const text = await run('getconf', ['GNU_LIBC_VERSION']).catch(() => '');
  const match = /glibc (\d+)\.(\d+)/.exec(text);
  return match ? [Number(match[1]), Number(match[2])] : undefined;
};

const isEnough = ([major, minor]: readonly [number, number]): boolean =>
  major > wanted[0] || (major === wanted[0] && minor >= wanted[1]);

/** Folder for what a user keeps between runs and repositories. */
const cacheDir = (): string => join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'assay');

const debianSource = async (): Promise<{ mirror: string; keyring: string } | undefined> => {
  const folder = '/etc/apt/sources.list.d';
  const names = existsSync(folder) ? await readdir(folder) : [];
  const files = [...names.map((name) => join(folder, name)), '/etc/apt/sources.list'].filter(existsSync);
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')));
  const addresses = texts.flatMap((text) => text.match(/\S+:\/\/\S+\/debian\/?(?=\s|$)/gm) ?? []);
  const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';
  const mirror = addresses[0];
  return mirror && existsSync(keyring) ? { mirror, keyring } : undefined;
};

/**
 * Fetches Debian 13's libc into `target` through a private apt state: nothing of the system
 * changes.
 */
const fetchLibc = async (target: string): Promise<void> => {
  const source = await debianSource();
  if (!source || !findProgram('apt-get') || !findProgram('dpkg')) {
    throw new Error(
      `the embedded MongoDB needs glibc ${wanted.join('.')} and this system is neither that new nor Debian: ` +
        'set MONGODB_URI, install mongod, or start Docker',
    );
  }
  await mkdir(join(target, '..'), { recursive: true, mode: 0o700 });
  const work = await mkdtemp(`${target}.`);
  await Promise.all(
    ['lists/partial', 'cache/archives/partial', 'tree'].map((d) => mkdir(join(work, d), { recursive: true })),
  );
  await writeFile(join(work, 'list'), `deb [signed-by=${source.keyring}] ${source.mirror} ${suite} main\n`);
  const settings = [
    `Dir::Etc::sourcelist=${work}/list`,
    'Dir::Etc::sourceparts=-',
    `Dir::State=${work}`,
    `Dir::State::lists=${work}/lists`,
    `Dir::Cache=${work}/cache`,
    'Acquire::Languages=none',
    'APT::Sandbox::User=root',
  ].flatMap((setting) => ['-o', setting]);
  await run('apt-get', [...settings, 'update', '-qq'], { cwd: work });
  await run('apt-get', [...settings, 'download', '-qq', `libc6/${suite}`], { cwd: work });
  const deb = (await readdir(work)).find((name) => name.endsWith('.deb')) ?? 'libc6.deb';
  await run('dpkg', ['-x', deb, 'tree'], { cwd: work });
  // Whoever renames first wins; the other's tree is the same.
  await rename(join(work, 'tree'), target).catch((error) => {
    if (!existsSync(target)) throw error;
  });
  await rm(work, { recursive: true, force: true });
};

/**
 * The command that runs Node under a libc the embedded MongoDB can be loaded with: Node itself, or
 * Node under Debian 13's libc from the user's cache folder, which is filled on first use.
 * @throws when neither is possible, with what to do instead
 */
export const nodeForMongo = async (say: Say): Promise<NodeCommand> => {
  if (process.platform === 'darwin') return plainNode;
  const version = await glibcVersion();
  if (version && isEnough(version)) return plainNode;
  const machine = machines[process.arch as keyof typeof machines];
  if (!version || !machine) {
    throw new Error(
      'the embedded MongoDB does not run on this system: set MONGODB_URI, install mongod, or start Docker',
    );
  }
  const target = join(cacheDir(), `libc-${suite}-${process.arch}`);
  const libs = join(target, 'usr/lib', machine.triplet);
  if (!existsSync(join(libs, machine.loader))) {
    say(`fetching Debian 13's libc for the embedded MongoDB (this system has glibc ${version.join('.')})`);
    await fetchLibc(target);
  }
  const path = [libs, `/lib/${machine.triplet}`, `/usr/lib/${machine.triplet}`].join(':');
  return { command: join(libs, machine.loader), args: ['--library-path', path, process.execPath] };
};
