import { EngineClosed, EngineCrashed, EngineFault, EngineTimeout, type HearPortrait } from './engine.ts';
import { type EngineProcess, type Outcome, type ProcessLimits, startEngineProcess } from './engine-process.ts';
import type { EngineAnswers, EngineRequest } from './protocol.ts';

export interface PoolOptions {
  /** Processes kept, one a core. */
  size: number;
  limits?: Partial<ProcessLimits>;
  /** A process that holds more than this many megabytes after a job is replaced before it gets another. */
  recycleMb?: number;
  /** Arguments for the processes; tests only. */
  args?: string[];
  /** Told of every process that ended unasked, and why. No personal data. */
  onCrash?: (reason: string) => void;
}

export interface ProcessPool {
  run<Kind extends EngineRequest['kind']>(
    request: EngineRequest & { kind: Kind },
    hear?: HearPortrait,
  ): Promise<EngineAnswers[Kind]>;
  /** Jobs running and waiting. */
  pending(): number;
  /** Process ids of the processes that are up. */
  pids(): number[];
  close(graceMs?: number): Promise<void>;
}

interface Task {
  request: EngineRequest;
  hear: HearPortrait | undefined;
  retried: boolean;
  resolve: (answer: unknown) => void;
  reject: (error: Error) => void;
}

const LIMITS: ProcessLimits = { requestMs: 30_000, startMs: 120_000, memoryMb: 1500 };
/** After so many starts that failed in a row, waiting jobs are refused instead of waiting on. */
const HOPELESS = 5;

const reasonOf = (outcome: Outcome): string => (outcome.kind === 'crashed' ? outcome.reason : outcome.kind);

/** Opens the pool; resolves when every process is warm. Each process takes one job at a time, jobs wait in order. */
export async function openProcessPool(options: PoolOptions): Promise<ProcessPool> {
  const limits = { ...LIMITS, ...options.limits };
  const recycleMb = options.recycleMb ?? 1000;
  const stop = new AbortController();
  const starting = new Set<Promise<EngineProcess>>();
  const start = (): Promise<EngineProcess> => {
    const engine = startEngineProcess(limits, options.args ?? [], stop.signal);
    starting.add(engine);
    return engine.finally(() => starting.delete(engine));
  };
  const waiting: Task[] = [];
  const idle = new Set<EngineProcess>();
  const alive = new Set<EngineProcess>();
  let running = 0;
  let closing = false;
  let failedStarts = 0;

  const welcome = (engine: EngineProcess): void => {
    failedStarts = 0;
    alive.add(engine);
    idle.add(engine);
    engine.onDeath(() => {
      alive.delete(engine);
      if (idle.delete(engine) && !closing) {
        options.onCrash?.('died while idle');
        void replace();
      }
    });
    dispatch();
  };

  const replace = async (): Promise<void> => {
    if (closing) return;
    const engine = await start().catch((error: Error) => error);
    if (closing) {
      if (!(engine instanceof Error)) await engine.end();
    } else if (engine instanceof Error) {
      failedStarts++;
      options.onCrash?.(engine.message);
      if (failedStarts >= HOPELESS) {
        for (const task of waiting.splice(0)) task.reject(new EngineCrashed(engine.message));
      }
      setTimeout(() => void replace(), Math.min(30_000, 500 * 2 ** failedStarts)).unref();
    } else welcome(engine);
  };

  const dispatch = (): void => {
    for (const engine of idle) {
      const task = waiting.shift();
      if (!task) return;
      idle.delete(engine);
      running++;
      void work(engine, task);
    }
  };

  const work = async (engine: EngineProcess, task: Task): Promise<void> => {
    const outcome = await engine.run(task.request, task.hear);
    running--;
    settle(task, outcome);
    if ((outcome.kind === 'answer' || outcome.kind === 'fault') && outcome.residentMb <= recycleMb) {
      if (alive.has(engine)) idle.add(engine);
      else void replace();
    } else {
      if (outcome.kind === 'crashed' || outcome.kind === 'timeout') options.onCrash?.(reasonOf(outcome));
      await engine.end();
      void replace();
    }
    dispatch();
  };

  const settle = (task: Task, outcome: Outcome): void => {
    if (outcome.kind === 'answer') task.resolve(outcome.answer);
    else if (outcome.kind === 'fault') task.reject(new EngineFault(outcome.message));
    else if (outcome.kind === 'timeout') task.reject(new EngineTimeout(`longer than ${limits.requestMs} ms`));
    else if (task.retried || closing) task.reject(new EngineCrashed(outcome.reason));
    else waiting.unshift({ ...task, retried: true });
  };

  const close = async (graceMs = 10_000): Promise<void> => {
    closing = true;
    stop.abort();
    for (const task of waiting.splice(0)) task.reject(new EngineClosed('the engine is closing'));
    const deadline = performance.now() + graceMs;
    while (running > 0 && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
    await Promise.allSettled(starting);
    await Promise.all([...alive].map((engine) => engine.end()));
  };

  const engines = await Promise.allSettled(Array.from({ length: options.size }, start));
  const failed = engines.find((engine) => engine.status === 'rejected');
  const started = engines.flatMap((engine) => (engine.status === 'fulfilled' ? [engine.value] : []));
  if (failed) {
    await Promise.all(started.map((engine) => engine.end()));
    throw failed.reason;
  }
  for (const engine of started) welcome(engine);

  return {
    run: (request, hear) =>
      new Promise((resolve, reject) => {
        if (closing) return reject(new EngineClosed('the engine is closed'));
        waiting.push({ request, hear, retried: false, resolve: resolve as (answer: unknown) => void, reject });
        dispatch();
      }),
    pending: () => waiting.length + running,
    pids: () => [...alive].map(({ pid }) => pid),
    close,
  };
}
