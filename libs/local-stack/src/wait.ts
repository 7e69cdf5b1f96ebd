import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** Whether something accepts connections at a port. */
export const accepts = (port: number, host = '127.0.0.1'): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = net.connect({ port, host });
    const answer = (value: boolean) => () => {
      socket.destroy();
      resolve(value);
    };
    socket.once('connect', answer(true));
    socket.once('error', answer(false));
    socket.setTimeout(1_000, answer(false));
  });

/**
 * Asks `check` again and again until it says yes; false when `timeoutMs` passed or `signal` fired
 * before.
 */
export const waitUntil = async (
  check: () => Promise<boolean>,
  { timeoutMs, everyMs = 50, signal }: { timeoutMs: number; everyMs?: number; signal?: AbortSignal },
): Promise<boolean> => {
  const deadline = performance.now() + timeoutMs;
  while (!signal?.aborted) {
    if (await check()) return true;
    if (performance.now() > deadline) return false;
    await pause(everyMs);
  }
  return false;
};
