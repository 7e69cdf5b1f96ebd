import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@jest/globals';

const LIBRARY = pathToFileURL(join(import.meta.dirname, 'index.ts')).href;

/** A program of its own: a service that starts with a part that never works. */
const PROGRAM = `
import { runService, watchReadiness } from '${LIBRARY}';
await runService('stuck', { adminPort: 0 }, async ({ own }) => {
  watchReadiness('consumer a.b', () => ({ reason: 'not subscribed' }));
  own({ close: async () => console.log('closed') });
});
`;

/** Two uncaught exceptions while a request is still running. */
const CRASHING = `
import { metricsText, runService } from '${LIBRARY}';
await runService('crashing', { adminPort: 0 }, async ({ own }) => {
  let finish;
  const request = new Promise((resolve) => { finish = resolve; });
  own({ close: async () => { await request; console.log('request finished'); } });
  const count = async () => console.log((await metricsText()).match(/^assay_uncaught.*$/m)[0]);
  await count();
  setTimeout(() => { throw new Error('first'); }, 10);
  setTimeout(() => void Promise.reject(new Error('second')), 20);
  setTimeout(() => void count().then(finish), 200);
});
`;

/** A service whose metrics are read, also after an exception. */
const SCRAPED = `
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { runService } from '${LIBRARY}';
const probe = createServer().listen(0);
const adminPort = probe.address().port;
await new Promise((resolve) => probe.close(resolve));
const scraper = \`
  const response = await fetch('http://127.0.0.1:\${adminPort}/metrics');
  console.log((await response.text()).match(/^assay_uncaught.*$/m)[0]);
\`;
const scrape = () => spawn(process.execPath, ['--input-type=module', '-e', scraper], { stdio: 'inherit' });
await runService('scraped', { ADMIN_PORT: adminPort }, async ({ own }) => {
  own({ close: async () => void scrape() });
});
await once(scrape(), 'exit');
setTimeout(() => { throw new Error('uncaught'); }, 10);
`;

/** A service whose database does not answer at its start. */
const STARTING = `
import { metricsText, runService } from '${LIBRARY}';
await runService('starting', { adminPort: 0 }, async ({ own }) => {
  own({ close: async () => console.log((await metricsText()).match(/^assay_uncaught.*$/m)[0]) });
  throw new Error('no database');
});
console.log('went on');
`;

/** A service whose start leaves much garbage. */
const LEAVING = `
import { runService } from '${LIBRARY}';
let texts = Array.from({ length: 200_000 }, (_, n) => ({ n }));
let heap = 0;
await runService('leaving', { adminPort: 0 }, async () => {
  heap = process.memoryUsage().heapUsed;
  texts = undefined;
});
console.log('let go of', Math.round((heap - process.memoryUsage().heapUsed) / 1e6), 'MB');
process.exit(0);
`;

/** A service that is told to stop, and asked meanwhile whether it is ready. */
const STOPPING = `
import { createServer } from 'node:net';
import { runService } from '${LIBRARY}';
const probe = createServer().listen(0);
const adminPort = probe.address().port;
await new Promise((resolve) => probe.close(resolve));
const config = { ADMIN_PORT: adminPort, STOP_DELAY_MS: 700 };
let toldAt;
await runService('stopping', config, async ({ own, stopping }) => {
  own({ close: async () => console.log('closed late:', performance.now() - toldAt >= 690) });
  stopping.addEventListener('abort', () => console.log('told'));
});
const ready = async () => (await fetch('http://127.0.0.1:' + adminPort + '/health/ready')).status;
console.log('ready', await ready());
toldAt = performance.now();
process.kill(process.pid, 'SIGTERM');
setTimeout(async () => console.log('ready', await ready()), 50);
`;

/** A service with a part that does not close in time. */
const LATE = `
import { runService } from '${LIBRARY}';
await runService('late', { ADMIN_PORT: 0, deadlineMs: 200 }, async ({ own }) => {
  own({ close: async () => console.log('closed') });
  own({ close: () => new Promise((resolve) => setTimeout(resolve, 5000)) });
});
process.kill(process.pid, 'SIGTERM');
`;

/** A service that is told to stop while it starts. */
const STOPPED_EARLY = `
import { runService } from '${LIBRARY}';
await runService('early', { ADMIN_PORT: 0, STOP_DELAY_MS: 60_000 }, async ({ own }) => {
  let closeFirst;
  own({ close: () => new Promise((resolve) => { closeFirst = resolve; }) });
  process.kill(process.pid, 'SIGTERM');
  while (!closeFirst) await new Promise((resolve) => setImmediate(resolve));
  own({ close: async () => console.log('closed what came later') });
  closeFirst();
});
`;

const outcomeOf = async (program: string): Promise<{ code: unknown; output: string }> => {
  const folder = await mkdtemp(join(tmpdir(), 'program-'));
  const file = join(folder, 'main.mts');
  await writeFile(file, program);
  const outcome = await new Promise<{ code: unknown; output: string }>((resolve) => {
    const env = { ...process.env, NOT_READY_LIMIT_MS: '500' };
    execFile(process.execPath, ['--import', import.meta.resolve('tsx'), file], { env }, (error, stdout) =>
      resolve({ code: error?.code, output: stdout }),
    );
  });
  await rm(folder, { recursive: true });
  return outcome;
};

test('a service that cannot become ready says why, closes what it owns and ends with 1', async () => {
  const { code, output } = await outcomeOf(PROGRAM);
  expect(code).toBe(1);
  expect(output).toContain('"msg":"service.not-ready"');
  expect(output).toContain('"consumer a.b":"not subscribed"');
  expect(output).toContain('closed');
});

test('an uncaught exception is counted, lets requests finish and ends the service with 1', async () => {
  const { code, output } = await outcomeOf(CRASHING);
  expect(code).toBe(1);
  expect(output).toContain('assay_uncaught_exceptions_total 0');
  expect(output).toContain('assay_uncaught_exceptions_total 2');
  expect(output.match(/"msg":"service.crashed"/g)).toHaveLength(2);
  expect(output).toContain('request finished');
  expect(output).toContain('"msg":"service.stopped"');
});

test('a service whose metrics are read ends after an uncaught exception once they show it', async () => {
  const { code, output } = await outcomeOf(SCRAPED);
  expect(code).toBe(1);
  expect(output.match(/^assay_uncaught.*$/gm)).toEqual([
    'assay_uncaught_exceptions_total 0',
    'assay_uncaught_exceptions_total 1',
  ]);
  expect(output).toContain('"msg":"service.stopped"');
});

test('a service that cannot start says why, closes what it owns and ends with 1, which is not counted as uncaught', async () => {
  const { code, output } = await outcomeOf(STARTING);
  expect(code).toBe(1);
  expect(output).toContain('"msg":"service.start-failed"');
  expect(output).toContain('no database');
  expect(output).toContain('assay_uncaught_exceptions_total 0');
  expect(output).not.toContain('service.crashed');
});

test('memory that a service needed for its start is freed once it is ready', async () => {
  const { code, output } = await outcomeOf(LEAVING);
  expect(code).toBeUndefined();
  expect(Number(/let go of (-?\d+) MB/.exec(output)?.[1])).toBeGreaterThanOrEqual(8);
});

test('a service that is told to stop is not ready from then on, and closes what it owns after the delay', async () => {
  const { code, output } = await outcomeOf(STOPPING);
  expect(code).toBeUndefined();
  const said = output.split('\n').filter((line) => /^(ready|told|closed)/.test(line));
  expect(said).toEqual(['ready 200', 'told', 'ready 503', 'closed late: true']);
});

test('a service that is not done in time says so and ends with 1', async () => {
  const { code, output } = await outcomeOf(LATE);
  expect(code).toBe(1);
  expect(output).toContain('"msg":"service.stopped-late","open":2');
});

test('a service that is told to stop while it starts closes what it owns by then, without the delay', async () => {
  const { code, output } = await outcomeOf(STOPPED_EARLY);
  expect(code).toBeUndefined();
  expect(output).toContain('closed what came later');
});
