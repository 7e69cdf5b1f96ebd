import { AsyncLocalStorage } from 'node:async_hooks';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import timersPromises from 'node:timers/promises';
import { real } from './real.ts';
import type { World } from './world.ts';

/*
 * Replaces time and randomness in this program by those of a world. Import it before anything that
 * asks for them. Without a world, those of Node are used.
 */

let world: World | undefined;

/** Uses this world's time and randomness from now on; undefined restores the real ones. */
export const useWorld = (next: World | undefined): void => {
  world = next;
};

const wallClock = (): number => (world ? world.now() + (world.current()?.skewMs ?? 0) : real.Date.now());

/**
 * Makes dates with the real constructor, so that a date is an instance of both. A plain function,
 * because a run evaluates `instanceof` millions of times.
 */
function SimulatedDate(...args: number[]): Date | string {
  if (!new.target) return new real.Date(wallClock()).toString();
  const given = args.length === 0 && world ? [wallClock()] : args;
  return Reflect.construct(real.Date, given, new.target === SimulatedDate ? real.Date : new.target);
}
const { UTC, parse, prototype } = real.Date;
Object.defineProperty(SimulatedDate, 'name', { value: 'Date' });
Object.assign(SimulatedDate, { UTC, parse, prototype, now: wallClock });

type Callback = (...args: unknown[]) => void;

/** The part of Node's Timeout that programs use. */
class Timer {
  readonly #begin: () => { cancel(): void };
  #scheduled: { cancel(): void };
  constructor(begin: () => { cancel(): void }) {
    this.#begin = begin;
    this.#scheduled = begin();
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
  hasRef(): boolean {
    return true;
  }
  refresh(): this {
    this.#scheduled.cancel();
    this.#scheduled = this.#begin();
    return this;
  }
  close(): this {
    this.#scheduled.cancel();
    return this;
  }
  [Symbol.dispose](): void {
    this.close();
  }
}

const within = (run: World, ms: number, label: string, work: () => void): Timer => {
  const process = run.current();
  return new Timer(() => run.after(ms, process, label, work));
};

const every = (run: World, ms: number, work: () => void): Timer => {
  const process = run.current();
  let next = { cancel: (): void => undefined };
  const begin = () => {
    const again = (): void => {
      next = run.after(ms, process, 'interval', again);
      work();
    };
    next = run.after(ms, process, 'interval', again);
    return { cancel: () => next.cancel() };
  };
  return new Timer(begin);
};

const msOf = (ms: unknown): number => Math.max(1, Number(ms) || 0);
const clear = (timer: unknown): void => {
  if (timer instanceof Timer) timer.close();
  else real.clearTimeout(timer as NodeJS.Timeout);
};

const timers = {
  setTimeout: (work: Callback, ms?: number, ...args: unknown[]): unknown =>
    world ? within(world, msOf(ms), 'timer', () => work(...args)) : real.setTimeout(work, ms, ...args),
  setInterval: (work: Callback, ms?: number, ...args: unknown[]): unknown =>
    world ? every(world, msOf(ms), () => work(...args)) : real.setInterval(work, ms, ...args),
  setImmediate: (work: Callback, ...args: unknown[]): unknown =>
    world ? within(world, 0, 'immediate', () => work(...args)) : real.setImmediate(work, ...args),
  clearTimeout: clear,
  clearInterval: clear,
  clearImmediate: clear,
};

const promised = {
  setTimeout: <T>(ms?: number, value?: T): Promise<T | undefined> =>
    new Promise((resolve) => void globalThis.setTimeout(() => resolve(value), ms)),
  setImmediate: <T>(value?: T): Promise<T | undefined> =>
    new Promise((resolve) => void globalThis.setImmediate(() => resolve(value))),
};

const timeoutSignal = (ms: number): AbortSignal => {
  const controller = new AbortController();
  globalThis.setTimeout(() => controller.abort(new DOMException('timed out', 'TimeoutError')), ms);
  return controller.signal;
};

const fill = (from: World, bytes: Uint8Array): void => {
  for (let at = 0; at < bytes.length; ) {
    // Takes four bytes from each number.
    for (let word = from.entropy.between(0, 0xffff_ffff), n = 0; n < 4 && at < bytes.length; n += 1, at += 1) {
      bytes[at] = word & 0xff;
      word >>>= 8;
    }
  }
};
const drawn = (from: World, size: number): Buffer => {
  const bytes = Buffer.alloc(size);
  fill(from, bytes);
  return bytes;
};
const uuidOf = (bytes: Buffer): string => {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};

const randomness = {
  randomUUID: (): string => (world ? uuidOf(drawn(world, 16)) : real.randomUUID()),
  randomBytes: (size: number, done?: (error: Error | null, bytes: Buffer) => void): unknown => {
    if (!world) return done ? real.randomBytes(size, done) : real.randomBytes(size);
    const bytes = drawn(world, size);
    if (!done) return bytes;
    globalThis.setImmediate(() => done(null, bytes));
    return undefined;
  },
  randomInt: (...args: number[]): number => {
    const [low, high] = args.length > 1 ? args : [0, ...args];
    return world ? world.entropy.between(low ?? 0, (high ?? 1) - 1) : real.randomInt(low ?? 0, high ?? 1);
  },
  randomFillSync: (bytes: Uint8Array): Uint8Array => {
    if (!world) return real.randomFillSync(bytes);
    fill(world, bytes);
    return bytes;
  },
};

const getRandomValues = <T extends Uint8Array>(bytes: T): T => {
  if (!world) return real.getRandomValues(bytes);
  fill(world, new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  return bytes;
};

real.Date.prototype.constructor = SimulatedDate;
Object.assign(globalThis, timers, { Date: SimulatedDate });
Object.assign(performance, { now: () => (world ? world.now() : real.performanceNow()) });
Object.assign(Math, { random: () => (world ? world.entropy.next() : real.random()) });
Object.assign(timersPromises, promised);
Object.assign(AbortSignal, { timeout: timeoutSignal });
Object.assign(crypto, randomness);
Object.assign(globalThis.crypto, { getRandomValues, randomUUID: randomness.randomUUID });
// AsyncLocalStorage separates rounds of sweepers only for metrics and readiness, which no run
// inspects. Following it through the endless rounds of dead processes would double the cost of each
// promise.
Object.assign(AsyncLocalStorage.prototype, {
  run: <T>(_store: unknown, work: (...args: unknown[]) => T, ...args: unknown[]): T => work(...args),
  getStore: () => undefined,
});
syncBuiltinESMExports();
