import { rm } from 'node:fs/promises';
import { present } from '@assay/contracts';
import { runSuite, type Suite } from './run-suite.ts';
import { suitePrograms } from './suite.ts';

/**
 * The process behind `npm run up`: its parent sends what to run (one message), and it reports how
 * that goes and then stays on its own, until SIGTERM. A tied one ends with its parent instead, and
 * takes its run directory with it.
 */
interface Orders {
  readonly runDir: string;
  /** How many of each service, and how many workers where that differs. */
  readonly replicas: number;
  readonly workers?: number;
  readonly port?: number;
  readonly withPrograms: boolean;
  readonly tied: boolean;
}

type Report = { say: string } | { ready: true } | { failed: string };

const report = (message: Report): void => {
  if ('say' in message) console.log(`${new Date().toISOString()} ${message.say}`);
  if ('failed' in message) console.log(`${new Date().toISOString()} failed: ${message.failed}`);
  if (process.connected) process.send?.(message, undefined, {}, () => undefined);
};

const orders = await new Promise<Orders>((resolve) => process.once('message', (message) => resolve(message as Orders)));

let suite: Suite | undefined;
let starting: Promise<unknown> = Promise.resolve();
let ending = false;
const givingUp = new AbortController();

const end = async (code: number): Promise<void> => {
  if (ending) return;
  ending = true;
  givingUp.abort(new Error('it was asked to stop'));
  await starting.catch(() => undefined);
  await suite?.stop();
  if (orders.tied) await rm(orders.runDir, { recursive: true, force: true });
  process.exit(code);
};

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void end(0));
process.on('disconnect', () => {
  if (orders.tied || !suite) void end(1);
});

const start = async (): Promise<void> => {
  const options = {
    runDir: orders.runDir,
    programs: orders.withPrograms ? suitePrograms : [],
    copies: {
      services: orders.replicas,
      ...(orders.workers !== undefined && { copies: { 'verification-worker': orders.workers } }),
    },
    ...present({ publicPort: orders.port }),
    discard: orders.tied,
    signal: givingUp.signal,
  };
  suite = await runSuite(options, (say) => report({ say }));
  report({ ready: true });
};

starting = start();
starting.catch((error: unknown) => {
  report({ failed: error instanceof Error ? error.message : String(error) });
  void end(1);
});
