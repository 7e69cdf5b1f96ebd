import { setTimeout as pause, setImmediate as soon } from 'node:timers/promises';
import type { Response } from 'express';

/** Looks in a row without a pause: mostly the connection takes the last bytes within these. */
const AT_ONCE = 20;
const LONGEST_PAUSE_MS = 200;

/**
 * Resolves once the connection has taken every byte written so far; rejects when it is closed. Node
 * tells only of a buffer that was full, so it is looked at, and seldom where a client has stopped
 * reading.
 */
export const flushed = async (response: Response): Promise<void> => {
  const isPending = (): boolean => response.writableLength > 0 || (response.socket?.writableLength ?? 0) > 0;
  for (let looks = 1; isPending(); looks += 1) {
    if (response.destroyed) throw new Error('the client went away');
    await (looks < AT_ONCE ? soon() : pause(Math.min(looks, LONGEST_PAUSE_MS)));
  }
  if (response.destroyed || response.socket?.destroyed) throw new Error('the client went away');
};
