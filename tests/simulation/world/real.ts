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

/** Resolves when everything that can go on without a further event has gone on. */
export const settled = (): Promise<void> => new Promise((resolve) => real.setImmediate(resolve));
