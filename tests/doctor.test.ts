import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHECKS, type DoctorReply } from '@assay/contracts';
import { newTenant, readStack } from '@assay/testing';
import { describe, expect, test } from '@jest/globals';
import { secretsOfSuite } from './hostile/gone/keys.ts';

/**
 * `assay doctor` (docs/production.md) examines the suite under test, which is not configured for
 * production.
 */

const bin = join(import.meta.dirname, '../libs/client/bin/assay.mjs');
const doctor = (args: string[], env: Record<string, string> = {}) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const { baseUrl, keys } = readStack();
    const variables = { ...process.env, ASSAY_URL: baseUrl, ASSAY_KEY: keys.admin, ...env };
    execFile(process.execPath, [bin, 'doctor', ...args], { cwd: tmpdir(), env: variables }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
const findingsOf = (stdout: string): DoctorReply['findings'] => JSON.parse(stdout).findings;

describe('a running suite', () => {
  test('is examined by every check, of every service', async () => {
    await newTenant('a tenant that accepts specimens');
    const { code, stdout } = await doctor(['--json']);
    expect(code).toBe(1);
    const findings = findingsOf(stdout);
    expect([...new Set(findings.map(({ check }) => check))].sort()).toEqual([...CHECKS].sort());
    const unmade = findings.filter(({ message }) => message === 'no service reported it');
    expect(unmade).toEqual([]);
    const ready = findings.filter(({ check }) => check === 'services').map(({ where }) => where);
    expect(ready.sort()).toEqual(Object.keys(readStack().services).sort());
    expect(findings).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ check: 'environment', status: 'PROBLEM', where: 'gateway' }),
        expect.objectContaining({ check: 'private-targets', status: 'PROBLEM', where: 'notifier' }),
        expect.objectContaining({ check: 'simulated-authorities', status: 'PROBLEM', where: 'verification-worker' }),
        expect.objectContaining({ check: 'specimens', status: 'PROBLEM' }),
        expect.objectContaining({ check: 'master-keys-differ', status: 'OK' }),
        expect.objectContaining({ check: 'signing-key', status: 'OK', where: 'proof-builder' }),
        expect.objectContaining({ check: 'alerts', status: 'UNKNOWN' }),
      ]),
    );
  }, 60_000);

  test('is examined without showing any of its secrets', async () => {
    const { stdout } = await doctor(['--json']);
    const { masterKey, internalKeys } = secretsOfSuite();
    const { keys, services, amqpUrl } = readStack();
    const sealing = Object.keys(services).map((service) =>
      createHmac('sha256', Buffer.from(masterKey, 'base64')).update(service).digest('base64'),
    );
    const secrets = [masterKey, ...sealing, ...Object.values(internalKeys), ...Object.values(keys), amqpUrl];
    for (const secret of secrets) expect(stdout).not.toContain(secret);
  }, 60_000);

  test('shows its findings to administrators only', async () => {
    const { relyingService, operator } = await newTenant('no administrator');
    for (const api of [relyingService, operator]) expect((await api.get('/admin/v1/doctor')).status).toBe(403);
    const refused = await doctor([], { ASSAY_KEY: 'no key of this suite' });
    expect(refused.code).toBe(2);
  }, 60_000);

  test('is compared with the rules that a Prometheus has loaded', async () => {
    const alerts = readFileSync(join(import.meta.dirname, '../deploy/prometheus/alerts.yml'), 'utf8');
    const names = [...alerts.matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
    const answer = (known: (string | undefined)[]) =>
      JSON.stringify({ status: 'success', data: { groups: [{ rules: known.map((name) => ({ name })) }] } });
    let known = names;
    const server = createServer((_request, response) =>
      response.setHeader('content-type', 'application/json').end(answer(known)),
    );
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const prometheus = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const alertsFound = async () =>
      findingsOf((await doctor(['--json', '--prometheus', prometheus])).stdout).find(({ check }) => check === 'alerts');
    expect(await alertsFound()).toMatchObject({ status: 'OK' });
    known = names.slice(1);
    expect(await alertsFound()).toMatchObject({ status: 'PROBLEM', message: `not loaded: ${names[0]}` });
    server.close();
  }, 60_000);
});

describe('files of variables', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-doctor-'));
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const nowhere = { ASSAY_URL: '', ASSAY_KEY: '' };

  test('are examined without a suite', async () => {
    const key = file('master-key', createHmac('sha256', 'random').digest('base64'));
    const url = file('mongo-url', 'mongodb://notifier:sFz1v0pY4n9sXcA7rE6w@db/?tls=true');
    const sound = `MASTER_KEY_FILE=${key}\nMONGO_URL_FILE=${url}\nSMTP_URL=\nSMS_URL=https://sms.example\n`;
    const good = await doctor(['--env', `notifier=${file('good.env', sound)}`, '--strict'], nowhere);
    expect(good).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^0 problems, 0 warnings/) });
    const open = file('open.env', `${sound}ALLOW_PRIVATE_TARGETS=127.0.0.0/8\n`);
    const bad = await doctor(['--env', `notifier=${open}`], nowhere);
    expect(bad).toMatchObject({ code: 1, stdout: expect.stringMatching(/^PROBLEM {2}private-targets +notifier/) });
    const warned = file('warned.env', sound.replace('SMS_URL=https://sms.example', ''));
    expect((await doctor(['--env', `notifier=${warned}`], nowhere)).code).toBe(0);
    expect((await doctor(['--env', `notifier=${warned}`, '--strict'], nowhere)).code).toBe(1);
  }, 60_000);

  test('that do not exist, or name no service, are unusable input', async () => {
    for (const given of ['notifier=/no/such/file', 'nobody=x', 'notifier'])
      expect((await doctor(['--env', given], nowhere)).code).toBe(2);
  }, 60_000);
});

test('master keys are shown by id, and a rotation without a second one says what to do', async () => {
  const { baseUrl, keys } = readStack();
  const assay = (...args: string[]) =>
    new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
      const env = { ...process.env, ASSAY_URL: baseUrl, ASSAY_KEY: keys.admin };
      execFile(process.execPath, [bin, 'keys', ...args], { cwd: tmpdir(), env }, (error, stdout, stderr) =>
        resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
      );
    });
  const shown = await assay('master');
  expect(shown.code).toBe(0);
  expect(JSON.parse(shown.stdout)).toMatchObject({ current: expect.stringMatching(/^local:/), remaining: 0 });
  const refused = await assay('rotate-master', '--wait');
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('docs/runbooks/key-rotation.md') });
}, 60_000);
