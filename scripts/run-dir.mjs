/**
 * A run directory seen from outside: who runs it, starting a supervisor for it, and ending whatever
 * it left.
 */
import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { root } from './build.mjs';
import { ownerOf, startOf, takeLock } from './lock.mjs';

/**
 * Every process of a run carries this variable, so that it can be found whatever became of its
 * parents.
 */
const mark = 'ASSAY_RUN_DIR';

const lockFile = (dir) => join(dir, 'supervisor.lock');
export const stackFile = (dir) => join(dir, 'stack.json');

/** The message about an unknown option, in one line: it says where the known ones are. */
const withHelp = (error) => {
  const name = basename(process.argv[1] ?? '', '.mjs');
  const [reason] = error.message.split('\n');
  return new Error(`${reason}; npm run ${name} -- --help tells how it is called`);
};

const parsed = (args) => {
  try {
    return parseArgs({
      args,
      options: {
        'run-dir': { type: 'string' },
        replicas: { type: 'string' },
        workers: { type: 'string' },
        port: { type: 'string' },
      },
    }).values;
  } catch (error) {
    throw withHelp(error);
  }
};

/** The command line of `up` and `down`; throws with what is wrong about it. */
export const readOptions = (argv) => {
  const values = parsed(argv);
  const number = (name, low, high) => {
    if (values[name] === undefined) return undefined;
    const value = Number(values[name]);
    if (!Number.isInteger(value) || value < low || value > high)
      throw new Error(`--${name} takes a number from ${low} to ${high}`);
    return value;
  };
  // A variable that is not set would make the present folder the run directory.
  if (values['run-dir'] === '') throw new Error('--run-dir takes a folder');
  const dir = resolve(process.env.INIT_CWD ?? process.cwd(), values['run-dir'] ?? join(root, '.run'));
  return {
    ...{ dir, replicas: number('replicas', 1, 8), workers: number('workers', 0, 16) },
    port: number('port', 1, 65_535),
  };
};

/** The options of `up` that a running suite was not started with, each with what it has instead. */
export const notApplied = ({ replicas, workers, port }, { baseUrl, services }) => {
  const countOf = (service) => services[service]?.length ?? 0;
  const options = [
    ['replicas', replicas, countOf('gateway')],
    ['workers', workers, countOf('verification-worker')],
    ['port', port, baseUrl && Number(new URL(baseUrl).port)],
  ];
  return options
    .filter(([, asked, has]) => asked !== undefined && asked !== has)
    .map(([name, asked, has]) => `--${name} ${asked} (it has ${has})`);
};

/** The supervisor of a run directory, when one lives: `{ pid }`. */
export const supervisorOf = (dir) => ownerOf(lockFile(dir));

/** The stack a run directory serves; undefined until it is ready. */
export const readStack = (dir) => {
  try {
    return JSON.parse(readFileSync(stackFile(dir), 'utf8'));
  } catch {
    return undefined;
  }
};

const readOr = (file, fallback) => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return fallback;
  }
};

const processesOf = (dir) => {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => readOr(`/proc/${name}/environ`, '').split('\0').includes(`${mark}=${dir}`))
    .map(Number);
};

const kill = (pid, signal) => {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
};

/** Ends what a supervisor that was killed left running; returns how many processes that were. */
export const endLeftovers = async (dir, spared = []) => {
  const found = processesOf(dir).filter((pid) => !spared.includes(pid));
  for (const pid of found) kill(pid, 'SIGKILL');
  while (found.some((pid) => startOf(pid) !== undefined)) await pause(20);
  return found.length;
};

/**
 * Ends the supervisor of a run directory and everything it runs. Returns false when nothing ran.
 */
export const endRun = async (dir, deadlineMs = 40_000) => {
  const owner = supervisorOf(dir);
  if (owner) {
    kill(owner.pid, 'SIGTERM');
    const deadline = Date.now() + deadlineMs;
    while (startOf(owner.pid) === owner.start && Date.now() < deadline) await pause(50);
    if (startOf(owner.pid) === owner.start) kill(owner.pid, 'SIGKILL');
  }
  const left = await endLeftovers(dir);
  rmSync(stackFile(dir), { force: true });
  rmSync(lockFile(dir), { force: true });
  return owner !== undefined || left > 0;
};

/** Folders for this user alone. Node's own way to make several at once never ends below /proc. */
const makeFolders = (dir) => {
  if (existsSync(dir)) return;
  makeFolders(dirname(dir));
  try {
    mkdirSync(dir, { mode: 0o700 });
  } catch (error) {
    // Another process has made it meanwhile.
    if (error.code !== 'EEXIST') throw error;
  }
};

/** Makes a run directory when it is missing and returns its real path. */
export const makeRunDir = (dir) => {
  makeFolders(join(dir, 'logs'));
  return realpathSync(dir);
};

const spawnSupervisor = (dir, env) => {
  const log = openSync(join(dir, 'logs/supervisor.log'), 'a', 0o600);
  const child = spawn(process.execPath, ['--enable-source-maps', join(root, 'libs/local-stack/dist/supervisor.js')], {
    cwd: root,
    detached: true,
    env: { ...process.env, ...env, [mark]: dir },
    stdio: ['ignore', log, log, 'ipc'],
  });
  closeSync(log);
  return child;
};

/**
 * Starts a supervisor in a run directory (`dir` from makeRunDir) and waits until all is ready.
 * Returns it, or undefined when another has the directory. Throws with the reason when it fails;
 * nothing is left running then. `tied`: it ends with this process. `env`: what it gets beside ours.
 */
export const startSupervisor = async (
  { dir, replicas = 1, workers = undefined, port = undefined, withPrograms = true, tied = false, env = {} },
  say,
) => {
  const child = spawnSupervisor(dir, env);
  const exited = new Promise((done) => child.once('exit', done));
  /** @type {Promise<void>} */
  const outcome = new Promise((done, fail) => {
    child.on('message', (/** @type {{ say?: string, ready?: boolean, failed?: string }} */ message) => {
      if (message.say) say(message.say);
      if (message.ready) done();
      if (message.failed) fail(new Error(message.failed));
    });
    child.once('error', fail);
    child.once('exit', (code, signal) =>
      fail(new Error(`the supervisor ended ${signal ?? `with code ${code}`}, see ${join(dir, 'logs/supervisor.log')}`)),
    );
  });
  outcome.catch(() => undefined);
  if (!takeLock(lockFile(dir), child.pid)) {
    child.kill('SIGKILL');
    return undefined;
  }
  rmSync(stackFile(dir), { force: true });
  const left = await endLeftovers(dir, [child.pid]);
  if (left > 0) say(`ended ${left} processes that an earlier run had left`);
  child.send({ runDir: dir, replicas, workers, port, withPrograms, tied });
  try {
    await outcome;
  } catch (error) {
    await exited;
    rmSync(lockFile(dir), { force: true });
    throw error;
  }
  return child;
};
