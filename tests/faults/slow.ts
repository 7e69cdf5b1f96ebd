import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Exercise } from './run.ts';
import type { Stage } from './stage.ts';

/** Verification runs for a tenth of the time. */
const STOPPED_MS = 450;
const RUNNING_MS = 50;

/** A process and all processes that it started. */
const withChildren = (pid: number): number[] => {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  return [pid, ...children.flatMap(withChildren)];
};

/**
 * Verification runs for a tenth of the time: the workers and their engines are stopped and
 * continued in turns.
 */
export const slowVerification = (stage: Stage, ms: number): Exercise => ({
  name: 'verification is ten times slower',
  run: async () => {
    const workers = stage.labels.filter((label) => label.startsWith('verification-worker'));
    const until = performance.now() + ms;
    let stops = 0;
    while (performance.now() < until) {
      const stopped = workers.flatMap((label) => withChildren(stage.pidOf(label)!));
      for (const pid of stopped) process.kill(pid, 'SIGSTOP');
      await pause(STOPPED_MS);
      for (const pid of stopped) process.kill(pid, 'SIGCONT');
      await pause(RUNNING_MS);
      stops++;
    }
    return stops;
  },
});
