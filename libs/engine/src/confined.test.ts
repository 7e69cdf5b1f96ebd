import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { confined } from './confined.ts';
import { openProcessPool } from './process-pool.ts';

/* What an attacker could do who has taken over a decoder: open a connection. */
const CALLING = `
import { connect } from 'node:net';
const call = (port, said) => connect(port, '127.0.0.1').on('connect', () => said('connected')).on('error', ({ code }) => said(code));
process.on('message', ({ port }) => call(port, (said) => process.send({ kind: 'answer', answer: said, residentMb: 1 })));
process.send({ kind: 'ready' });
`;

const server = createServer((socket) => socket.destroy());
let folder: string;
let program: string;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  folder = await mkdtemp(join(tmpdir(), 'calling-'));
  program = join(folder, 'host.mjs');
  await writeFile(program, CALLING);
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});
const port = () => (server.address() as AddressInfo).port;
/** Without user namespaces there is nothing to test. */
const isAllowed = spawnSync('unshare', ['--user', '--map-current-user', '--net', 'true']).status === 0;

test('a process without a network answers its service and reaches nothing else', async () => {
  const child = fork(program, [], { ...confined([]), env: {} });
  await once(child, 'message');
  child.send({ port: port() });
  const [{ answer }] = await once(child, 'message');
  child.kill('SIGKILL');
  expect(answer).toBe(isAllowed ? 'ENETUNREACH' : 'connected');
});

test('the processes of the engine run without a network', async () => {
  const pool = await openProcessPool<{ kind: 'call'; port: number }, { call: string }>({ size: 1, program });
  expect(await pool.run({ kind: 'call', port: port() })).toBe(isAllowed ? 'ENETUNREACH' : 'connected');
  await pool.close();
});

/* Says how large a core dump of its own may be. */
const MEASURED = `
import { readFileSync } from 'node:fs';
const limits = () => /Max core file size +(.*?) +bytes/.exec(readFileSync('/proc/self/limits', 'utf8'))[1].split(/ +/);
process.on('message', () => process.send({ kind: 'answer', answer: limits(), residentMb: 1 }));
process.send({ kind: 'ready' });
`;

(process.platform === 'linux' ? test : test.skip)(
  'a process of the engine that crashes leaves no core dump',
  async () => {
    const measured = join(folder, 'measured.mjs');
    await writeFile(measured, MEASURED);
    // The hardest case: this process may leave dumps of any size.
    const allow = (size: string) => spawnSync('prlimit', [`--core=${size}`, '--pid', String(process.pid)]);
    allow('unlimited');
    const pool = await openProcessPool<{ kind: 'limit' }, { limit: string[] }>({ size: 1, program: measured });
    expect(await pool.run({ kind: 'limit' })).toEqual(['0', '0']);
    allow('0:unlimited');
    await pool.close();
  },
);
