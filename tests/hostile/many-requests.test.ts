import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { newTenant, readStack, residentMb, type Tenant, waitFor } from '@assay/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomOf } from './fuzz/mutate.ts';
import { form, head, sendRaw } from './inputs/raw.ts';

/*
 * Many hostile requests to every route and every port. None causes an error of the suite or ends a
 * process. Afterwards no process has more open files or much more memory.
 */

const REQUESTS = 1200;
const AT_ONCE = 12;
const SEED = 20_261_125;
/**
 * Connections to the database and to other services that stay open: as many as were needed at a
 * time, a fraction of the requests.
 */
const CONNECTIONS_KEPT = 200;

interface Process {
  name: string;
  pid: number;
  adminUrl: string;
  internalUrl: string;
}
const processes = (): Process[] =>
  Object.entries(readStack().services).flatMap(([name, replicas]) => replicas.map((one) => ({ name, ...one })));

/** Open files, and resident memory in megabytes. */
const usage = ({ pid }: Process) => ({
  files: readdirSync(`/proc/${pid}/fd`).length,
  megabytes: residentMb(pid),
});

let tenant: Tenant;
let baseUrl: string;
let before: ReadonlyMap<number, ReturnType<typeof usage>>;
beforeAll(async () => {
  ({ baseUrl } = readStack());
  tenant = await newTenant('many-requests', { limits: { requestsPerMinute: 1_000_000 } });
  before = new Map(processes().map((one) => [one.pid, usage(one)]));
});

/** Pseudo-random choices, the same for the same seed. */
const choicesFrom = (seed: number) => {
  const next = randomOf(seed);
  return {
    oneOf: <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!,
    chance: (share: number) => next() < share,
  };
};

const NAMES = ['__proto__', 'constructor', 'toString', '%00', '..%2f..%2f', 'x'.repeat(3000), '$ne', '%F0%9F%92%A9'];
const QUERIES = [
  '',
  '',
  '?__proto__[a]=1',
  '?limit=1e9',
  '?constructor=1',
  '?state[]=a&state[b]=c',
  `?cursor=${'A'.repeat(300)}`,
];
const DEEP = 5000;
const TEXTS = [
  '{"__proto__":{"role":"ADMINISTRATOR"}}',
  '{"constructor":{"prototype":{"a":1}}}',
  `${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`,
  '[]',
  'null',
  '{',
  '{"a":1e999}',
  '[{"key":"__proto__","value":"x"},{"key":"constructor","value":"y"}]',
  '[{"type":"constructor","approved":true}]',
  '{"type":"__proto__","issuingState":"constructor","idDocumentType":"toString"}',
  '{"settings":{"__proto__":{"sandbox":true},"constructor":{}}}',
];

/** Builds requests to the public API that no client should send. */
const hostileRequests = async () => {
  const { paths } = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as { paths: Record<string, object> };
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods)
      .filter((method) => /^(get|post|put|patch|delete)$/.test(method))
      .map((method) => ({ method: method.toUpperCase(), path })),
  );
  const { oneOf, chance } = choicesFrom(SEED);
  const bodyOf = (): { lines: string[]; body: Buffer } => {
    if (chance(0.2)) {
      const body = form(
        [{ name: oneOf(NAMES), content: 'x', filename: oneOf(NAMES) }],
        oneOf(['--B--\r\n', '', '--B']),
      );
      return { lines: ['Content-Type: multipart/form-data; boundary=B', `Content-Length: ${body.length}`], body };
    }
    if (chance(0.1))
      return {
        lines: ['Content-Type: application/json', 'Transfer-Encoding: chunked'],
        body: Buffer.from('2\r\n{}\r\nzz\r\n'),
      };
    const body = Buffer.from(oneOf(TEXTS));
    return { lines: ['Content-Type: application/json', `Content-Length: ${body.length}`], body };
  };
  return (): Buffer => {
    const { method, path } = oneOf(routes);
    // Made-up ids only, so that no request names anything that exists.
    const target = path.replaceAll(/\{\w+\}/g, () => oneOf(NAMES)) + oneOf(QUERIES);
    const { lines, body } = method === 'GET' || method === 'DELETE' ? { lines: [], body: Buffer.alloc(0) } : bodyOf();
    const key = oneOf(['', 'asy_rs_constructor_x', 'x'.repeat(600), ...Object.values(tenant.keys)]);
    const more = [
      ...(key ? [`apikey: ${key}`] : []),
      ...(chance(0.2) ? [`Idempotency-Key: ${oneOf([...NAMES, '"'])}`] : []),
      ...(chance(0.1) ? ['Cookie: __proto__=1; assay-console=x; assay-admin=y', 'Origin: null'] : []),
    ];
    const whole = Buffer.concat([Buffer.from(head(method, target, [...more, ...lines])), body]);
    return chance(0.04) ? whole.subarray(0, Math.ceil(whole.length / 2)) : whole;
  };
};

test(`${REQUESTS} hostile requests are refused or harmless, and none fails`, async () => {
  const next = await hostileRequests();
  const counts = new Map<number | string, number>();
  const failed: string[] = [];
  const sender = async (): Promise<void> => {
    for (let sent = 0; sent < REQUESTS / AT_ONCE; sent += 1) {
      const request = next();
      // A request that the gateway waits for is left open for half a second. Its time-out has a
      // test of its own.
      const status = await sendRaw(baseUrl, request, 500);
      counts.set(status, (counts.get(status) ?? 0) + 1);
      if (status === 500) failed.push(String(request.subarray(0, 300)));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sender));
  expect(failed).toEqual([]);
  for (const refusal of [400, 401, 403, 404]) expect(counts.get(refusal)).toBeGreaterThan(10);
}, 60_000);

test('pipelined requests on connections that break off free their places', async () => {
  const { hostname, port } = new URL(baseUrl);
  const lines = [`apikey: ${tenant.keys.relyingService}`];
  // More requests than the gateway runs at a time. It begins each of them, and no client waits for
  // the answers.
  const request = head('GET', '/svc/v1/identities/none', lines).replace('Connection: close\r\n', '');
  const sent = Array.from({ length: 80 }, () => {
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    return new Promise((resolve) => socket.once('close', resolve).write(request.repeat(31), () => socket.destroy()));
  });
  await Promise.all(sent);
  const served = async (): Promise<boolean> => {
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => tenant.relyingService.get('/svc/v1/identities/none')),
    );
    return answers.every(({ status }) => status === 404);
  };
  await waitFor('sixty at a time to be served', served, 45_000);
}, 60_000);

describe('malformed addresses', () => {
  const ADDRESSES = [
    '//',
    '///x',
    'http://[',
    'http://a:99999/',
    '*',
    '/%',
    '/\\',
    '//admin',
    '/%2e%2e/%2e%2e/etc/passwd',
  ];
  const ports = ['public', 'internal', 'admin'] as const;
  test.each(ports)('end no process on its %s port', async (port) => {
    const urls = port === 'public' ? [baseUrl] : processes().map((one) => one[`${port}Url`]);
    const statuses = await Promise.all(
      urls.flatMap((url) => ADDRESSES.map((path) => sendRaw(url, head('GET', path, []), 10_000))),
    );
    expect(statuses.filter((status) => typeof status === 'string' || status >= 500)).toEqual([]);
    for (const one of processes()) expect((await fetch(`${one.adminUrl}/health/live`)).status).toBe(200);
  });
});

afterAll(async () => {
  const after = processes();
  expect(after.map(({ pid }) => pid)).toEqual([...before.keys()]);
  const most = (pid: number): number => before.get(pid)!.files + CONNECTIONS_KEPT;
  await waitFor('files to be closed', () => after.every((one) => usage(one).files <= most(one.pid)), 20_000);
  for (const one of after) expect(usage(one).megabytes - before.get(one.pid)!.megabytes).toBeLessThan(250);
}, 30_000);
