/**
 * Locks between processes: a file that names its owner, so that an owner that died does not keep
 * it.
 */
import { randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * When a process started, in the system's own units; undefined when it is gone (always `alive`
 * where /proc is missing).
 */
export const startOf = (pid) => {
  try {
    process.kill(pid, 0);
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch (error) {
    return error.code === 'ENOENT' && process.platform !== 'linux' ? 'alive' : undefined;
  }
};

const { O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY, O_WRONLY } = constants;

/**
 * The text of a lock file. Throws for a link, for what is no file, and for a file of another user:
 * in a folder that others write to, it would name any process of ours as its owner, and that
 * process would be ended.
 */
const readOwn = (file) => {
  const descriptor = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const found = fstatSync(descriptor);
    if (!found.isFile()) throw new Error(`${file} is no file`);
    if (process.getuid && found.uid !== process.getuid()) throw new Error(`${file} belongs to another user`);
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
};

/** Writes a file that must not be there yet, for this user alone. */
const writeNew = (file, text) => {
  const descriptor = openSync(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    writeFileSync(descriptor, text);
  } finally {
    closeSync(descriptor);
  }
};

/** The living owner of a lock file; undefined when there is none. */
export const ownerOf = (file) => {
  try {
    const owner = JSON.parse(readOwn(file));
    return startOf(owner.pid) === owner.start ? owner : undefined;
  } catch {
    return undefined;
  }
};

/** Takes a lock for a process; false when another living one has it. */
export const takeLock = (file, pid = process.pid) => {
  mkdirSync(dirname(file), { recursive: true });
  const mine = `${file}.${randomUUID()}`;
  writeNew(mine, JSON.stringify({ pid, start: startOf(pid) }));
  try {
    for (;;) {
      try {
        linkSync(mine, file);
        return true;
      } catch (error) {
        if (error.code !== 'EEXIST') throw error;
        if (ownerOf(file)) return false;
        dropStale(file);
      }
    }
  } finally {
    rmSync(mine, { force: true });
  }
};

/** Moves a lock whose owner died out of the way; only one of several that try at once moves it. */
const dropStale = (file) => {
  const aside = `${file}.stale.${randomUUID()}`;
  try {
    renameSync(file, aside);
    rmSync(aside, { force: true });
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
};

/** Runs `work` while holding a lock, waiting for it as long as its owner lives. */
export const withLock = async (file, work) => {
  while (!takeLock(file)) await pause(200);
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
};
