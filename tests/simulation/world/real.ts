import crypto from 'node:crypto';

/** Node's own time and randomness, saved before they are replaced. */
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

/** Real milliseconds that have passed. */
export const realMs = (): number => real.performanceNow();

/**
 * Runs everything that can run without a further event: promises and `process.nextTick`. Call it
 * only in a callback of Node, never after an `await`.
 */
export const settle = (): void => (process as unknown as { _tickCallback(): void })._tickCallback();

/** Runs `work` in a callback of Node, when nothing else is waiting to run. */
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
