import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { newIdentity, newTenant, readStack, type Tenant, waitFor } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { launchBrowser } from './setup/pages.ts';

/**
 * The client as its users get it: packed, installed into an empty folder, and used as the README
 * says.
 */

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..');
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');

let folder: string;
let tenant: Tenant;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assay-client-'));
  tenant = await newTenant('client');
  const { stdout } = await run(process.execPath, [join(ROOT, 'scripts/pack-client.mjs'), folder]);
  writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--silent', stdout.trim()], { cwd: folder });
}, 180_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a program of the README to the folder. Its first line contains its name. */
const program = (name: string): string => {
  const parts = README.split('```js\n').map((part) => part.split('```')[0] ?? '');
  const text = parts.find((part) => part.startsWith(`// ${name}`));
  if (!text) throw new Error(`the README has no ${name}`);
  writeFileSync(join(folder, name), text);
  return name;
};
const environment = (key: string) => ({ PATH: process.env.PATH, ASSAY_URL: readStack().baseUrl, ASSAY_KEY: key });
const specimen = (name: string): string => join(ROOT, 'specimens', name);

test('the package exports no TypeScript source and has no dependencies', () => {
  const manifest = JSON.parse(readFileSync(join(folder, 'node_modules/@assay/client/package.json'), 'utf8'));
  expect(manifest).not.toHaveProperty('dependencies');
  for (const { types, default: file } of Object.values<{ types: string; default: string }>(manifest.exports))
    expect([types, file]).toEqual([expect.stringMatching(/\.d\.ts$/), expect.stringMatching(/\.js$/)]);
});

test('the program in the README verifies an identity in at most thirty lines', async () => {
  const name = program('verify.mjs');
  expect(readFileSync(join(folder, name), 'utf8').trim().split('\n').length).toBeLessThanOrEqual(30);
  const images = [specimen('passport.jpg'), specimen('selfie-same.jpg')];
  const options = { cwd: folder, env: environment(tenant.keys.relyingService) };
  const { stdout } = await run(process.execPath, [name, ...images], options);
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => line.trim()),
  ).toEqual(['PASSPORT VERIFIED', 'PORTRAIT VERIFIED', 'level of assurance LOA2', 'the proof is good']);
}, 120_000);

test('the commands below that program run it in a clone', async () => {
  const clone = join(folder, 'clone');
  mkdirSync(join(clone, '.run'), { recursive: true });
  symlinkSync(process.env.TEST_STACK_FILE!, join(clone, '.run/stack.json'));
  for (const name of ['specimens', 'node_modules', 'package.json', 'libs', 'scripts'])
    symlinkSync(join(ROOT, name), join(clone, name));
  mkdirSync(join(folder, 'shop'));
  writeFileSync(join(folder, 'shop/verify.mjs'), readFileSync(join(folder, program('verify.mjs'))));
  const [, block] = /```sh client\n([\s\S]*?)```/.exec(README)!;
  const env = { ...process.env, npm_config_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' };
  const { stdout } = await run('bash', ['-e', '-c', block!], { cwd: clone, env });
  expect(stdout).toMatch(/level of assurance LOA2\nthe proof is good\n$/);
  expect(existsSync(join(folder, 'shop/proof.bin'))).toBe(true);
  expect(existsSync(join(clone, 'proof.bin'))).toBe(false);
}, 120_000);

test('the receiver in the README receives webhooks', async () => {
  const secret = 'a secret of the receiver';
  const env = { ...environment(''), WEBHOOK_SECRET: secret, PORT: '0' };
  const receiver = spawn(process.execPath, [program('receiver.mjs')], { cwd: folder, env });
  let said = '';
  receiver.stdout.on('data', (text) => {
    said += text;
  });
  const port = await waitFor('the receiver', () => /listening on (\d+)/.exec(said)?.[1]);
  const url = `http://127.0.0.1:${port}/`;
  const webhook = { url, mode: 'HMAC', headerName: 'x-signature', secret } as const;
  await tenant.admin.patch(`/admin/v1/tenants/${tenant.tenantId}`, { settings: { webhook } });
  const identity = await newIdentity(tenant.relyingService);
  await tenant.relyingService.post(`${identity.at}/addresses`, { city: 'UTOPIA', country: 'UTO' });
  await waitFor('the notification', () => said.includes(`Evaluation ${identity.id} ADDRESS`));
  expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);
  receiver.kill();
}, 60_000);

const TYPED = `
import { createAssayClient, type Operations, type ReplyOf } from '@assay/client';
import { createCaptureClient } from '@assay/client/browser';
const assay = createAssayClient({ baseUrl: '', apiKey: '' });
const tenant: Promise<ReplyOf<'getTenant'>> = assay.call('getTenant', { path: { tenantId: 't' } });
export const name: Promise<string> = tenant.then((one) => one.name);
export type Ids = keyof Operations;
export const session: Promise<string> = createCaptureClient({ baseUrl: '', token: '' }).session().then((one) => one.identityId);
// @ts-expect-error no tenant is named
void assay.call('getTenant', {});
// @ts-expect-error there is no such call
void assay.call('getMoney', {});
`;

test('its declarations are complete: a strict project compiles with them alone', async () => {
  writeFileSync(join(folder, 'typed.ts'), TYPED);
  const flags = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2023',
    '--lib',
    'es2023,dom',
    '--types',
    'node',
  ];
  const roots = ['--typeRoots', join(ROOT, 'node_modules/@types')];
  await run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), ...flags, ...roots, 'typed.ts'], {
    cwd: folder,
  });
}, 60_000);

const PAGE = `<!doctype html><title>A page of the client's own</title><script type="module">
import { createCaptureClient } from '/browser.js';
const [baseUrl, token] = location.hash.slice(1).split('|');
const capture = createCaptureClient({ baseUrl, token });
const sent = [];
const submit = async () => {
  const { identityId } = await capture.session();
  await capture.submitConsents(identityId, [{ type: 'PORTRAIT', approved: true }]);
  const front = await (await fetch('/passport.jpg')).blob();
  const { id } = await capture.submitDocument(identityId, { front }, { onUploadProgress: (at) => sent.push(at.sent) });
  const { status } = await capture.waitForEvidence(identityId, id);
  const handedOver = await capture.handOver(identityId);
  const phone = createCaptureClient({ baseUrl, token: handedOver.token });
  await phone.session();
  const states = [await capture.handover(), await capture.takeBack()].map(({ handover }) => handover);
  const refused = await phone.finish().then(() => false, ({ status }) => status === 410);
  await capture.finish();
  return [status, sent.at(-1) >= front.size, 'proof' in capture, ...states, refused].join(' ');
};
document.title = await submit().catch(String);
</script>`;

/** A client's site: its page, and the package's entry for browsers. */
const startSite = async () => {
  const entry = readFileSync(join(folder, 'node_modules/@assay/client/browser.js'));
  const files: Record<string, [string, string | Buffer]> = {
    '/': ['text/html', PAGE],
    '/browser.js': ['text/javascript', entry],
    '/passport.jpg': ['image/jpeg', readFileSync(specimen('passport.jpg'))],
  };
  const server = createServer(({ url = '' }, response) => {
    const [type, content] = files[url] ?? ['text/plain', ''];
    response.writeHead(url in files ? 200 : 404, { 'content-type': type }).end(content);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
};

test('its entry for browsers submits with the token of a session, from a page of another origin', async () => {
  const { origin, server } = await startSite();
  const own = await newTenant('client pages', { allowedOrigins: [origin] });
  const identity = await newIdentity(own.relyingService);
  const { body } = await own.relyingService.post(`${identity.at}/user-agent-sessions`, {});
  const browser = await launchBrowser();
  const page = await browser.newPage();
  await page.goto(`${origin}/#${readStack().baseUrl}|${body.token}`);
  const title = await waitFor('the page', async () => {
    const said = await page.title();
    return said !== "A page of the client's own" && said;
  });
  await browser.close();
  server.close();
  expect(title).toBe('VERIFIED true false TAKEN NONE true');
}, 120_000);

test('its command works outside the repository', async () => {
  const command = join(folder, 'node_modules/.bin/assay');
  const env = environment(readStack().keys.admin);
  const { stdout } = await run(command, ['tenants', 'show', tenant.tenantId], { cwd: folder, env });
  expect(JSON.parse(stdout)).toMatchObject({ tenantId: tenant.tenantId });
}, 60_000);

test('the types and routes are those of the OpenAPI document: npm run client:types', async () => {
  const { operationRoutes, operationTypes } = await import('../libs/client/src/generate/operations.ts');
  const document = (await (await fetch(`${readStack().baseUrl}/openapi.json`)).json()) as Parameters<
    typeof operationTypes
  >[0];
  const at = (file: string): string => readFileSync(join(ROOT, 'libs/client/src/api', file), 'utf8');
  const bare = (text: string): string => text.replaceAll(/[\s;|()'"]/g, '');
  expect(JSON.parse(at('operations.json'))).toEqual(operationRoutes(document));
  // Compares with `===`: a failing `toBe` on the texts would print pages of them.
  expect(bare(at('operations.d.ts')) === bare(operationTypes(document))).toBe(true);
});
