import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { runSuite, type Suite } from './run-suite.ts';
import type { StackFile } from './stack-file.ts';
import type { Program } from './suite.ts';
import { accepts, waitUntil } from './wait.ts';

// A minimal program: it is ready on its admin port, and returns its environment.
const source = `
import { createServer } from 'node:http';
const answer = (_, response) => response.end(JSON.stringify({ pid: process.pid, mongo: process.env.MONGO_URL, other: process.env.NOTIFIER_URL }));
createServer(answer).listen(Number(process.env.ADMIN_PORT), '127.0.0.1');
createServer(answer).listen(Number(process.env.HTTP_PORT), '127.0.0.1');
`;

const dir = mkdtempSync(join(tmpdir(), 'assay-suite-'));
const runDir = join(dir, 'run');
const stackOf = (): StackFile => JSON.parse(readFileSync(join(runDir, 'stack.json'), 'utf8')) as StackFile;
const alive = (pid: number | undefined): boolean => {
  try {
    return pid !== undefined && process.kill(pid, 0);
  } catch {
    return false;
  }
};

const program = (name: string, entry: string, addresses: Program['addresses'] = {}): Program => ({
  name,
  kind: 'service',
  entry,
  listens: ['HTTP_PORT', 'ADMIN_PORT'],
  addresses,
});

const start = (programs: readonly Program[]): Promise<Suite> =>
  runSuite(
    {
      runDir,
      programs,
      copies: { services: 1, copies: { worker: 2 } },
      discard: true,
      signal: new AbortController().signal,
    },
    () => undefined,
  );

/**
 * Resolves when the MongoDB at the address accepts a connection, on a port or a socket in the file
 * system.
 */
const connected = async (url: string): Promise<void> => {
  const [host = '', port] = url.slice('mongodb://'.length).split('/')[0]!.split(':');
  const socket = port ? connect(Number(port), host) : connect(decodeURIComponent(host));
  await once(socket, 'connect');
  socket.destroy();
};

/**
 * Kills a process that the stack names. Resolves with the milliseconds until the stack names its
 * replacement.
 */
const killAndMeasure = async (pidIn: (stack: StackFile) => number | undefined): Promise<number> => {
  const before = pidIn(stackOf());
  // Without a pid, kill would end the process group of this test.
  if (before === undefined) throw new Error('the stack names no such process');
  const since = performance.now();
  process.kill(before, 'SIGKILL');
  const replaced = async (): Promise<boolean> => {
    const now = pidIn(stackOf());
    return now !== before && alive(now);
  };
  expect(await waitUntil(replaced, { timeoutMs: 10_000, everyMs: 20 })).toBe(true);
  return performance.now() - since;
};

describe('a suite in a run directory', () => {
  let suite: Suite;
  const entry = join(dir, 'program.mjs');

  beforeAll(async () => {
    writeFileSync(entry, source);
    suite = await start([
      program('gateway', entry),
      program('notifier', entry, { NOTIFIER_URL: ['http', 'HTTP_PORT'] }),
      program('worker', entry),
    ]);
  }, 60_000);

  afterAll(async () => {
    await suite.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  test('is described by a file that only its owner can read, with every process in it', () => {
    const stack = stackOf();
    expect(statSync(join(runDir, 'stack.json')).mode & 0o777).toBe(0o600);
    expect(Object.keys(stack.services)).toEqual(['gateway', 'notifier', 'worker']);
    expect(stack.services.worker).toHaveLength(2);
    expect(
      Object.values(stack.services)
        .flat()
        .map(({ pid }) => pid)
        .every(alive),
    ).toBe(true);
    expect(alive(stack.infrastructure.mongodb.pid) && alive(stack.infrastructure.rabbitmq.pid)).toBe(true);
    expect(stack.keys.relyingService).toMatch(/^asy_rs_[0-9A-Za-z]{8}_[0-9A-Za-z]{43}$/);
    expect(stack.tenantId).not.toBe(stack.secondTenant.tenantId);
  });

  test('gives Prometheus the addresses of its services', () => {
    const targets = JSON.parse(readFileSync(join(runDir, 'prometheus.json'), 'utf8'));
    const hosts = stackOf().services.worker?.map(({ adminUrl }) => new URL(adminUrl).host);
    expect(targets).toHaveLength(3);
    expect(targets).toContainEqual({ targets: hosts, labels: { service: 'worker' } });
  });

  test('gives each program the addresses of the others', async () => {
    const stack = stackOf();
    const reported = (await (await fetch(`${stack.baseUrl}`)).json()) as { mongo: string; other: string };
    const socket = encodeURIComponent(join(runDir, 'data', 'mongodb', 'engine.sock'));
    expect([stack.mongoUrl, `mongodb://${socket}/?directConnection=true`]).toContain(reported.mongo);
    for (const url of [stack.mongoUrl, reported.mongo]) await connected(url);
    expect((await fetch(reported.other)).status).toBe(200);
  });

  test('replaces a program that was killed, on the same port', async () => {
    const { adminUrl } = stackOf().services.notifier?.[0] ?? { adminUrl: '' };
    expect(await killAndMeasure(({ services }) => services.notifier?.[0]?.pid)).toBeLessThan(3_000);
    const answers = () =>
      fetch(adminUrl).then(
        ({ ok }) => ok,
        () => false,
      );
    expect(await waitUntil(answers, { timeoutMs: 5_000 })).toBe(true);
  });

  test.each(['mongodb', 'rabbitmq'] as const)(
    'replaces %s when it was killed, on the same address',
    async (name) => {
      const address = name === 'mongodb' ? suite.stack().mongoUrl : suite.stack().amqpUrl;
      expect(await killAndMeasure(({ infrastructure }) => infrastructure[name].pid)).toBeLessThan(3_000);
      const back = () => accepts(Number(new URL(address).port));
      expect(await waitUntil(back, { timeoutMs: 30_000 })).toBe(true);
    },
    45_000,
  );

  test('runs replicas behind one address, which still serves when one of them is killed', async () => {
    const controller = new AbortController();
    const replicated = await runSuite(
      {
        ...{ runDir: join(dir, 'replicas'), discard: true, signal: controller.signal, copies: { services: 2 } },
        programs: [
          { ...program('gateway', entry), publicPort: 'HTTP_PORT' },
          program('notifier', entry, { NOTIFIER_URL: ['http', 'HTTP_PORT'] }),
        ],
      },
      () => undefined,
    );
    const { baseUrl, services } = replicated.stack();
    const asked = async (url: string) => (await (await fetch(url)).json()) as { pid: number; other: string };
    const pidsBehind = async (url: string) => {
      const pids = new Set<number>();
      for (let times = 0; times < 4; times += 1) pids.add((await asked(`${url}?${times}`)).pid);
      return pids;
    };
    const pidsOf = (name: string) => services[name]!.map(({ pid }) => pid);
    const { other } = await asked(baseUrl!);
    expect([...(await pidsBehind(baseUrl!))]).toEqual(expect.arrayContaining(pidsOf('gateway')));
    const killed = ['gateway', 'notifier'].map((name) => pidsOf(name)[0]!);
    for (const pid of killed) process.kill(pid, 'SIGKILL');
    await waitUntil(async () => !killed.some(alive), { timeoutMs: 10_000 });
    for (let times = 0; times < 6; times += 1) {
      expect((await fetch(baseUrl!, { headers: { connection: 'close' } })).status).toBe(200);
      expect((await fetch(other, { headers: { connection: 'close' } })).status).toBe(200);
    }
    await replicated.stop();
  }, 60_000);

  test('gives a second suite its own ports', async () => {
    const other = await runSuite(
      {
        runDir: join(dir, 'other'),
        programs: [program('gateway', entry)],
        copies: { services: 1 },
        discard: true,
        signal: new AbortController().signal,
      },
      () => undefined,
    );
    expect(other.stack().baseUrl).not.toBe(suite.stack().baseUrl);
    expect(other.stack().amqpUrl).not.toBe(suite.stack().amqpUrl);
    await other.stop();
    expect(await accepts(Number(new URL(other.stack().amqpUrl).port))).toBe(false);
  }, 60_000);
});
