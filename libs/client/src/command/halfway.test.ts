import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { main } from './main.ts';

/* What a command prints that gets somewhere and not to its end. */

const SOURCE = 'source=list';
const ROUTES: Record<string, object | ''> = {
  'GET /admin/v1/doctor': { findings: [{ check: 'clocks', status: 'OK', message: 'fine', where: 'suite' }] },
  'POST /admin/v1/identities/good/re-evaluation': { policy: { name: 'strict', version: '1' } },
  'GET /admin/v1/dead-letters': { items: [{ queue: 'some.queue', count: 2500 }] },
  'GET /admin/v1/trust/csca': { items: ['good', 'bad', 'other'].map((id) => ({ id, source: 'list' })) },
  'GET /admin/v1/trust/signers': { items: [] },
  'POST /admin/v1/trust/csca': { added: 1, known: 0, refused: [{ subject: 'C=UT', reason: 'expired' }] },
  'POST /admin/v1/trust/crl': { added: 0, known: 0, refused: [{ subject: 'C=UT', reason: 'not signed' }] },
  'POST /admin/v1/master-keys/rotations': { rotated: false, current: 'next', remaining: 3 },
  'GET /admin/v1/master-keys': { current: 'next', remaining: 0 },
  [`DELETE /admin/v1/trust/csca/good?${SOURCE}`]: '',
};
let replays = 0;
const suite = createServer((request, response) => {
  request.resume();
  const asked = `${request.method} ${request.url}`;
  const isReplayed = asked.endsWith('/replay') && replays++ === 0;
  const reply = isReplayed ? { replayed: 1000 } : ROUTES[asked];
  response.writeHead(reply === undefined ? 503 : 200, { 'content-type': 'application/json' });
  const sent = reply ?? { errors: [{ code: '5030', message: 'Temporarily unavailable' }] };
  response.end(sent === '' ? '' : JSON.stringify(sent));
});
let url: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => suite.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(suite.address() as AddressInfo).port}`;
});
afterAll(() => void suite.close());

const assay = async (...args: string[]) => {
  const [out, aside] = [process.stdout, process.stderr].map((stream) =>
    jest.spyOn(stream, 'write').mockReturnValue(true),
  );
  const code = await main(['node', 'assay', '--url', url, '--key', 'a-key', ...args]);
  const [stdout, stderr] = [out, aside].map((spied) => spied!.mock.calls.map(([chunk]) => String(chunk)).join(''));
  out!.mockRestore();
  aside!.mockRestore();
  return { code, stdout: stdout!, stderr: stderr! };
};

test('identities that were re-evaluated before one that is refused are named', async () => {
  const { code, stdout, stderr } = await assay('reevaluate', 'good', 'bad', '--json');
  expect([code, JSON.parse(stdout)]).toEqual([2, { good: { name: 'strict', version: '1' } }]);
  expect(stderr).toContain('refused with 503');
  expect(await assay('reevaluate', 'bad', '--json')).toMatchObject({ code: 2, stdout: '' });
});

test('dead letters that were replayed before a call that is refused are counted', async () => {
  const { code, stdout, stderr } = await assay('dead-letters', 'replay', 'some.queue');
  expect([code, JSON.parse(stdout)]).toEqual([2, { replayed: 1000 }]);
  expect(stderr).toContain('refused with 503');
  expect(await assay('dead-letters', 'replay', 'some.queue')).toMatchObject({ code: 2, stdout: '' });
});

test('certificates that were removed before one that is not are named', async () => {
  const { code, stdout, stderr } = await assay('trust', 'remove', '--source', 'list');
  expect([code, JSON.parse(stdout)]).toEqual([2, { removed: ['good'], elsewhere: [] }]);
  expect(stderr).toContain('refused with 503');
});

test('a Prometheus that is away, or is none, is a finding beside the others', async () => {
  for (const [prometheus, message] of [
    ['http://127.0.0.1:9', 'http://127.0.0.1:9 does not answer: ECONNREFUSED'],
    [url, `${url} does not answer like a Prometheus`],
  ] as const) {
    const { code, stdout, stderr } = await assay('doctor', '--json', '--prometheus', prometheus);
    expect([code, stderr]).toEqual([1, '']);
    expect(JSON.parse(stdout).findings).toEqual([
      expect.objectContaining({ check: 'clocks', status: 'OK' }),
      expect.objectContaining({ check: 'front-tls' }),
      { check: 'alerts', status: 'PROBLEM', message, where: 'prometheus' },
    ]);
  }
  const refused = await assay('doctor', '--prometheus', 'prometheus:9090');
  expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--prometheus takes') });
});

test('an import of which nothing is trusted ends with 1, so that a script notices', async () => {
  const file = import.meta.filename;
  expect(await assay('trust', 'import', file)).toMatchObject({ code: 0, stdout: expect.stringContaining('expired') });
  const refused = await assay('trust', 'import', file, '--crl');
  expect(refused).toMatchObject({ code: 1, stdout: expect.stringContaining('not signed') });
});

test('a rotation of the master key whose wait was cut off is waited for by its repeat', async () => {
  const { code, stdout, stderr } = await assay('keys', 'rotate-master', '--wait');
  expect([code, JSON.parse(stdout)]).toEqual([0, { current: 'next', remaining: 0 }]);
  expect(stderr).toContain('3 to go');
});
