import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apiWith, newIdentity, newTenant, readStack, specimen, type Tenant, waitFor } from '@assay/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

/**
 * The `assay` command as docs/command.md has it, against a running suite, with good and bad
 * arguments.
 */

const folder = mkdtempSync(join(tmpdir(), 'assay-command-'));
const root = join(import.meta.dirname, '..');
let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant('the command');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}
const run = (program: string, args: string[], cwd: string, env: Record<string, string>): Promise<Ran> =>
  new Promise((resolve) => {
    execFile(program, args, { cwd, env: { ...process.env, ...env } }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
/** The command, which finds the suite by its environment. */
const assay = (args: string[], env: Record<string, string> = {}): Promise<Ran> => {
  const { baseUrl, keys } = readStack();
  const bin = join(root, 'libs/client/bin/assay.mjs');
  return run(process.execPath, [bin, ...args], folder, { ASSAY_URL: baseUrl, ASSAY_KEY: keys.admin, ...env });
};
const printed = async (args: string[]) => {
  const { code, stdout, stderr } = await assay(args);
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
};
const file = (name: string, content?: string): string => {
  const path = join(folder, name);
  if (content !== undefined) writeFileSync(path, content);
  return path;
};

/** An identity with a passport that is VERIFIED. */
const proofed = async () => {
  const identity = await newIdentity(tenant.relyingService);
  const { body } = await identity.document(specimen('passport.jpg'));
  await identity.becomes(body.id, 'VERIFIED');
  return { identity, documentId: body.id as string };
};

test('keys signing names the key that signs, and rotate-signing publishes the next one', async () => {
  const before = (await printed(['keys', 'signing'])).keys;
  const signing = (keys: { kid: string; signs: boolean }[]) => keys.filter(({ signs }) => signs).map(({ kid }) => kid);
  const [next, ...others] = (await printed(['keys', 'rotate-signing'])).keys;
  expect([next.signs, others]).toEqual([false, expect.arrayContaining(before)]);
  expect(signing(others)).toEqual(signing(before));
}, 60_000);

test('npx finds it in the root, and its help names every command and the exit codes', async () => {
  const { code, stdout } = await run('npx', ['--no-install', 'assay', '--help'], root, {});
  expect(code).toBe(0);
  for (const name of ['proof', 'explain', 'evaluate', 'reevaluate', 'audit', 'receipt', 'tenants', 'keys'])
    expect(stdout).toContain(`  ${name} `);
  expect(stdout).toContain('Exit codes: 0');
}, 60_000);

test('tenants and keys are made, shown, changed and deleted', async () => {
  const made = await printed(['tenants', 'create', 'By command', '--settings', '{"policy": "strict"}']);
  expect(made).toMatchObject({ name: 'By command', settings: { policy: 'strict' } });
  const { tenantId } = made;
  expect((await printed(['tenants', 'list'])).map((each: Tenant) => each.tenantId)).toContain(tenantId);
  const patch = file('patch.json', '{"policy": null, "transactionLifetimeSeconds": 60}');
  await printed(['tenants', 'change', tenantId, `@${patch}`]);
  const { settings } = await printed(['tenants', 'show', tenantId]);
  expect(settings).toMatchObject({ transactionLifetimeSeconds: 60 });
  expect(settings.policy).not.toBe('strict');

  const { keyId, apiKey } = await printed(['keys', 'create', tenantId, 'RELYING_SERVICE']);
  const api = apiWith(readStack().baseUrl, apiKey);
  expect((await api.post('/svc/v1/identities', {})).status).toBe(200);
  const listed = await printed(['keys', 'list', tenantId]);
  expect(listed).toEqual([expect.objectContaining({ keyId, role: 'RELYING_SERVICE' })]);
  expect(JSON.stringify(listed)).not.toContain(apiKey);
  expect(await printed(['keys', 'delete', tenantId, keyId])).toEqual({ deleted: keyId });
  await waitFor('the key to be refused', async () => (await api.post('/svc/v1/identities', {})).status === 401);

  const whose = ['--person', `ann-${tenantId}`, '--name', 'Ann', '--expires', '2100-01-01T00:00:00'];
  const named = await printed(['keys', 'create', tenantId, 'OPERATOR', ...whose]);
  expect(named).toMatchObject({ personId: expect.stringMatching(/^person-/), expiresAt: '2100-01-01T00:00:00.000' });
  expect(await printed(['keys', 'list', tenantId])).toEqual([
    expect.objectContaining({ keyId: named.keyId, name: 'Ann' }),
  ]);
  const half = await assay(['keys', 'create', tenantId, 'OPERATOR', '--person', 'ann']);
  expect(half).toMatchObject({ code: 2, stderr: expect.stringContaining('--name') });
  const early = await assay(['people', 'delete', named.personId]);
  expect(early).toMatchObject({ code: 2, stderr: expect.stringContaining(named.keyId) });
  await printed(['keys', 'delete', tenantId, named.keyId]);
  expect(await printed(['people', 'delete', named.personId])).toEqual({ ended: 0 });
  const people = await printed(['people', 'list']);
  expect(people.map(({ personId }: { personId: string }) => personId)).not.toContain(named.personId);
}, 120_000);

test('an identity is explained, evaluated under other policies, and re-evaluated', async () => {
  const { identity, documentId } = await proofed();
  const { stdout: words, code } = await assay(['explain', identity.id]);
  expect([code, words]).toEqual([0, expect.stringContaining('LOA1: profile "L2" is met by PASSPORT LEVEL2')]);
  const exported = file('case.json', (await assay(['explain', identity.id, '--json'])).stdout);

  const same = await assay(['evaluate', identity.id, '--policy', 'default']);
  expect(same).toMatchObject({ code: 0, stdout: `${identity.id}\n  nothing changes\n` });
  const other = await assay(['evaluate', '--case', exported, '--policy', 'strict']);
  expect(other).toMatchObject({ code: 1, stdout: expect.stringContaining('levelOfAssurance: LOA1 -> LOA0') });
  const shipped = JSON.parse(readFileSync(join(root, 'libs/policy/policies/default.json'), 'utf8'));
  const own = file('own.json', JSON.stringify({ ...shipped, profiles: shipped.profiles.slice(-1) }));
  const mine = await assay(['evaluate', identity.id, '--policy', own, '--json']);
  expect(mine.code).toBe(1);
  expect(JSON.parse(mine.stdout)[identity.id].changes).toEqual(['levelOfAssurance: LOA1 -> LOA0']);
  expect((await identity.status(documentId)).status).toBe('VERIFIED');

  const moved = await assay(['reevaluate', identity.id, '--policy', 'strict']);
  expect(moved).toMatchObject({ code: 0, stdout: expect.stringMatching(/judged under strict \d/) });
  await identity.becomes(documentId, 'NOT_VERIFIED');
  expect(await printed(['reevaluate', identity.id, '--json'])).toEqual({
    [identity.id]: { name: expect.any(String), version: expect.any(String) },
  });
}, 120_000);

test('an audit log, a receipt and a proof are exported and verified, and what was changed is refused', async () => {
  const { identity } = await proofed();
  const proof = file('proof.bin');
  writeFileSync(proof, (await identity.proof()).bytes);
  expect(await assay(['proof', 'verify', proof])).toMatchObject({ code: 0, stdout: expect.stringContaining('GOOD') });
  expect(await assay(['proof', 'show', proof])).toMatchObject({ code: 0, stdout: `${proof}.html\n` });
  expect(await printed(['proof', 'show', proof, '--json'])).toMatchObject({ page: `${proof}.html`, ok: true });

  const receipt = await waitFor('the receipt', async () => {
    const answer = await tenant.relyingService.get(`${identity.at}/deletion-receipt`);
    return answer.status === 200 && answer.bytes.toString();
  });
  const good = await assay(['receipt', 'verify', file('receipt.json', receipt)]);
  expect([good.code, JSON.parse(good.stdout)]).toEqual([0, expect.objectContaining({ identityId: identity.id })]);
  const forged = file('forged.json', receipt.replace(/"jws":"[^.]+\.[^.]+/, '$&AA'));
  expect(await assay(['receipt', 'verify', forged])).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/REFUSED/),
  });

  const exchanged = file('exchanged.json', receipt.replaceAll(identity.id, 'another'));
  expect(await assay(['receipt', 'verify', exchanged])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('something else than the receipt in it: identityId'),
  });

  const log = file('audit.json');
  const written = await assay(['audit', 'export', log, '--tenant', tenant.tenantId]);
  expect(written).toMatchObject({ code: 0, stdout: expect.stringMatching(/\d+ entries, \d+ checkpoints/) });
  expect(await assay(['audit', 'verify', log])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^GOOD/) });
  const changed = file('changed.json', readFileSync(log, 'utf8').replace('proof.retrieve', 'case.claim'));
  expect(await assay(['audit', 'verify', changed])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('is not what was committed to'),
  });
  expect(await printed(['audit', 'export', file('suite.json'), '--json'])).toMatchObject({
    entries: expect.any(Number),
  });
  expect(await printed(['audit', 'verify', log, '--json'])).toMatchObject({ ok: true, reasons: [] });
  const refused = await assay(['receipt', 'verify', forged, '--json']);
  expect([refused.code, JSON.parse(refused.stdout)]).toEqual([1, { ok: false, reasons: [expect.any(String)] }]);
}, 120_000);

describe('what cannot be used ends with 2 and says why', () => {
  const nowhere = () => file('nowhere/at-all.json');
  const bad: [string, () => string[], RegExp, Record<string, string>?][] = [
    ['no command', () => [], /Usage: assay/],
    ['an unknown command', () => ['prove'], /unknown command 'prove'/],
    ['an unknown option', () => ['tenants', 'list', '--all'], /unknown option '--all'/],
    ['a missing argument', () => ['explain'], /missing required argument 'identity'/],
    ['an identity there is none of', () => ['explain', 'nobody'], /refused with 404/],
    ['a tenant there is none of', () => ['tenants', 'show', 'nobody'], /refused with 404/],
    ['an option without its value', () => ['evaluate', 'x', '--policy', 'lenient', '--case'], /argument missing/],
    ['no policy', () => ['evaluate', 'x'], /required option '--policy <file>'/],
    ['nothing to evaluate', () => ['evaluate', '--policy', 'strict'], /name identities or --case/],
    ['a policy file there is none of', () => ['evaluate', 'x', '--policy', nowhere()], /cannot be read: ENOENT/],
    ['a policy file that is none', () => ['evaluate', 'x', '--policy', file('p.json', '{')], /p\.json is not JSON/],
    [
      'a case that is none',
      () => ['evaluate', '--case', file('n.json', 'null'), '--policy', 'strict'],
      /400 \(request .+\)\n.*case/,
    ],
    [
      'settings that are none',
      () => ['tenants', 'create', 'T', '--settings', 'strict'],
      /settings is not JSON|not JSON/,
    ],
    ['settings that are no object', () => ['tenants', 'create', 'T', '--settings', '[]'], /no JSON object/],
    [
      'a setting there is none of',
      () => ['tenants', 'create', 'T', '--settings', '{"policies": 1}'],
      /400 \(request .+\)\n1006 \S+/,
    ],
    ['a settings file there is none of', () => ['tenants', 'change', 'T', `@${nowhere()}`], /cannot be read: ENOENT/],
    ['a role there is none of', () => ['keys', 'create', 'T', 'ROOT'], /Allowed choices are RELYING_SERVICE/],
    ['a key there is none of', () => ['keys', 'delete', tenant.tenantId, 'nothing'], /refused with 404/],
    ['a place nothing can be written to', () => ['audit', 'export', nowhere()], /cannot be written: ENOENT/],
    ['a log that is none', () => ['audit', 'verify', file('l.json', '{"entries": [{}]}')], /is no exported audit log/],
    ['a receipt that is none', () => ['receipt', 'verify', file('r.json', '{}')], /is no deletion receipt/],
    [
      'keys that are none',
      () => ['receipt', 'verify', file('j.json', '{"receipt": {"jws": "a.b.c"}}'), '--jwks', nowhere()],
      /cannot be read: ENOENT/,
    ],
    ['a wrong key', () => ['tenants', 'list'], /refused with 401[\s\S]*administrator's key/, { ASSAY_KEY: 'guess' }],
    ['nobody there', () => ['tenants', 'list'], /127\.0\.0\.1:9 does not answer/, { ASSAY_URL: 'http://127.0.0.1:9' }],
    ['no address', () => ['tenants', 'list'], /no suite: give --url/, { ASSAY_URL: '', ASSAY_KEY: '' }],
  ];
  test.each(bad)(
    '%s',
    async (_what, args, reason, env = {}) => {
      const { code, stdout, stderr } = await assay(args(), env);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(reason);
      expect(stderr).not.toMatch(/^\s+at /m);
    },
    60_000,
  );

  test("a key of another role, and an unknown policy's alternatives", async () => {
    const wrong = await assay(['tenants', 'list'], { ASSAY_KEY: tenant.keys.operator });
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringMatching(/refused with 403[\s\S]*administrator's key/),
    ]);
    const { identity } = await proofed();
    const lenient = await assay(['reevaluate', identity.id, '--policy', 'lenient']);
    expect([lenient.code, lenient.stderr]).toEqual([2, expect.stringContaining('default, gpg45')]);
    await identity.proof();
    await waitFor('410', async () => (await tenant.relyingService.get(identity.at)).status === 410);
    expect((await assay(['explain', identity.id])).stderr).toContain('refused with 410');
  }, 60_000);
});
