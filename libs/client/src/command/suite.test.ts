import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

/* Where the command finds a suite, and what it says where that cannot be read. */

const bin = join(import.meta.dirname, '../../bin/assay.mjs');
const folder = mkdtempSync(join(tmpdir(), 'assay-suite-'));
const stackFile = join(folder, '.run/stack.json');

let server: Server;
let url: string;
const asked: string[] = [];
beforeAll(async () => {
  mkdirSync(join(folder, '.run'));
  server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(404, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ errors: [{ code: '4040', message: 'Not found' }] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The command in a folder whose suite is the one of `.run/stack.json`. */
const assay = (args: string[], more: Record<string, string> = {}) =>
  new Promise<{ code: number; stderr: string }>((resolve) => {
    const env = { ...process.env, ASSAY_URL: '', ASSAY_KEY: 'a-key', ...more };
    execFile(process.execPath, [bin, ...args], { cwd: folder, env }, (error, _, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stderr }),
    );
  });
const holds = (content: string): void => {
  rmSync(stackFile, { recursive: true, force: true });
  writeFileSync(stackFile, content);
};

describe('a stack.json that names no suite is named in one line', () => {
  test('because it cannot be read', async () => {
    rmSync(stackFile, { recursive: true, force: true });
    mkdirSync(stackFile);
    const { code, stderr } = await assay(['tenants', 'list']);
    expect([code, stderr]).toEqual([2, `${stackFile} cannot be read: EISDIR\n`]);
  });

  test.each(['null', '{}', '[]', '{"baseUrl": "http://127.0.0.1:9", "apiPrefix": "svc"}'])(
    'because it is %s',
    async (content) => {
      holds(content);
      const { code, stderr } = await assay(['tenants', 'list']);
      expect([code, stderr.trim().split('\n').length]).toEqual([2, 1]);
      expect(stderr).toContain(`${stackFile} is not what npm run up writes: give --url and --key`);
    },
  );
});

test('ASSAY_PREFIX counts for the suite of stack.json too, as the hint says', async () => {
  holds(JSON.stringify({ baseUrl: url, apiPrefix: 'svc', keys: { relyingService: 'one', admin: 'other' } }));
  asked.length = 0;
  const named = await assay(['identity', 'show', 'x'], { ASSAY_PREFIX: 'gips' });
  const own = await assay(['identity', 'show', 'x']);
  expect(asked).toEqual(['/gips/v1/identities/x/status', '/svc/v1/identities/x/status']);
  expect([named.stderr, own.stderr]).toEqual([
    expect.stringContaining("check the prefix 'gips'"),
    expect.not.stringContaining('prefix'),
  ]);
});

test('an output that cannot be written is unusable, not refused', () => {
  const env = { ...process.env, ASSAY_URL: '' };
  const full = openSync('/dev/full', 'w');
  const { status, stderr } = spawnSync(process.execPath, [bin, '--help'], { env, stdio: ['ignore', full, 'pipe'] });
  expect([status, String(stderr)]).toEqual([2, 'standard output cannot be written: ENOSPC\n']);
});

test('a secret that doctor may not read is named', async () => {
  const file = join(folder, 'gateway.env');
  writeFileSync(file, `MASTER_KEY_FILE=${folder}\n`);
  const { code, stderr } = await assay(['doctor', '--env', `gateway=${file}`]);
  expect([code, stderr]).toEqual([2, `${folder} cannot be read: EISDIR\n`]);
});
