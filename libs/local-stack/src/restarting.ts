import { setTimeout as pause } from 'node:timers/promises';
import type { Say } from './engine.ts';

/** What can be started again: engines and children both are. */
export interface Running {
  readonly pid?: number;
  readonly ended: Promise<string>;
  stop(graceMs: number): Promise<void>;
}

/** Something that is started again whenever it ends. */
export interface Restarting<T extends Running> {
  readonly name: string;
  /** Resolves with the first run, once it was started; rejects when that failed. */
  readonly first: Promise<T>;
  /** How often it ended by itself, and how the last time. */
  readonly ends: () => { count: number; last: string };
  /** Ends it and starts it no more. */
  stop(graceMs: number): Promise<void>;
}

const steadyMs = 10_000;
const longestPauseMs = 2_000;

/**
 * At once after a steady run; the quicker it keeps ending, the longer the pause, always under the
 * promised three seconds.
 */
export const pauseBefore = (quickEnds: number): number =>
  quickEnds <= 1 ? 0 : Math.min(longestPauseMs, 50 * 2 ** quickEnds);

/**
 * Starts something and starts it again, on the same ports and data, each time it ends, until
 * `stop` is called.
 */
export const restarting = <T extends Running>(name: string, start: () => Promise<T>, say: Say): Restarting<T> => {
  let current: T | undefined;
  let stopping = false;
  const stopped = new AbortController();
  const ends = { count: 0, last: '' };
  const first = start();

  const again = async (): Promise<T | undefined> => {
    try {
      return await start();
    } catch (error) {
      ends.last = String(error);
      say(`${name} could not be started again: ${String(error)}`);
      return undefined;
    }
  };

  const loop = async (): Promise<void> => {
    let quickEnds = 0;
    current = await first.catch(() => undefined);
    if (!current) return;
    while (!stopping) {
      const since = performance.now();
      const how = current ? await current.ended : ends.last;
      current = undefined;
      if (stopping) return;
      quickEnds = performance.now() - since > steadyMs ? 1 : quickEnds + 1;
      ends.count += 1;
      ends.last = how;
      say(`${name} ended ${how}: starting it again`);
      await pause(pauseBefore(quickEnds), undefined, { signal: stopped.signal }).catch(() => undefined);
      if (!stopping) current = await again();
    }
  };
  const looping = loop();

  return {
    name,
    first,
    ends: () => ends,
    stop: async (graceMs) => {
      stopping = true;
      stopped.abort();
      await current?.stop(graceMs);
      await looping;
      await current?.stop(graceMs);
    },
  };
};
