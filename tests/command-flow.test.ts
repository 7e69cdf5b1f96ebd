import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { newIdentity, newTenant, readStack, startWebhookReceiver, type Tenant, waitFor } from '@assay/testing';
import { beforeAll, describe, expect, test } from '@jest/globals';

/* The typical flow by command, and webhooks heard on this machine. */

const root = join(import.meta.dirname, '..');
const bin = join(root, 'libs/client/bin/assay.mjs');
const image = (name: string): string => join(root, 'specimens', name);
let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant('by command');
});

interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}
const environment = (key: string) => ({ ...process.env, ASSAY_URL: readStack().baseUrl, ASSAY_KEY: key });
const assay = (args: string[], key = tenant.keys.relyingService): Promise<Ran> =>
  new Promise((resolve) => {
    execFile(process.execPath, [bin, ...args], { env: environment(key) }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
const said = async (args: string[], key?: string): Promise<string> => {
  const { code, stdout, stderr } = await assay(args, key);
  expect([code, stderr]).toEqual([0, '']);
  return stdout.trim();
};
const admin = () => readStack().keys.admin;

describe('an identity', () => {
  test('is created, consented to, submitted to, watched and shown', async () => {
    const id = await said(['identity', 'create', '--business-id', 'customer 7']);
    const early = await assay(['identity', 'submit', id, '--portrait', image('selfie-same.jpg')]);
    expect(early).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('next: record it first: assay identity consent'),
    });
    expect(await said(['identity', 'consent', id, 'PORTRAIT', 'GIV'])).toContain('given    PORTRAIT');
    expect(await said(['identity', 'submit', id, '--front', image('passport.jpg')])).toMatch(/^VERIFIED {2}PASSPORT /);
    await said(['identity', 'submit', id, '--portrait', image('selfie-same.jpg'), '--no-wait']);
    expect(await said(['identity', 'watch', id])).toMatch(
      /EXPECTING_INPUT {2}LOA2\n.*VERIFIED +PASSPORT.*\n.*VERIFIED +PORTRAIT/,
    );
    expect(JSON.parse(await said(['identity', 'show', id, '--json']))).toMatchObject({
      globalStatus: { id, levelOfAssurance: 'LOA2' },
    });
  }, 120_000);

  test('shows on a terminal how far a submission is, and to no program', async () => {
    const id = await said(['identity', 'create']);
    const typed = [process.execPath, bin, 'identity', 'submit', id, '--front', image('passport.jpg')].join(' ');
    const { stdout } = await new Promise<{ stdout: string }>((resolve) => {
      const env = environment(tenant.keys.relyingService);
      execFile('script', ['-qec', typed, '/dev/null'], { env }, (_error, out) => resolve({ stdout: out }));
    });
    expect(stdout).toMatch(/sending [\s\S]*100 %[\s\S]*PROCESSING {2}[A-Z_]+ {2}[\s\S]*VERIFIED {2}PASSPORT/);
    expect(await said(['identity', 'submit', id, '--front', image('passport.jpg')])).not.toContain('sending');
  }, 60_000);

  test('that is not there, and a key that is none, are refused with what to do', async () => {
    const unknown = await assay(['identity', 'show', 'nobody']);
    expect(unknown).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/refused with 404 \(request .+\)\n4040.*\nnext: check the name or id/),
    });
    expect(await assay(['identity', 'create'], 'no key')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('next: give a key with --key or ASSAY_KEY'),
    });
    expect(await assay(['identity', 'submit', 'x'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--front'),
    });
  }, 60_000);

  test('gets a link that opens a session', async () => {
    const link = JSON.parse(await said(['link', '--steps', 'DOCUMENT', '--locale', 'de', '--json']));
    const current = await fetch(`${readStack().baseUrl}/svc/v1/user-agent-sessions/current`, {
      headers: { authorization: `Bearer ${link.url.split('#')[1]}` },
    });
    expect(await current.json()).toMatchObject({ identityId: link.identityId, steps: ['DOCUMENT'], locale: 'de' });
  }, 60_000);
});

const listening = async (args: string[]): Promise<{ process: ChildProcess; out: () => string; err: () => string }> => {
  const child = spawn(process.execPath, [bin, 'webhooks', 'listen', tenant.tenantId, ...args], {
    env: environment(admin()),
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (text) => {
    out += text;
  });
  child.stderr.on('data', (text) => {
    err += text;
  });
  await waitFor('the listener', () => err.includes('listening on port') || (child.exitCode !== null && err));
  return { process: child, out: () => out, err: () => err };
};
const speak = async () => {
  const identity = await newIdentity(tenant.relyingService);
  await tenant.relyingService.post(`${identity.at}/addresses`, { city: 'UTOPIA', country: 'UTO' });
  return identity.id;
};

test('webhooks are heard here, handed on, listed, sent again and tried out', async () => {
  const receiver = await startWebhookReceiver();
  const listener = await listening(['--forward', receiver.url]);
  const id = await speak();
  const forwarded = await receiver.next('the notification', ({ body }) => body.identityId === id);
  expect(forwarded.headers).toMatchObject({
    'x-assay-signature': expect.any(String),
    'webhook-id': expect.any(String),
  });
  await waitFor('the line', () => listener.out().includes(`Evaluation  ${id}`));

  const log = ['webhooks', 'list', tenant.tenantId, '--identity', id, '--json'];
  const [delivery] = await waitFor('the log', async () => {
    const items = JSON.parse(await said(log, admin()));
    return items[0]?.state === 'DELIVERED' && items;
  });
  const digest = createHash('sha256').update(forwarded.raw).digest('hex');
  expect(await said(log.slice(0, -1), admin())).toContain(`sha256:${digest}`);
  await said(['webhooks', 'resend', delivery.deliveryId, tenant.tenantId], admin());
  const ofIdentity = () => receiver.received.filter(({ body }) => body.identityId === id);
  await waitFor('the repetition', () => ofIdentity().length === 2);
  expect(ofIdentity()[1]?.raw).toEqual(ofIdentity()[0]?.raw);
  const recover = ['webhooks', 'recover', tenant.tenantId, '--since', '2026-01-02T03:04:05'];
  expect(await said(recover, admin())).toBe('0 sent again');
  const refused = await assay([...recover.slice(0, -1), 'yesterday'], admin());
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--since takes a time, such as') });
  expect(await said(['webhooks', 'test', tenant.tenantId], admin())).toMatch(/^200 {2}\d+ ms$/);

  const second = await assay(['webhooks', 'listen', tenant.tenantId], admin());
  expect(second).toMatchObject({ code: 2, stderr: expect.stringContaining('--replace') });
  listener.process.kill('SIGINT');
  await waitFor('the end', () => listener.process.exitCode === 0);
  const { body } = await tenant.admin.get(`/admin/v1/tenants/${tenant.tenantId}`);
  expect(body.settings.webhook ?? null).toBeNull();
  await receiver.close();
}, 120_000);

test.each([
  [['--port', 'many'], /--port takes a whole number from 0 to 65535, not 'many'/],
  [['--forward', 'shop'], /--forward takes a port, or an address such as/],
  [['--forward', '99999'], /--forward takes a whole number/],
  [['--public-url', 'ftp://shop.example'], /refused with 400[\s\S]*webhook\.url/],
])(
  'webhooks listen %j is refused in a sentence, and does not go on listening',
  async (args, why) => {
    const { code, stdout, stderr } = await assay(['webhooks', 'listen', tenant.tenantId, ...args], admin());
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(why);
    expect(stderr).not.toMatch(/^\s+at /m);
  },
  30_000,
);

test('webhooks listen names a port that is taken, and a program that it cannot hand on to', async () => {
  const receiver = await startWebhookReceiver();
  const { port } = new URL(receiver.url);
  const taken = await assay(['webhooks', 'listen', tenant.tenantId, '--port', port], admin());
  expect(taken).toMatchObject({ code: 2, stderr: expect.stringContaining(`port ${port} cannot be listened on`) });
  await receiver.close();
  const listener = await listening(['--forward', port]);
  const id = await speak();
  await waitFor('the line', () => listener.out().includes(`502  Evaluation  ${id}`));
  expect(listener.err()).toContain(`http://127.0.0.1:${port}/ does not answer: ECONNREFUSED`);
  listener.process.kill('SIGHUP');
  await waitFor('the end', () => listener.process.exitCode === 0);
}, 60_000);

test('webhooks test, and a link that leads back, say what is not set up yet', async () => {
  expect(await assay(['webhooks', 'test', tenant.tenantId], admin())).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/no webhook\nnext: .*webhooks listen/),
  });
  expect(await assay(['link', '--return-url', 'https://elsewhere.example/'])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/returnUrl .*\nnext: allow its origin: assay tenants change/),
  });
}, 30_000);

test('link says which seconds it takes', async () => {
  expect(await assay(['link', '--expires', 'soon'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--expires takes a whole number from 1 to 86400'),
  });
}, 30_000);

test('a shell completes commands and options', async () => {
  const words = (await said(['completion', 'words', '--', 'identity'])).split('\n');
  expect(words).toEqual(expect.arrayContaining(['create', 'consent', 'submit', 'watch', 'show', '--help']));
  expect((await said(['completion', 'words', '--', 'identity', 'submit'])).split('\n')).toContain('--front');
  expect((await said(['completion', 'words', '--', 'keys', 'create'])).split('\n')).toContain('USER_AGENT');
  const script = await said(['completion', 'bash']);
  const probe = `${script.replaceAll('assay completion', `"${process.execPath}" "${bin}" completion`)}
COMP_WORDS=(assay web); COMP_CWORD=1; _assay; echo "\${COMPREPLY[@]}"`;
  const { stdout } = await new Promise<{ stdout: string }>((resolve) => {
    execFile('bash', ['-c', probe], (_error, out) => resolve({ stdout: out }));
  });
  expect(stdout.trim()).toBe('webhooks');
}, 60_000);
