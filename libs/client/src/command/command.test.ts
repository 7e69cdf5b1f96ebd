import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Command } from 'commander';
import { publishedKeys, readKeys } from '../package.ts';
import { LANGUAGES } from './link.ts';
import { programFor } from './main.ts';

const vectors = join(import.meta.dirname, '../../test-vectors');
const jwks = join(vectors, 'jwks.json');
const folder = mkdtempSync(join(tmpdir(), 'assay-command-'));

let server: Server;
let url: string;
const asked: string[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    const known = request.url === '/.well-known/jwks.json';
    const allowed = request.headers.apikey === 'an-admin-key';
    asked.push(`${request.method} ${request.url}`);
    if (request.url?.startsWith('/moved/')) {
      response.writeHead(302, { location: '/.well-known/jwks.json' });
      return response.end();
    }
    response.statusCode = known ? 200 : allowed ? 404 : 401;
    response.setHeader('content-type', 'application/json');
    if (request.headers.apikey === 'a-long-list') {
      response.statusCode = 200;
      return response.end(JSON.stringify({ items: new Array(20_000).fill({ name: 'a tenant with a long name' }) }));
    }
    if (request.headers.apikey === 'no-list') {
      response.statusCode = 200;
      return response.end('{}');
    }
    if (request.headers.apikey === 'a-key' && request.url === '/svc/v1/identities') {
      response.statusCode = 200;
      return response.end('{"id": "made"}');
    }
    return response.end(
      known ? readFileSync(jwks) : JSON.stringify({ errors: [{ code: '4040', message: 'Not found' }] }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

const assay = (args: string[], env: Record<string, string> = {}) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const bin = join(import.meta.dirname, '../../bin/assay.mjs');
    execFile('node', [bin, ...args], { cwd: folder, env: { ...process.env, ...env } }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });

describe('assay proof verify', () => {
  test('exits 0 for a good proof, with keys from a file or from the suite', async () => {
    const file = join(vectors, 'good.mime');
    expect(await assay(['proof', 'verify', file, '--jwks', jwks])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('GOOD'),
    });
    expect((await assay(['--url', url, 'proof', 'verify', file])).code).toBe(0);
    expect((await assay(['proof', 'verify', file], { ASSAY_URL: url })).code).toBe(0);
    expect((await assay(['proof', 'verify', file, '--jwks', `${url}/.well-known/jwks.json`])).code).toBe(0);
  });

  test('exits 1 with reasons for a broken one, also as JSON', async () => {
    const { code, stdout } = await assay(['proof', 'verify', join(vectors, 'alg-none.zip'), '--jwks', jwks, '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, reasons: [{ check: 'signature' }] });
  });

  test('exits 2 for unusable input', async () => {
    const good = join(vectors, 'good.zip');
    const unusable = [
      ['proof', 'verify', join(vectors, 'empty.zip'), '--jwks', jwks],
      ['proof', 'verify', join(folder, 'nothing-here'), '--jwks', jwks],
      ['proof', 'verify', folder, '--jwks', jwks],
      ['proof', 'verify', good, '--jwks', join(folder, 'no-keys')],
      ['proof', 'verify', good, '--jwks', 'http://127.0.0.1:9/'],
      ['proof', 'verify', good],
      ['proof', 'verify'],
      ['--url', url, '--key', 'an-admin-key', 'explain', 'nobody'],
    ];
    const codes = await Promise.all(unusable.map(async (args) => (await assay(args)).code));
    expect(codes).toEqual(unusable.map(() => 2));
  }, 60_000);
});

describe('the chips of a proof', () => {
  const good = join(vectors, 'chip-good.zip');

  test('are verified again with --csca, which shows who signed', async () => {
    const { code, stdout } = await assay([
      ...['proof', 'verify', good, '--jwks', jwks],
      ...['--csca', join(vectors, 'csca.pem')],
    ]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/ok\s+chips/);
    for (const name of ['PASSIVE_AUTHENTICATION_CHECK', 'ACTIVE_AUTHENTICATION_CHECK', 'DATA_GROUP1_CHECK'])
      expect(stdout).toMatch(new RegExp(`^OK +${name}$`, 'm'));
    expect(stdout).toMatch(/signed by +.*Specimen Authority Signer/);
  });

  test('cannot be verified with a file without an authority', async () => {
    expect(await assay(['proof', 'verify', good, '--jwks', jwks, '--csca', jwks])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('cannot be trusted'),
    });
  });

  test('are shown with their files', async () => {
    const page = join(folder, 'chip.html');
    await assay(['proof', 'show', good, '--jwks', jwks, '-o', page]);
    const html = readFileSync(page, 'utf8');
    expect(html).toContain('Files of the chip');
    expect(html).toContain('<th scope="row">sod.bin</th>');
    expect(html).toContain('alt="Portrait in the chip"');
    expect(html).toContain('Verification of the chip: made');
  });
});

describe('a file that is no proof', () => {
  const file = join(folder, 'proof.bin');

  test('an error reply is reported as one, not as a refused proof', async () => {
    const reply = {
      ...{ type: 'about:blank', title: 'Forbidden', status: 403 },
      errors: [{ code: '4031', message: 'The proof cannot be retrieved while the identity is being processed' }],
    };
    writeFileSync(file, JSON.stringify(reply));
    for (const action of ['verify', 'show']) {
      const { code, stdout, stderr } = await assay(['proof', action, file, '--jwks', jwks]);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/error reply.*403, 4031 The proof cannot be retrieved while/);
    }
  });

  test('other JSON is refused because it is no archive', async () => {
    writeFileSync(file, '{"id": 1}');
    expect(await assay(['proof', 'verify', file, '--jwks', jwks])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('neither a MIME envelope nor a ZIP archive'),
    });
  });
});

test('without keys the hint names --jwks, if there is no suite, and if it does not answer', async () => {
  const good = join(vectors, 'good.zip');
  for (const env of [{ ASSAY_URL: '' }, { ASSAY_URL: 'http://127.0.0.1:9' }])
    for (const action of ['verify', 'show'])
      expect(await assay(['proof', action, good], env)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('give the published keys with --jwks'),
      });
});

describe('unusable input is reported in one line, before any request', () => {
  const cases: [what: string[], said: RegExp][] = [
    [['receipt', 'verify', join(import.meta.dirname, '../../README.md')], /README.md is not JSON: Unexpected token/],
    [['link', '--steps', 'DOCUMENT,NOPE'], /--steps takes each of DOCUMENT, CHIP, PORTRAIT, EMAIL, MOBILE once/],
    [['link', '--steps', 'CHIP,CHIP'], /--steps takes each of/],
    [['link', '--locale', 'xx'], /--locale takes a language of the capture page, en, de, /],
    [['link', '--return-url', 'shop'], /--return-url takes an address such as/],
    [['link', '--expires', '0'], /--expires takes a whole number/],
    [['trust', 'list', '--country', 'ZZ9'], /--country takes two letters or three, such as DE or DEU/],
    [['trust', 'remove'], /give either an id or --source/],
    [['trust', 'remove', 'an-id', '--source', 'a list'], /give either an id or --source/],
    [
      ['identity', 'submit', 'an-id', '--front', 'a', '--portrait', 'b'],
      /at a time: --front and --portrait are 2 subm/,
    ],
    [['identity', 'submit', 'an-id', '--portrait', 'b', '--back', 'a'], /--back belongs to --front, not to --portrait/],
    [['identity', 'submit', 'an-id', '--text', '{}', '--type', 'VISA'], /--type belongs to --front, not to --text/],
    [['--url', 'nope', 'identity', 'create'], /--url takes an address such as https:/],
  ];
  test.each(cases)('%j', async (args, said) => {
    asked.length = 0;
    const { code, stderr } = await assay(args, { ASSAY_URL: url, ASSAY_KEY: 'a-key' });
    expect([code, stderr.trim().split('\n').length, asked]).toEqual([2, 1, []]);
    expect(stderr).toMatch(said);
  });
});

test('a reader that leaves early changes no exit code, and is told nothing', async () => {
  const bin = join(import.meta.dirname, '../../bin/assay.mjs');
  const line = '"$0" "$@" | head -n 1';
  const args = ['-o', 'pipefail', '-c', line, process.execPath, bin, 'tenants', 'list'];
  const env = { ...process.env, ASSAY_URL: url, ASSAY_KEY: 'a-long-list' };
  const said = await new Promise((resolve) =>
    execFile('bash', args, { cwd: folder, env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    ),
  );
  expect(said).toEqual({ code: 0, stdout: '[\n', stderr: '' });
});

test('listening that is interrupted while the webhook is set leaves none behind', async () => {
  const set: unknown[] = [];
  const suite = createServer(async (request, response) => {
    response.setHeader('content-type', 'application/json');
    if (request.method === 'PATCH') {
      set.push(JSON.parse(await text(request)).settings.webhook);
      // The answer comes once the command was interrupted.
      if (set.length === 1) listening.kill('SIGINT');
    }
    response.end('{"settings": {}}');
  });
  await new Promise<void>((resolve) => suite.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(suite.address() as AddressInfo).port}`;
  const bin = join(import.meta.dirname, '../../bin/assay.mjs');
  const listening = spawn(process.execPath, [bin, '--url', address, '--key', 'a-key', 'webhooks', 'listen', 'tenant']);
  expect(await once(listening, 'exit')).toEqual([0, null]);
  expect(set).toEqual([expect.objectContaining({ mode: 'HMAC' }), null]);
  suite.close();
});

test('an address that answers JSON but no list is no suite', async () => {
  expect(await assay(['tenants', 'list'], { ASSAY_URL: url, ASSAY_KEY: 'no-list' })).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/^http:.* does not answer like a suite: there is no list at \/admin\/v1\/tenants\n/),
  });
});

test.each([
  [['doctor'], 'findings'],
  [['explain', 'an-id'], 'explanation'],
  [['evaluate', 'an-id', '--policy', 'strict'], 'changes'],
  [['reevaluate', 'an-id'], 'policy'],
  [['webhooks', 'resend', 'an-id', 'tenant'], 'deliveryId'],
  [['webhooks', 'test', 'tenant'], 'settings'],
  [['webhooks', 'recover', 'tenant', '--since', '2026-01-02'], 'recovered'],
  [['dead-letters', 'replay', 'some.queue'], 'items'],
  [['trust', 'import', jwks], 'added'],
  [['trust', 'report'], 'countries'],
  [['dead-letters', 'list'], 'items'],
  [['dead-letters', 'remove', 'some.queue'], 'removed'],
  [['tenants', 'change', 'tenant', '{}'], 'tenantId'],
  [['keys', 'create', 'tenant', 'OPERATOR'], 'apiKey'],
  [['keys', 'rotate-signing', '--at-once'], 'keys'],
  [['keys', 'rotate-master'], 'rotated'],
  [['people', 'delete', 'person'], 'ended'],
])('an address that answers %j with other JSON is no suite', async (args, member) => {
  expect(await assay(args, { ASSAY_URL: url, ASSAY_KEY: 'no-list' })).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining(`does not answer like a suite: there is no ${member} at /admin/v1/`),
  });
});

test.each([
  [['doctor'], { findings: {} }, 'there is no list at'],
  [['doctor'], { findings: [null] }, 'has no check'],
  [['webhooks', 'list', 'tenant'], { items: [{ deliveryId: 'an-id' }] }, 'has no identityId'],
  [['trust', 'remove', '--source', 'a-list'], { items: ['an-id'] }, 'has no id'],
  [['dead-letters', 'replay', 'some.queue'], { items: [null] }, 'has no queue'],
])('an address that answers %j with %j is no suite', async (args, answer, reason) => {
  const other = createServer((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  expect(await assay(args, { ASSAY_URL: address, ASSAY_KEY: 'a-key' })).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(new RegExp(`^${address} does not answer like a suite: .*${reason}`)),
  });
  other.close();
});

test.each([[['keys', 'delete', 'tenant', 'key']], [['trust', 'remove', 'an-id']]])(
  'an address that answers %j with JSON is no suite: nothing was deleted there',
  async (args) => {
    expect(await assay(args, { ASSAY_URL: url, ASSAY_KEY: 'no-list' })).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('does not answer like a suite: 200 with JSON at /admin/v1/'),
    });
  },
);

test.each([
  [['identity', 'create'], 'id'],
  [['identity', 'consent', 'an-id', 'PORTRAIT'], 'list'],
  [['identity', 'submit', 'an-id', '--text', '{}', '--no-wait'], 'id'],
  [['identity', 'watch', 'an-id'], 'globalStatus'],
  [['identity', 'show', 'an-id', '--json'], 'globalStatus'],
  [['link'], 'id'],
  [['link', 'an-id'], 'url'],
])('an address that answers %j of a relying service with other JSON is no suite', async (args, member) => {
  expect(await assay(args, { ASSAY_URL: url, ASSAY_KEY: 'no-list' })).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(
      new RegExp(`^${url} does not answer like a suite: there is no ${member} \\(request .*\\nnext: start a suite`),
    ),
  });
});

test('files with a byte order mark, as Windows writes them, are read', async () => {
  const [keys, log] = [join(folder, 'with mark.json'), join(folder, 'log.json')];
  writeFileSync(keys, `\ufeff${readFileSync(jwks, 'utf8').replaceAll('\n', '\r\n')}`);
  writeFileSync(log, '\ufeff{"entries": [],\r\n"checkpoints": []}');
  expect(await assay(['audit', 'verify', log, '--jwks', keys])).toMatchObject({ code: 0, stderr: '' });
});

test('keys are not read from the target of a redirect', async () => {
  const moved = `${url}/moved/.well-known/jwks.json`;
  expect(await assay(['proof', 'verify', join(vectors, 'good.zip'), '--jwks', moved])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/the keys at .* cannot be had: 302; give the published keys/),
  });
  await expect(publishedKeys(`${url}/moved`)).rejects.toThrow();
  expect(readKeys(await publishedKeys(url))).not.toEqual([]);
});

test('a refused link leaves no identity behind', async () => {
  asked.length = 0;
  const env = { ASSAY_URL: url, ASSAY_KEY: 'a-key' };
  expect((await assay(['link', '--return-url', 'https://elsewhere.example/', '--steps', 'document'], env)).code).toBe(
    2,
  );
  const at = '/svc/v1/identities';
  expect(asked).toEqual([`POST ${at}`, `POST ${at}/made/user-agent-sessions`, `DELETE ${at}/made`]);
  asked.length = 0;
  expect((await assay(['link', 'given'], env)).code).toBe(2);
  expect(asked).toEqual([`POST ${at}/given/user-agent-sessions`]);
});

test('link accepts the languages of the capture page', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../pages/src/capture/languages.ts'), 'utf8');
  expect([...page.matchAll(/^ {2}\['(\w+)', /gm)].map(([, language]) => language)).toEqual(LANGUAGES);
});

test('if nothing is found, the hint names the prefix', async () => {
  const env = { ASSAY_URL: url, ASSAY_KEY: 'an-admin-key' };
  const named = await assay(['--prefix', 'nope', 'identity', 'show', 'x'], env);
  expect(named.stderr).toMatch(/refused with 404[\s\S]*\nnext: check the prefix 'nope' \(--prefix or ASSAY_PREFIX\)/);
  expect((await assay(['identity', 'show', 'x'], env)).stderr).not.toContain('prefix');
});

/** Every command that does something, with its full name. */
const leavesOf = (command: Command, name = ''): [string, Command][] =>
  command.commands.length === 0
    ? [[name, command]]
    : command.commands.flatMap((one) => leavesOf(one, `${name} ${one.name()}`.trim()));

test('every command accepts --json', () => {
  const leaves = leavesOf(programFor({ exitCode: 0 }));
  expect(leaves.length).toBeGreaterThan(30);
  const without = leaves.filter(([, command]) => !command.options.some(({ long }) => long === '--json'));
  expect(without.map(([name]) => name)).toEqual(['completion']);
});

test.each([
  [['identity', 'show', ''], '<identity> is empty'],
  [['identity', 'show', '..'], "<identity> cannot be '..'"],
  [['link', ' '], '<identity> is empty'],
  [['tenants', 'show', ''], '<tenant> is empty'],
  [['dead-letters', 'show', ''], '<queue> is empty'],
  [['reevaluate', 'x', ''], '<identities> is empty'],
  [['audit', 'export', 'log.json', '--tenant', ''], '--tenant is empty'],
  [['audit', 'export', 'log.json', '--tenant', '..'], "--tenant cannot be '..'"],
  [['webhooks', 'list', 'tenant', '--state', ''], '--state is empty'],
  [['proof', 'verify', 'x', '--csca', ''], '--csca is empty'],
  [['--url', '', 'tenants', 'list'], '--url is empty'],
  [['--key', '', 'keys', 'list', 'tenant'], '--key is empty'],
])('%j is refused and asks nothing', async (args, said) => {
  asked.length = 0;
  expect(await assay(args, { ASSAY_URL: url, ASSAY_KEY: 'a-key' })).toEqual({
    code: 2,
    stdout: '',
    stderr: `${said}\n`,
  });
  expect(asked).toEqual([]);
});

test('the words of a completion may be empty', async () => {
  const { code, stdout } = await assay(['completion', 'words', '--', 'dead-letters', '']);
  expect([code, stdout]).toEqual([0, expect.stringContaining('replay')]);
});

test.each([[['identity', 'create']], [['tenants', 'list']]])(
  'without a running suite %s says how to start one',
  async (args) => {
    const env = { ASSAY_URL: 'http://127.0.0.1:9', ASSAY_KEY: 'some key' };
    expect(await assay(args, env)).toMatchObject({ code: 2, stderr: expect.stringMatching(/\nnext: .*npm run up/) });
  },
  30_000,
);

test('assay --version prints the version of the package', async () => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
  expect(await assay(['--version'])).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' });
});

test('what is written is for its user alone, also over a file that others could read', async () => {
  const page = join(folder, 'read by all.html');
  writeFileSync(page, 'a former page', { mode: 0o644 });
  expect((await assay(['proof', 'show', join(vectors, 'good.zip'), '--jwks', jwks, '-o', page])).code).toBe(0);
  expect(statSync(page).mode & 0o777).toBe(0o600);
  expect((await assay(['proof', 'show', join(vectors, 'good.zip'), '--jwks', jwks, '-o', '/dev/null'])).code).toBe(0);
  expect(await assay(['proof', 'show', join(vectors, 'good.zip'), '--jwks', jwks, '-o', folder])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('cannot be written: EISDIR'),
  });
});

test('assay proof show renders a page without scripts, and escapes what it shows', async () => {
  const page = join(folder, 'page.html');
  const { code } = await assay(['proof', 'show', join(vectors, 'good.zip'), '--jwks', jwks, '-o', page]);
  expect(code).toBe(0);
  const html = readFileSync(page, 'utf8');
  expect(html).toContain('data:image/jpeg;base64,');
  expect(html).toContain('Machine-readable zone checksums passed');
  expect(html.indexOf('class="person"')).toBeLessThan(html.indexOf('What happened'));
  expect(html).toMatch(/<p class="name">\w+/);
  expect(html).toMatch(/Level of assurance<\/th><td>level \d/);
  expect(html).toContain('Asking the issuing source');
  // The page shows no JSON, and does not show as failed what was not checked.
  expect(html).not.toMatch(/&quot;method&quot;|issuing source: failed|<small>[^<]*T\d\d:/);
  expect(html).not.toContain('<script');
  const broken = join(folder, 'broken.html');
  writeFileSync(join(folder, 'broken.bin'), 'PK<b>no proof</b>');
  expect((await assay(['proof', 'show', join(folder, 'broken.bin'), '--jwks', jwks, '-o', broken])).code).toBe(1);
  expect(readFileSync(broken, 'utf8')).toContain('Refused');
});
