import crypto from 'node:crypto';

/** Node's own time and randomness, from before others were put in their place. */
export const real = {
  Date: globalThis.Date,
  setTimeout: globalThis.setTimeout,
  setInterval: globalThis.setInterval,
  setImmediate: globalThis.setImmediate,
  clearTimeout: globalThis.clearTimeout,
  performanceNow: performance.now.bind(performance),
  random: Math.random,
  randomBytes: crypto.randomBytes,
  randomUUID: crypto.randomUUID,
  randomInt: crypto.randomInt,
  randomFillSync: crypto.randomFillSync,
  getRandomValues: globalThis.crypto.getRandomValues.bind(globalThis.crypto),
};

/** Milliseconds that have really passed. */
export const realMs = (): number => real.performanceNow();

/**
 * Has everything go on that can go on without a further event: promises and `process.nextTick`.
 * Only in a callback of Node, never behind an `await`.
 */
export const settle = (): void => (process as unknown as { _tickCallback(): void })._tickCallback();

/** Resolves in a callback of Node, where nothing else waits to go on. */
export const inCallback = (work: () => void): Promise<void> =>
  new Promise((resolve, reject) => {
    real.setImmediate(() => {
      try {
        work();
        resolve();
      } catch (error) {
        reject(error);
      }
    });
  });
