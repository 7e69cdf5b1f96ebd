import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

/** The health check of the images (deploy/healthcheck.mjs), which ends a service that hangs. */
const check = join(import.meta.dirname, '../../../deploy/healthcheck.mjs');
let folder: string;
let service: ReturnType<typeof spawn>;
let ended: Promise<unknown>;
const closing: (() => void)[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-healthcheck-'));
  const program = join(folder, 'entrypoint.mjs');
  writeFileSync(program, 'setInterval(() => undefined, 1000);');
  service = spawn(process.execPath, [program], { stdio: 'ignore' });
  ended = new Promise((resolve) => service.once('exit', (_code, signal) => resolve(signal)));
});
afterEach(async () => {
  for (const close of closing.splice(0)) close();
  service.kill('SIGKILL');
  await ended;
  rmSync(folder, { recursive: true, force: true });
});

/** What plays init is the process that started the service: this one. */
const checked = (port: number): Promise<number> =>
  new Promise((resolve) => {
    const env = { ...process.env, ADMIN_PORT: String(port), TMPDIR: folder };
    execFile(process.execPath, [check, String(process.pid)], { env }, (error) => resolve(Number(error?.code ?? 0)));
  });
const answering = async (status: number): Promise<number> => {
  const server = createServer((_request, response) => response.writeHead(status).end());
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  return (server.address() as AddressInfo).port;
};
const note = () => join(folder, 'assay-silent-since');
const silentFor = (seconds: number) => writeFileSync(note(), String(process.hrtime()[0] - seconds));
const NOBODY = 1;

test('a service that is not ready is unhealthy, and goes on however long it answers so', async () => {
  silentFor(3600);
  expect(await checked(await answering(503))).toBe(1);
  expect(() => readFileSync(note())).toThrow();
  expect(await checked(await answering(200))).toBe(0);
  expect(service.exitCode).toBeNull();
});

test('a service that answers nothing is killed after two minutes, and not before', async () => {
  expect(await checked(NOBODY)).toBe(1);
  silentFor(100);
  expect(await checked(NOBODY)).toBe(1);
  expect([service.exitCode, service.signalCode]).toEqual([null, null]);
  silentFor(121);
  expect(await checked(NOBODY)).toBe(1);
  expect(await ended).toBe('SIGKILL');
});
