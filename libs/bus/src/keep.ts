import { type Log, pauseAfter } from '@assay/runtime';
import { type Effect, notYetOpened, type Phase, step, type UpkeepEvent } from './upkeep.ts';

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

export interface Kept<T> {
  now(): T | undefined;
  /** The one that is open, or the next one; rejects with what `late` makes when the patience, in milliseconds, is over. */
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

/** Keeps one thing open as `upkeep.ts` says: performs its effects and tells it what happens. Nothing else opens or closes that thing. */
export const keepOpen = <T>({
  name,
  log,
  open,
  close,
  onStuck,
  stuckMs = STUCK_MS,
  onPhase,
}: KeepOptions<T>): Kept<T> => {
  let state = notYetOpened;
  let current: { run: number; value: T } | undefined;
  let reason: string | undefined;
  const timers = new Set<NodeJS.Timeout>();
  const waiters = createWaiters<T>();
  const attempted = createSignal();
  const stopped = createSignal();

  const after = (ms: number, work: () => void): (() => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      work();
    }, ms);
    timers.add(timer);
    return () => {
      clearTimeout(timer);
      timers.delete(timer);
    };
  };

  const dispatch = (event: UpkeepEvent): void => {
    const before = state.phase;
    const next = step(state, event);
    state = next.state;
    for (const effect of next.effects) perform(effect);
    if (state.phase === before) return;
    onPhase?.(state.phase);
    if (state.phase === 'stopped') {
      for (const timer of timers) clearTimeout(timer);
      stopped.resolve();
    }
  };

  const lost = (run: number, why: unknown): void => {
    if (run === state.run && ['opening', 'open', 'closing'].includes(state.phase)) {
      if (!state.isStopping && state.phase !== 'closing') {
        reason = textOf(why);
        log.warn({ msg: 'bus.lost', what: name, attempt: state.failures + 1, error: why });
      }
      attempted.resolve();
    }
    if (current?.run === run) current = undefined;
    dispatch({ type: 'lost', run });
  };

  const stuckUnlessOver = (run: number): (() => void) =>
    after(stuckMs, () => {
      if (state.run === run && (state.phase === 'opening' || state.phase === 'closing')) onStuck();
    });

  const begin = (run: number): void => {
    const isOver = stuckUnlessOver(run);
    const news: Run = {
      lost: (why) => lost(run, why),
      unusable: (why) => {
        if (state.run !== run || state.phase !== 'open') return;
        reason = textOf(why);
        log.warn({ msg: 'bus.unusable', what: name, reason });
        dispatch({ type: 'unusable', run });
      },
    };
    open(news).then(
      (value) => {
        isOver();
        if (state.run === run && state.phase === 'opening') current = { run, value };
        else void Promise.resolve(close(value)).catch(() => undefined);
        dispatch({ type: 'opened', run });
        if (state.phase !== 'open' || current?.run !== run) return;
        after(STEADY_MS, () => dispatch({ type: 'steady', run }));
        if (run > 1) log.info({ msg: 'bus.opened-again', what: name });
        attempted.resolve();
        waiters.give(value);
      },
      (error: unknown) => {
        isOver();
        lost(run, error);
      },
    );
  };

  const end = (run: number): void => {
    if (current?.run !== run) return;
    const { value } = current;
    current = undefined;
    const isOver = stuckUnlessOver(run);
    close(value)
      .catch(() => undefined)
      .finally(() => {
        isOver();
        lost(run, 'closed');
      });
  };

  const perform = (effect: Effect): void => {
    if (effect.do === 'open') begin(effect.run);
    else if (effect.do === 'close') end(effect.run);
    else after(pauseAfter(effect.failures, BACKOFF), () => dispatch({ type: 'due', run: effect.run }));
  };

  return {
    now: () => (state.phase === 'open' ? current?.value : undefined),
    next: (patienceMs, late) =>
      state.phase === 'open' && current ? Promise.resolve(current.value) : waiters.wait(patienceMs, late),
    attempted: attempted.promise,
    phase: () => state.phase,
    reason: () => reason,
    baseUp: () => dispatch({ type: 'base-up' }),
    baseDown: () => {
      current = undefined;
      dispatch({ type: 'base-down' });
    },
    stop: () => {
      dispatch({ type: 'stop' });
      return stopped.promise;
    },
  };
};
