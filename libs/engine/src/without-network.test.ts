import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openProcessPool } from './process-pool.ts';
import { withoutNetwork } from './without-network.ts';

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
  const child = fork(program, [], { ...withoutNetwork([]), env: {} });
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
