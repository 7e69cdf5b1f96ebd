import { describe, expect, test } from '@jest/globals';
import { SERVICE_NAMES } from '../services.ts';
import { environmentFindings } from './environment.ts';

const RANDOM = 'q3v0Zb8b8lqk1Jt2uV0pY4n9sXcA7rE6wHfGdTzLmQo=';
/** An environment without a finding. */
const SOUND = {
  MASTER_KEY: RANDOM,
  MONGO_URL: 'mongodb://gateway:sFz1v0pY4n9sXcA7rE6w@db-1,db-2/?tls=true&replicaSet=a',
  AMQP_URL: 'amqps://gateway:sFz1v0pY4n9sXcA7rE6w@broker:5671',
  PUBLIC_URL: 'https://identity.example',
  SMTP_URL: 'smtps://mail.example',
  GATEWAY_INTERNAL_URL: 'https://gateway:8081',
};
const SECRET_NAMES = ['MASTER_KEY', 'MONGO_URL', 'AMQP_URL', 'SMTP_URL', 'OIDC_CLIENT_SECRET'];
/** A correct configuration of the sign-in. */
const ISSUER = { OIDC_ISSUER: 'https://login.example', OIDC_CLIENT_SECRET: 'pY4n9sXcA7rE6wHfGdTz' };

const lookedAt = (service: string, more: Record<string, string | undefined>, fromFiles = SECRET_NAMES) =>
  environmentFindings({ service, values: { ...SOUND, ...more }, fromFiles }).filter(({ status }) => status !== 'OK');

test.each(SERVICE_NAMES)('a sound environment of %s has no finding', (service) => {
  expect(lookedAt(service, {})).toEqual([]);
  expect(lookedAt(service, ISSUER)).toEqual([]);
});

describe('an environment that is not fit for production is found', () => {
  test.each([
    ['environment', 'PROBLEM', 'gateway', { ASSAY_ENV: 'local' }],
    ['test-hooks', 'PROBLEM', 'notifier', { CRASH_DIR: '/tmp/crash' }],
    ['seed-file', 'WARNING', 'gateway', { SEED_FILE: '/run/seed.json' }],
    [
      'simulated-sources',
      'PROBLEM',
      'issuing-source-adapter',
      { DVS_URL: 'http://127.0.0.1:1', CREDENTIALS_FILE: 'x' },
    ],
    ['simulated-sources', 'PROBLEM', 'issuing-source-adapter', { DVS_URL: 'https://dvs.example' }],
    ['simulated-authorities', 'PROBLEM', 'verification-worker', { TRUST_SEED_FILE: 'x.pem' }],
    ['log-level', 'WARNING', 'gateway', { LOG_LEVEL: 'debug' }],
    ['master-key', 'PROBLEM', 'notifier', { MASTER_KEY: Buffer.alloc(32).toString('base64') }],
    ['master-key', 'PROBLEM', 'gateway', { MASTER_KEY: btoa('abcdefghijklmnopqrstuvwxyz012345') }],
    ['database-login', 'PROBLEM', 'gateway', { MONGO_URL: 'mongodb://db/?tls=true' }],
    ['database-login', 'PROBLEM', 'gateway', { MONGO_URL: 'mongodb://assay:assay@db/?tls=true' }],
    ['database-login', 'PROBLEM', 'gateway', { MONGO_URL: 'mongodb://assay:too-short@db/?tls=true' }],
    ['database-tls', 'WARNING', 'gateway', { MONGO_URL: SOUND.MONGO_URL.replace('tls=true&', '') }],
    ['broker-login', 'PROBLEM', 'gateway', { AMQP_URL: 'amqps://guest:sFz1v0pY4n9sXcA7rE6w@broker' }],
    ['broker-login', 'PROBLEM', 'gateway', { AMQP_URL: 'amqps://gateway@broker' }],
    ['broker-login', 'PROBLEM', 'gateway', { AMQP_URL: 'amqps://guest:sFz1v0pY4n9sXcA7rE6w@one:5671,two:5671' }],
    ['broker-tls', 'WARNING', 'gateway', { AMQP_URL: SOUND.AMQP_URL.replace('amqps', 'amqp') }],
    ['broker-tls', 'WARNING', 'gateway', { AMQP_URL: 'amqp://gateway:sFz1v0pY4n9sXcA7rE6w@127.0.0.1:5672,two:5672' }],
    ['service-tls', 'WARNING', 'notifier', { GATEWAY_INTERNAL_URL: 'http://gateway:8081' }],
    ['outside-addresses', 'PROBLEM', 'proof-builder', { SIGNER_URL: 'http://signer.example' }],
    ['public-address', 'WARNING', 'gateway', { PUBLIC_URL: undefined }],
    ['public-address', 'PROBLEM', 'gateway', { PUBLIC_URL: 'http://identity.example' }],
    ['proxies', 'PROBLEM', 'gateway', { TRUSTED_PROXIES: '10.0.0.0/8, 0.0.0.0/0' }],
    ['private-targets', 'PROBLEM', 'notifier', { ALLOW_PRIVATE_TARGETS: '10.0.0.0/8,127.0.0.0/8' }],
    ['private-targets', 'WARNING', 'notifier', { ALLOW_PRIVATE_TARGETS: '10.0.0.0/8' }],
    ['sign-in-issuer', 'PROBLEM', 'gateway', { ...ISSUER, OIDC_ISSUER: 'http://login.example' }],
    ['sign-in-secret', 'WARNING', 'gateway', { ...ISSUER, OIDC_CLIENT_SECRET: undefined }],
    ['sign-in-secret', 'PROBLEM', 'gateway', { ...ISSUER, OIDC_CLIENT_SECRET: 'secret' }],
    ['one-time-codes', 'WARNING', 'notifier', { SMTP_URL: undefined }],
    ['one-time-codes', 'WARNING', 'notifier', { SMTP_URL: 'smtp://mail.example' }],
  ])('%s: %s', (check, status, service, more: Record<string, string | undefined>) => {
    expect(lookedAt(service, more)).toEqual([{ check, status, message: expect.any(String) }]);
  });

  test('an issuer whose redirects would depend on the host of a request', () => {
    const found = lookedAt('gateway', { ...ISSUER, PUBLIC_URL: undefined });
    expect(found.map(({ check, status }) => [check, status])).toContainEqual(['sign-in-redirect', 'PROBLEM']);
  });

  test('secrets given as variables', () => {
    expect(lookedAt('notifier', { SMS_TOKEN: 'x' })).toEqual([
      { check: 'secrets-in-files', status: 'WARNING', message: expect.stringMatching(/: SMS_TOKEN$/) },
    ]);
  });

  test('no finding repeats a secret', () => {
    const bad = {
      MONGO_URL: 'mongodb://assay:hunter2@db',
      AMQP_URL: 'amqp://guest:hunter2@broker',
      MASTER_KEY: btoa('hunter2'),
    };
    const said = JSON.stringify(lookedAt('gateway', bad, []));
    expect(said).toContain('database-login');
    expect(said).not.toMatch(/hunter2/);
    expect(said).not.toContain(bad.MASTER_KEY);
  });
});

test('a machine of one host needs no encryption to itself, and a socket has no network', () => {
  const MONGO_URL = 'mongodb://gateway:sFz1v0pY4n9sXcA7rE6w@%2Ftmp%2Fmongo.sock/';
  expect(lookedAt('gateway', { MONGO_URL, GATEWAY_INTERNAL_URL: 'http://127.0.0.1:1' })).toEqual([]);
});
