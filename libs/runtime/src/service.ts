import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type Admin, createAdmin } from './admin.ts';
import { collectAfterStart } from './after-start.ts';
import { milliseconds, readConfig, withDefault } from './config.ts';
import { examineWith, type ProcessFinding } from './findings.ts';
import { systemClock } from './ids.ts';
import { createLog, type Log } from './log.ts';
import { counter, startDefaultMetrics } from './metrics.ts';
import { createPatience } from './readiness.ts';
import { flushTraces } from './trace.ts';

/** Something that can be closed; closing waits for the work in flight. */
export interface Closable {
  close(): Promise<unknown>;
}

export interface ServiceContext {
  /** Registers what must be closed at the end, last first, and gives it back. */
  own<T extends Closable>(part: T): T;
  /** Aborted as soon as the process is to stop, before anything is closed. */
  stopping: AbortSignal;
  admin: Admin;
  log: Log;
}

/** The part of a configuration that runService needs (COMMON_CONFIG has it). */
export interface ServiceConfig {
  ADMIN_PORT: number;
  ADMIN_HOST?: string;
  LOG_LEVEL?: string;
  STOP_DELAY_MS?: number;
  /** How long a stop may take before the process exits anyway. */
  deadlineMs?: number;
}

const CRASH_DEADLINE_MS = 10_000;
/** How long the metrics may tell of a crash: just below its deadline. */
const COUNTED_MS = 9900;

/** Present from the start, with the value 0. */
const uncaughtExceptions = () =>
  counter('assay_uncaught_exceptions_total', 'Exceptions and rejections that no code caught; each ends the process');

const LOOK_EVERY_MS = 1000;
/** How long the process may go without being ready; 0 leaves it running. */
const PATIENCE = { NOT_READY_LIMIT_MS: withDefault(milliseconds, 120_000) };

/** Ends a process that does not become ready (invariant 13), so that its supervisor restarts it. */
const endWhenStuck = (admin: Admin, log: Log, stop: (reason: string, code: number) => Promise<void>): void => {
  const { NOT_READY_LIMIT_MS: limitMs } = readConfig(PATIENCE);
  if (limitMs === 0) return;
  const isOver = createPatience({ limitMs, random: Math.random() });
  const look = async (): Promise<void> => {
    const missing = await admin.missing();
    if (!missing.has('accepting') && isOver([...missing.values()], performance.now())) {
      const reasons = Object.fromEntries([...missing].map(([name, { reason }]) => [name, reason]));
      log.fatal({ msg: 'service.not-ready', reasons });
      await stop('not ready', 1);
    }
  };
  setInterval(() => void look(), LOOK_EVERY_MS).unref();
};

/** Counts and logs exceptions that nobody caught, and has each end the process. */
const endWhenCrashed = (log: Log, end: () => void): void => {
  const uncaught = uncaughtExceptions();
  const crashed = (error: unknown): void => {
    uncaught.inc();
    log.fatal({ msg: 'service.crashed', error });
    end();
  };
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) process.on(event, crashed);
};

const METRICS_LIMIT_MS = 300_000;

/** Whether somebody reads the metrics. */
const isScraped = (readAt: Date | undefined): readAt is Date =>
  readAt !== undefined && systemClock().getTime() - readAt.getTime() < METRICS_LIMIT_MS;

/**
 * Is closed, after all else, once whoever reads the metrics has seen a crash counted: the next
 * process begins at 0. Nobody may read them, or not as often.
 */
const untilCounted = (admin: Admin): Closable => {
  const isAwaited = isScraped(admin.metricsReadAt());
  const counted = isAwaited ? Promise.race([admin.metricsReadAgain(), pause(COUNTED_MS)]) : Promise.resolve();
  return { close: () => counted };
};

/** Findings about the process: whether it is ready, whether its metrics are read, and its user. */
const examineSelf = async (admin: Admin): Promise<ProcessFinding[]> => {
  const missing = [...(await admin.missing())].map(([name, { reason }]) => `${name}: ${reason}`);
  const readAt = admin.metricsReadAt();
  const isRead = isScraped(readAt);
  const isRoot = process.getuid?.() === 0;
  return [
    missing.length > 0
      ? { check: 'services', status: 'PROBLEM', message: `not ready: ${missing.join('; ')}` }
      : { check: 'services', status: 'OK', message: 'ready' },
    isRead
      ? { check: 'metrics', status: 'OK', message: `read at ${readAt.toISOString()}` }
      : { check: 'metrics', status: 'WARNING', message: 'nobody has read /metrics within five minutes' },
    isRoot
      ? { check: 'process-user', status: 'WARNING', message: 'runs as root' }
      : { check: 'process-user', status: 'OK', message: 'not root' },
  ];
};

/** Closes everything, last first, also what is added meanwhile because the service still starts. */
const closeAll = async (owned: Closable[], log: Log): Promise<void> => {
  for (let part = owned.pop(); part; part = owned.pop())
    await part.close().catch((error: unknown) => log.error({ msg: 'service.close-failed', error }));
};

/** Ends the process although one part is still being closed. */
const exitLate = (log: Log, owned: readonly Closable[]): void => {
  log.error({ msg: 'service.stopped-late', open: owned.length + 1 });
  process.exit(1);
};

/**
 * Runs one service: opens the admin port, starts, logs one line when ready. On SIGTERM or SIGINT it
 * is not ready any more, goes on for STOP_DELAY_MS so that balancers notice, and then closes
 * everything it owns, last first, within the deadline. An exception nobody caught is counted and
 * stops it without the delay, within ten seconds and with 1; where its metrics are read, not before
 * they show it. A service that cannot start says why and exits with 1, and so does one that cannot
 * become ready for NOT_READY_LIMIT_MS.
 */
export const runService = async (
  name: string,
  {
    ADMIN_PORT: adminPort,
    ADMIN_HOST: adminHost = '127.0.0.1',
    LOG_LEVEL: logLevel,
    STOP_DELAY_MS: stopDelayMs = 0,
    deadlineMs = 25_000,
  }: ServiceConfig,
  start: (context: ServiceContext) => Promise<void>,
): Promise<void> => {
  const log = createLog(name, logLevel);
  const admin = createAdmin();
  const owned: Closable[] = [];
  const stopping = new AbortController();
  const hasBegunToStop = (): boolean => stopping.signal.aborted;
  let isServing = false;

  const stop = async (reason: string, code: number, withinMs = deadlineMs, delayMs = 0): Promise<void> => {
    if (hasBegunToStop()) process.exit(1);
    stopping.abort();
    admin.draining();
    log.info({ msg: 'service.stopping', reason });
    setTimeout(() => exitLate(log, owned), delayMs + withinMs).unref();
    await pause(delayMs);
    await closeAll(owned, log);
    await flushTraces().catch((error: unknown) => log.warn({ msg: 'service.traces-lost', error }));
    log.info({ msg: 'service.stopped' });
    process.exit(code);
  };

  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => void stop(signal, 0, deadlineMs, isServing ? stopDelayMs : 0));
  endWhenCrashed(log, () => {
    // Other requests may finish. Further errors meanwhile are counted and do not shorten that.
    if (hasBegunToStop()) return;
    owned.unshift(untilCounted(admin));
    void stop('uncaught exception', 1, Math.min(deadlineMs, CRASH_DEADLINE_MS));
  });

  startDefaultMetrics();
  endWhenStuck(admin, log, stop);
  examineWith('process', () => examineSelf(admin));
  const server = await admin.listen(adminPort, adminHost);
  const own: ServiceContext['own'] = (part) => {
    owned.push(part);
    return part;
  };
  // Usually a database or broker that is unavailable, so it does not count as uncaught.
  const couldNotStart = async (error: unknown): Promise<void> => {
    log.fatal({ msg: 'service.start-failed', error });
    return hasBegunToStop() ? undefined : stop('could not start', 1);
  };
  await start({ own, stopping: stopping.signal, admin, log }).catch(couldNotStart);
  if (hasBegunToStop()) return;
  await collectAfterStart();
  admin.ready('started', () => true);
  isServing = true;
  log.info({ msg: 'service.ready', adminPort: (server.address() as AddressInfo).port });
};
