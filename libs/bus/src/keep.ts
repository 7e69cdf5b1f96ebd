import { type Log, pauseAfter } from '@assay/runtime';
import { type Effect, notYetOpened, type Phase, step, type Upkeep, type UpkeepEvent } from './upkeep.ts';

/** What an open thing tells of itself; each may come at any time and more than once. */
export interface Run {
  lost(reason: unknown): void;
  unusable(reason: unknown): void;
}

export interface KeepOptions<T> {
  name: string;
  log: Log;
  /** Opens one; rejects when that fails, leaving nothing open. */
  open(run: Run): Promise<T>;
  /** Closes it; `lost` may be heard meanwhile. */
  close(value: T): Promise<unknown>;
  /** Opening or closing does not end: whatever it is opened on has to go. */
  onStuck(): void;
  /** When it is stuck, in milliseconds. */
  stuckMs?: number;
  onPhase?(phase: Phase): void;
}

export interface Maintained<T> {
  now(): T | undefined;
  /**
   * The one that is open, or the next one; rejects with what `late` makes when the patience, in
   * milliseconds, is over.
   */
  next(patienceMs: number, late: () => Error): Promise<T>;
  /** Resolves when the first run has opened or failed. */
  attempted: Promise<void>;
  phase(): Phase;
  /** Why it was lost last. */
  reason(): string | undefined;
  baseUp(): void;
  baseDown(): void;
  /** Closes it for good; resolves when it is closed. */
  stop(): Promise<void>;
}

const BACKOFF = { firstMs: 100, longestMs: 10_000 };
const STEADY_MS = 10_000;
const STUCK_MS = 15_000;

const textOf = (reason: unknown): string => (reason instanceof Error ? reason.message : String(reason));

/** A promise, and the function that resolves it. */
const createSignal = () => {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
};

/** Those who wait for the next value. */
const createWaiters = <T>() => {
  const waiting = new Set<(value: T) => void>();
  return {
    wait: (patienceMs: number, late: () => Error): Promise<T> =>
      new Promise((resolve, reject) => {
        const go = (value: T): void => {
          clearTimeout(timer);
          waiting.delete(go);
          resolve(value);
        };
        const timer = setTimeout(() => {
          waiting.delete(go);
          reject(late());
        }, patienceMs);
        waiting.add(go);
      }),
    give: (value: T): void => {
      for (const go of [...waiting]) go(value);
    },
  };
};

/** Timers that end together. */
const createTimers = () => {
  const timers = new Set<NodeJS.Timeout>();
  return {
    /** Does the work after so many milliseconds; the result cancels it. */
    after: (ms: number, work: () => void): (() => void) => {
      const timer = setTimeout(() => {
        timers.delete(timer);
        work();
      }, ms);
      timers.add(timer);
      return () => {
        clearTimeout(timer);
        timers.delete(timer);
      };
    },
    clear: (): void => {
      for (const timer of timers) clearTimeout(timer);
    },
  };
};

/** One thing that is kept open: what the functions below share about it. */
interface Keeper<T> {
  options: KeepOptions<T>;
  state: Upkeep;
  current?: { run: number; value: T } | undefined;
  reason?: string;
  timers: ReturnType<typeof createTimers>;
  waiters: ReturnType<typeof createWaiters<T>>;
  attempted: ReturnType<typeof createSignal>;
  stopped: ReturnType<typeof createSignal>;
}

const dispatch = <T>(keeper: Keeper<T>, event: UpkeepEvent): void => {
  const { options, timers, stopped } = keeper;
  const before = keeper.state.phase;
  const { state, effects } = step(keeper.state, event);
  keeper.state = state;
  for (const effect of effects) perform(keeper, effect);
  const { phase } = keeper.state;
  if (phase === before) return;
  options.onPhase?.(phase);
  if (keeper.state.phase !== 'stopped') return;
  timers.clear();
  stopped.resolve();
};

const perform = <T>(keeper: Keeper<T>, effect: Effect): void => {
  if (effect.do === 'open') begin(keeper, effect.run);
  else if (effect.do === 'close') end(keeper, effect.run);
  else
    keeper.timers.after(pauseAfter(effect.failures, BACKOFF), () => dispatch(keeper, { type: 'due', run: effect.run }));
};

const lost = <T>(keeper: Keeper<T>, run: number, why: unknown): void => {
  const { state, options, attempted } = keeper;
  if (run === state.run && ['opening', 'open', 'closing'].includes(state.phase)) {
    if (!state.isStopping && state.phase !== 'closing') {
      keeper.reason = textOf(why);
      options.log.warn({ msg: 'bus.lost', what: options.name, attempt: state.failures + 1, error: why });
    }
    attempted.resolve();
  }
  if (keeper.current?.run === run) keeper.current = undefined;
  dispatch(keeper, { type: 'lost', run });
};

const unusable = <T>(keeper: Keeper<T>, run: number, why: unknown): void => {
  const { state, options } = keeper;
  if (state.run !== run || state.phase !== 'open') return;
  keeper.reason = textOf(why);
  options.log.warn({ msg: 'bus.unusable', what: options.name, reason: keeper.reason });
  dispatch(keeper, { type: 'unusable', run });
};

const stuckUnlessOver = <T>(keeper: Keeper<T>, run: number): (() => void) => {
  const { timers, options } = keeper;
  return timers.after(options.stuckMs ?? STUCK_MS, () => {
    const { state } = keeper;
    if (state.run === run && (state.phase === 'opening' || state.phase === 'closing')) options.onStuck();
  });
};

/** What was opened is what is kept, unless another run has begun meanwhile. */
const opened = <T>(keeper: Keeper<T>, run: number, value: T): void => {
  const { options, timers, attempted, waiters } = keeper;
  if (keeper.state.run === run && keeper.state.phase === 'opening') keeper.current = { run, value };
  else void Promise.resolve(options.close(value)).catch(() => undefined);
  dispatch(keeper, { type: 'opened', run });
  if (keeper.state.phase !== 'open' || keeper.current?.run !== run) return;
  timers.after(STEADY_MS, () => dispatch(keeper, { type: 'steady', run }));
  if (run > 1) options.log.info({ msg: 'bus.opened-again', what: options.name });
  attempted.resolve();
  waiters.give(value);
};

const begin = <T>(keeper: Keeper<T>, run: number): void => {
  const isOver = stuckUnlessOver(keeper, run);
  const events: Run = { lost: (why) => lost(keeper, run, why), unusable: (why) => unusable(keeper, run, why) };
  keeper.options.open(events).then(
    (value) => {
      isOver();
      opened(keeper, run, value);
    },
    (error: unknown) => {
      isOver();
      lost(keeper, run, error);
    },
  );
};

const end = <T>(keeper: Keeper<T>, run: number): void => {
  if (keeper.current?.run !== run) return;
  const { value } = keeper.current;
  keeper.current = undefined;
  const isOver = stuckUnlessOver(keeper, run);
  keeper.options
    .close(value)
    .catch(() => undefined)
    .finally(() => {
      isOver();
      lost(keeper, run, 'closed');
    });
};

/**
 * Keeps one thing open as `upkeep.ts` says: performs its effects and tells it what happens. Nothing
 * else opens or closes that thing.
 */
export const keepOpen = <T>(options: KeepOptions<T>): Maintained<T> => {
  const keeper: Keeper<T> = {
    options,
    state: notYetOpened,
    timers: createTimers(),
    waiters: createWaiters<T>(),
    attempted: createSignal(),
    stopped: createSignal(),
  };
  return {
    now: () => (keeper.state.phase === 'open' ? keeper.current?.value : undefined),
    next: (patienceMs, late) =>
      keeper.state.phase === 'open' && keeper.current
        ? Promise.resolve(keeper.current.value)
        : keeper.waiters.wait(patienceMs, late),
    attempted: keeper.attempted.promise,
    phase: () => keeper.state.phase,
    reason: () => keeper.reason,
    baseUp: () => dispatch(keeper, { type: 'base-up' }),
    baseDown: () => {
      keeper.current = undefined;
      dispatch(keeper, { type: 'base-down' });
    },
    stop: () => {
      dispatch(keeper, { type: 'stop' });
      return keeper.stopped.promise;
    },
  };
};
