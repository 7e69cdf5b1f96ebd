import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Exercise } from './run.ts';
import type { Engines } from './stage.ts';
import { most, waitingToBePublished } from './watch.ts';

const MB = 1024 * 1024;
const SIZE_MB = 1500;
const ENGINES = ['mongodb', 'rabbitmq'] as const;
/** The free space that is left: the broker stops publishers at 50 MB, the database gets none. */
const LEFT_MB = { mongodb: 0, rabbitmq: 20 };
const FILL_EVERY_MS = 100;

const freeMb = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder);
  return (bavail * bsize) / MB;
};

/** Writes into the file until only so much space is free. */
const fill = (folder: string, file: number, leftMb: number): void => {
  const piece = Buffer.alloc(MB);
  try {
    while (freeMb(folder) > leftMb) writeSync(file, piece);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
};

/**
 * Gives each engine a file system of its own, in memory, before it starts in `folder`. Returns a
 * function that removes them. Needs the right to mount.
 */
export const mountDisks = (folder: string): (() => void) => {
  const disks = ENGINES.map((engine) => join(folder, 'data', engine));
  for (const disk of disks) {
    mkdirSync(disk, { recursive: true, mode: 0o700 });
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MB}m,mode=0700`, 'tmpfs', disk]);
  }
  return () => {
    for (const disk of disks) execFileSync('umount', ['--lazy', disk]);
  };
};

/**
 * The disk of the broker is full for a time, then the disk of the database; then both have room
 * again. Writes into `figures` how often each engine was restarted, and how many documents had
 * events that waited.
 */
export const fullDisks = (
  folder: string,
  ms: number,
  { pidOf }: Pick<Engines, 'pidOf'>,
  figures: Record<string, number>,
): Exercise[] =>
  ENGINES.toReversed().map((engine) => ({
    name: `the disk of ${engine} is full`,
    run: async () => {
      const disk = join(folder, 'data', engine);
      const path = join(disk, 'ballast');
      const file = openSync(path, 'w');
      const pids = new Set<number | undefined>();
      const until = performance.now() + ms;
      while (performance.now() < until) {
        fill(disk, file, LEFT_MB[engine]);
        pids.add(pidOf?.(engine));
        most(figures, `${engine} full: documents with events to publish, most`, await waitingToBePublished());
        await pause(FILL_EVERY_MS);
      }
      closeSync(file);
      rmSync(path);
      figures[`${engine} full: starts`] = pids.size - 1;
      return 1;
    },
  }));
