import { SERVICE_NAMES } from '@assay/contracts';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { rootDir } from './paths.ts';
import { entryOf } from './releases.ts';
import { pauseBefore } from './restarting.ts';
import type { RunDir } from './run-dir.ts';
import { newApiKey, newSeed } from './seed.ts';
import { envOf } from './service-env.ts';
import { addressesOf, layOut, portOf, portsNeeded, suitePrograms } from './suite.ts';

const ports = Array.from({ length: 300 }, (_, index) => 20_000 + index);

describe('the layout of a suite', () => {
  test('gives every process and every balancer its own ports, and the same ones again', () => {
    const counts = { replicas: fc.integer({ min: 1, max: 8 }), workers: fc.integer({ min: 0, max: 16 }) };
    fc.assert(
      fc.property(fc.record(counts), ({ replicas, workers }) => {
        const copies = { services: replicas, copies: { 'verification-worker': workers } };
        const { members, fronts } = layOut(suitePrograms, copies, ports);
        const taken = [...members.flatMap((member) => Object.values(member.ports)), ...fronts.map(({ port }) => port)];
        expect(new Set(taken).size).toBe(taken.length);
        expect(taken).toHaveLength(portsNeeded(suitePrograms, copies));
        expect(members.filter(({ program }) => program.kind === 'service')).toHaveLength(
          (SERVICE_NAMES.length - 1) * replicas + workers,
        );
        expect(layOut(suitePrograms, copies, ports)).toEqual({ members, fronts });
      }),
    );
  });

  test('gives the others the address of a balancer if a program has replicas, otherwise that of the program', () => {
    const layout = layOut(suitePrograms, { services: 1, copies: { 'verification-worker': 3 } }, ports);
    const [front, ...more] = layout.fronts;
    const workers = layout.members.filter(({ program }) => program.name === 'verification-worker');
    expect([front?.name, front?.targets, more]).toEqual(['HTTP_PORT', workers.map((each) => each.ports.HTTP_PORT), []]);
    expect(workers.map(({ label }) => label)).toEqual([1, 2, 3].map((number) => `verification-worker-${number}`));
    const addresses = addressesOf(layout);
    expect(addresses.VERIFICATION_WORKER_URL).toBe(`http://127.0.0.1:${front?.port}`);
    expect(addresses.NOTIFIER_URL).toBe(`http://127.0.0.1:${portOf(layout, 'notifier', 'HTTP_PORT')}`);
    expect(addresses.SMS_URL).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/sms$/);
    expect(addresses.SMTP_URL).toMatch(/^smtp:/);
  });

  test('gives the address of a balancer without processes if a program does not run at all', () => {
    const layout = layOut(suitePrograms, { services: 1, copies: { 'verification-worker': 0 } }, ports);
    expect(layout.fronts.map(({ program, targets }) => [program.name, targets])).toEqual([['verification-worker', []]]);
    expect(addressesOf(layout).VERIFICATION_WORKER_URL).toBe(`http://127.0.0.1:${layout.fronts[0]?.port}`);
  });
});

test('a simulator is given no secret of the services, and a sealing key only to who seals', () => {
  const layout = layOut(suitePrograms, { services: 1 }, ports);
  const engine = (url: string) => ({ url, kind: 'external' as const });
  const engines = {
    mongodb: engine('mongodb://u:secret-of-mongodb@m/'),
    rabbitmq: engine('amqp://u:secret-of-rabbitmq@r'),
  };
  const internalKeys = Object.fromEntries(SERVICE_NAMES.map((name) => [name, 'secret-of-a-service']));
  const run = { dir: '/run', recordsDir: '/run/records', masterKey: 'c2VjcmV0', internalKeys } as unknown as RunDir;
  const given = { MONGODB_URI: engines.mongodb.url, AMQP_URL: engines.rabbitmq.url };
  for (const member of layout.members) {
    const env = JSON.stringify(envOf(member, { run, engines: engines as never, layout }, given));
    const secrets = [/secret-of-mongodb/, /secret-of-rabbitmq/, /secret-of-a-service/];
    const isService = member.program.kind === 'service';
    const seals = ['gateway', 'proof-builder', 'notifier'].includes(member.label);
    expect([member.label, /MASTER_KEY/.test(env), ...secrets.map((secret) => secret.test(env))]).toEqual([
      member.label,
      seals,
      ...secrets.map(() => isService),
    ]);
  }
});

test('one of two processes runs the bundle of another release if the caller names its folder', () => {
  const { members } = layOut(suitePrograms, { services: 2 }, ports);
  const env = { SUITE_RELEASES: JSON.stringify({ 'gateway-2': '/releases/former' }) };
  const entries = members.filter(({ program }) => program.name === 'gateway').map((member) => entryOf(member, env));
  expect(entries).toEqual([
    `${rootDir}/services/gateway/dist/main.js`,
    '/releases/former/services/gateway/dist/main.js',
  ]);
});

test('a process that ends again and again is always restarted within three seconds', () => {
  fc.assert(fc.property(fc.integer({ min: 0, max: 1_000 }), (ends) => pauseBefore(ends) < 3_000));
  expect(pauseBefore(1)).toBe(0);
});

test('a seed has two tenants and seven different keys', () => {
  const { tenants, administrator } = newSeed();
  const keys = [...tenants.flatMap((tenant) => Object.values(tenant.keys)), administrator];
  expect(new Set(keys).size).toBe(7);
  expect(newApiKey('ua')).toMatch(/^asy_ua_[0-9A-Za-z]{8}_[0-9A-Za-z]{43}$/);
  expect(tenants[1].settings).toEqual({ acceptSpecimens: true });
});
