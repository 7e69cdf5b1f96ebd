import type { AddressInfo } from 'node:net';
import { type Admin, createAdmin } from './admin.ts';
import { createLog, type Log } from './log.ts';
import { startDefaultMetrics } from './metrics.ts';
import { flushTraces } from './trace.ts';

/** Something that can be closed; closing waits for the work in flight. */
export interface Closable {
  close(): Promise<unknown>;
}

export interface ServiceContext {
  /** Registers what must be closed at the end, last first, and gives it back. */
  own<T extends Closable>(part: T): T;
  admin: Admin;
  log: Log;
}

export interface ServiceOptions {
  adminPort: number;
  adminHost?: string;
  logLevel?: string;
  /** How long a stop may take before the process leaves anyway. */
  deadlineMs?: number;
}

/**
 * Runs one service: opens the admin port, starts, logs one line when ready, and on SIGTERM or SIGINT closes everything it owns, last first, within
 * the deadline. A service that cannot start says why and exits with 1.
 */
export const runService = async (
  name: string,
  { adminPort, adminHost = '127.0.0.1', logLevel, deadlineMs = 25_000 }: ServiceOptions,
  start: (context: ServiceContext) => Promise<void>,
): Promise<void> => {
  const log = createLog(name, logLevel);
  const admin = createAdmin();
  const owned: Closable[] = [];
  let stopping = false;

  const stop = async (reason: string, code: number): Promise<void> => {
    if (stopping) process.exit(1);
    stopping = true;
    admin.draining();
    log.info({ msg: 'service.stopping', reason });
    setTimeout(() => process.exit(1), deadlineMs).unref();
    for (const part of owned.reverse())
      await part.close().catch((error: unknown) => log.error({ msg: 'service.close-failed', error }));
    await flushTraces().catch((error: unknown) => log.warn({ msg: 'service.traces-lost', error }));
    log.info({ msg: 'service.stopped' });
    process.exit(code);
  };

  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal, 0));
  process.on('uncaughtException', (error) => {
    log.fatal({ msg: 'service.crashed', error });
    process.exit(1);
  });
  process.on('unhandledRejection', (error) => {
    log.fatal({ msg: 'service.crashed', error });
    process.exit(1);
  });

  startDefaultMetrics();
  const server = await admin.listen(adminPort, adminHost);
  await start({
    own: (part) => {
      owned.push(part);
      return part;
    },
    admin,
    log,
  });
  admin.ready('started', () => true);
  log.info({ msg: 'service.ready', adminPort: (server.address() as AddressInfo).port });
};
