import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { AuditCheckpoint, AuditEntry } from '../audit/verify-audit.ts';

/** `assay audit` beside a suite that goes on writing its chain. */
const folder = mkdtempSync(join(tmpdir(), 'assay-audit-'));
const jwks = join(import.meta.dirname, '../../test-vectors/jwks.json');
const PAGE = 2;
let server: Server;
let url: string;
/** The entries so far. One is written, and signed, after each answer. */
let written: number;
let failsAt: number;
let hangsAt: number;
let onHanging = (): void => undefined;

beforeAll(async () => {
  server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://any');
    response.setHeader('content-type', 'application/json');
    if (pathname === '/.well-known/jwks.json') return response.end(readFileSync(jwks));
    const after = Number(searchParams.get('cursor') ?? 0);
    if (after >= hangsAt) return onHanging();
    if (after >= failsAt)
      return response.writeHead(403).end('{"errors": [{"code": "1001", "message": "not any more"}]}');
    const until = Math.min(written, after + PAGE);
    const items = Array.from({ length: until - after }, (_, at) => ({ seq: after + at + 1, hash: 'h', jws: 'a.b.c' }));
    const cursor = until < written ? { cursor: String(until) } : {};
    if (written > 0) written += 1;
    return response.end(JSON.stringify({ items, ...cursor }));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  failsAt = Number.POSITIVE_INFINITY;
  hangsAt = Number.POSITIVE_INFINITY;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

const file = join(folder, 'log.json');
const bin = join(import.meta.dirname, '../../bin/assay.mjs');
const assay = (...args: string[]) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const command = [bin, '--url', url, '--key', 'any', 'audit', ...args];
    execFile(process.execPath, command, { cwd: folder }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
const exported = () =>
  JSON.parse(readFileSync(file, 'utf8')) as { entries: AuditEntry[]; checkpoints: AuditCheckpoint[] };

test('a chain that grows while it is exported has the entry of every head in the file', async () => {
  written = 3;
  // The chain grows by one for each page of two, so that the lists end.
  const { stdout } = await assay('export', file);
  const { entries, checkpoints } = exported();
  expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, at) => at + 1));
  expect(checkpoints.length).toBeGreaterThan(PAGE);
  expect(entries.length).toBeGreaterThanOrEqual(checkpoints.length);
  expect(stdout).toContain(`${entries.length} entries, ${checkpoints.length} checkpoints`);
});

test('an empty chain is exported and is called empty', async () => {
  written = 0;
  await assay('export', file);
  expect(exported()).toEqual({ entries: [], checkpoints: [] });
  expect(await assay('verify', file)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^EMPTY/) });
});

test('a refusal amid the export is told as one, and an older export of that name stays as it was', async () => {
  written = 30;
  failsAt = 4;
  for (const before of ['', 'an older export']) {
    writeFileSync(file, before);
    const { code, stderr } = await assay('export', file);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/refused with 403[\s\S]*not any more/)]);
    expect(readFileSync(file, 'utf8')).toBe(before);
  }
  expect(readdirSync(folder)).toEqual(['log.json']);
});

test.each(['SIGINT', 'SIGTERM'] as const)(
  'an export that is broken off by %s leaves nothing beside it',
  async (signal) => {
    written = 30;
    hangsAt = 4;
    const isHanging = new Promise<void>((resolve) => {
      onHanging = resolve;
    });
    const isPart = (name: string): boolean => name.endsWith('.part');
    const command = [bin, '--url', url, '--key', 'any', 'audit', 'export', file];
    const child = spawn(process.execPath, command, { cwd: folder, stdio: 'ignore' });
    const ended = once(child, 'exit');
    await isHanging;
    expect(readdirSync(folder).filter(isPart)).toHaveLength(1);
    child.kill(signal);
    expect(await ended).toEqual([null, signal]);
    expect(readdirSync(folder).filter(isPart)).toEqual([]);
  },
);

test('an export takes the place of an older one, behind a link too, and is for the user alone', async () => {
  written = 0;
  const link = join(folder, 'link.json');
  writeFileSync(file, 'an older export', { mode: 0o644 });
  symlinkSync(file, link);
  await assay('export', link);
  expect(exported()).toEqual({ entries: [], checkpoints: [] });
  expect([lstatSync(link).isSymbolicLink(), statSync(file).mode & 0o777]).toEqual([true, 0o600]);
  rmSync(link);
});
