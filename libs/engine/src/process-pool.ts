import {
  EngineClosed,
  EngineCrashed,
  EngineFault,
  EngineTimeout,
  EngineUnavailable,
  type OnPortrait,
} from './engine.ts';
import { type EngineProcess, type ProcessLimits, type RequestResult, startEngineProcess } from './engine-process.ts';
import { hostFile } from './folder.ts';
import type { EngineAnswers, EngineRequest } from './protocol.ts';

/** A job for a process: its kind decides the kind of the answer. */
export interface AnyRequest {
  readonly kind: string;
}

export interface PoolOptions {
  /** The number of processes, one for each core. */
  size: number;
  /**
   * The pool opens with one process and starts the others this many milliseconds later, or when a
   * job waits. If this is absent, all start at the beginning.
   */
  othersAfterMs?: number;
  limits?: Partial<ProcessLimits>;
  /**
   * A process that has more than this many megabytes after a job is replaced before it gets another
   * one.
   */
  recycleMb?: number;
  /** The pause after the first failed start, in milliseconds; it doubles each time, up to 30 s. */
  restartAfterMs?: number;
  /** Another program than the engine's. */
  program?: string;
  /** Called for every process that ended by itself, with the reason, which has no personal data. */
  onCrash?: (reason: string) => void;
}

export interface ProcessPool<
  Request extends AnyRequest = EngineRequest,
  Answers extends Record<Request['kind'], unknown> = EngineAnswers & Record<Request['kind'], unknown>,
> {
  run<Kind extends Request['kind']>(request: Request & { kind: Kind }, onPortrait?: OnPortrait): Promise<Answers[Kind]>;
  /** Jobs running and waiting. */
  pending(): number;
  /** Process ids of the processes that are up. */
  pids(): number[];
  close(graceMs?: number): Promise<void>;
}

interface Task {
  request: AnyRequest;
  onPortrait: OnPortrait | undefined;
  retried: boolean;
  resolve: (answer: unknown) => void;
  reject: (error: Error) => void;
}

const LIMITS: ProcessLimits = { requestMs: 30_000, startMs: 120_000, memoryMb: 1500 };
/** After this many failed starts in a row, waiting jobs are refused. */
const HOPELESS = 5;
const RESTART_AFTER_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;

const reasonOf = (result: RequestResult): string => (result.kind === 'crashed' ? result.reason : result.kind);

/** The state of a pool. */
interface PoolState {
  options: PoolOptions;
  limits: ProcessLimits;
  recycleMb: number;
  /** Ends processes that are still starting. */
  stop: AbortController;
  starting: Set<Promise<EngineProcess>>;
  alive: Set<EngineProcess>;
  idle: Set<EngineProcess>;
  waiting: Task[];
  running: number;
  closing: boolean;
  failedStarts: number;
  /** Starts, once, the processes that the pool did not open with. */
  startOthers(): void;
}

const start = (pool: PoolState): Promise<EngineProcess> => {
  const engine = startEngineProcess(pool.limits, pool.stop.signal, pool.options.program ?? hostFile());
  pool.starting.add(engine);
  return engine.finally(() => pool.starting.delete(engine));
};

const addProcess = (pool: PoolState, engine: EngineProcess): void => {
  pool.failedStarts = 0;
  pool.alive.add(engine);
  pool.idle.add(engine);
  engine.onDeath(() => {
    pool.alive.delete(engine);
    if (!pool.idle.delete(engine) || pool.closing) return;
    pool.options.onCrash?.('died while idle');
    void replace(pool);
  });
  dispatch(pool);
};

const startFailed = (pool: PoolState, error: Error): void => {
  pool.failedStarts++;
  pool.options.onCrash?.(error.message);
  if (pool.failedStarts >= HOPELESS) {
    for (const task of pool.waiting.splice(0)) task.reject(new EngineUnavailable(error.message));
  }
  const pauseMs = (pool.options.restartAfterMs ?? RESTART_AFTER_MS) * 2 ** (pool.failedStarts - 1);
  setTimeout(() => void replace(pool), Math.min(LONGEST_PAUSE_MS, pauseMs)).unref();
};

const replace = async (pool: PoolState): Promise<void> => {
  if (pool.closing) return;
  const engine = await start(pool).catch((error: Error) => error);
  if (engine instanceof Error) {
    if (!pool.closing) startFailed(pool, engine);
  } else if (pool.closing) await engine.end();
  else addProcess(pool, engine);
};

const dispatch = (pool: PoolState): void => {
  for (const engine of pool.idle) {
    const task = pool.waiting.shift();
    if (!task) return;
    pool.idle.delete(engine);
    pool.running++;
    void work(pool, engine, task);
  }
};

const work = async (pool: PoolState, engine: EngineProcess, task: Task): Promise<void> => {
  const result = await engine.run(task.request, task.onPortrait);
  pool.running--;
  settle(pool, task, result);
  if ((result.kind === 'answer' || result.kind === 'fault') && result.residentMb <= pool.recycleMb) {
    if (pool.alive.has(engine)) pool.idle.add(engine);
    else void replace(pool);
  } else {
    if (result.kind === 'crashed' || result.kind === 'timeout') pool.options.onCrash?.(reasonOf(result));
    await engine.end();
    void replace(pool);
  }
  dispatch(pool);
};

const settle = (pool: PoolState, task: Task, result: RequestResult): void => {
  if (result.kind === 'answer') task.resolve(result.answer);
  else if (result.kind === 'fault') task.reject(new EngineFault(result.message));
  else if (result.kind === 'timeout') task.reject(new EngineTimeout(`more than ${pool.limits.requestMs} ms`));
  else if (task.retried || pool.closing) task.reject(new EngineCrashed(result.reason));
  else pool.waiting.unshift({ ...task, retried: true });
};

const close = async (pool: PoolState, graceMs: number): Promise<void> => {
  pool.closing = true;
  pool.stop.abort();
  for (const task of pool.waiting.splice(0)) task.reject(new EngineClosed('the engine is closing'));
  const deadline = performance.now() + graceMs;
  while (pool.running > 0 && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
  await Promise.allSettled(pool.starting);
  await Promise.all([...pool.alive].map((engine) => engine.end()));
};

/**
 * Starts the processes that the pool opens with. If one cannot be started, it ends the others and
 * rejects with the reason.
 */
const startFirst = async (pool: PoolState): Promise<void> => {
  const { size, othersAfterMs } = pool.options;
  const first = othersAfterMs === undefined ? size : 1;
  const engines = await Promise.allSettled(Array.from({ length: first }, () => start(pool)));
  const failed = engines.find((engine) => engine.status === 'rejected');
  const started = engines.flatMap((engine) => (engine.status === 'fulfilled' ? [engine.value] : []));
  if (failed) {
    await Promise.all(started.map((engine) => engine.end()));
    throw failed.reason;
  }
  for (const engine of started) addProcess(pool, engine);
  const timer = setTimeout(() => pool.startOthers(), othersAfterMs).unref();
  pool.startOthers = () => {
    clearTimeout(timer);
    pool.startOthers = () => undefined;
    for (let n = first; n < size; n++) void replace(pool);
  };
};

/**
 * Opens the pool; resolves when the processes it opens with are warm. Each process handles one job
 * at a time; jobs wait in order.
 */
export async function openProcessPool<
  Request extends AnyRequest = EngineRequest,
  Answers extends Record<Request['kind'], unknown> = EngineAnswers & Record<Request['kind'], unknown>,
>(options: PoolOptions): Promise<ProcessPool<Request, Answers>> {
  const pool: PoolState = {
    options,
    limits: { ...LIMITS, ...options.limits },
    recycleMb: options.recycleMb ?? 1000,
    stop: new AbortController(),
    starting: new Set(),
    alive: new Set(),
    idle: new Set(),
    waiting: [],
    running: 0,
    closing: false,
    failedStarts: 0,
    startOthers: () => undefined,
  };
  await startFirst(pool);
  return {
    run: (request, onPortrait) =>
      new Promise((resolve, reject) => {
        if (pool.closing) return reject(new EngineClosed('the engine is closed'));
        const task = { request, onPortrait, retried: false, resolve: resolve as Task['resolve'], reject };
        pool.waiting.push(task);
        dispatch(pool);
        if (pool.waiting.length > 0) pool.startOthers();
      }),
    pending: () => pool.waiting.length + pool.running,
    pids: () => [...pool.alive].map(({ pid }) => pid),
    close: (graceMs = 10_000) => close(pool, graceMs),
  };
}
