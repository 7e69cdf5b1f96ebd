import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDependencyDown } from '@assay/runtime';
import { createLocalKeys, type KeyService, newDataKey } from '@assay/sealing';
import { quietLog, startStutteringPeer } from '@assay/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type KeySimulator,
  KMS_CREDENTIALS,
  startKmsSimulator,
  startVaultSimulator,
  VAULT_TOKEN,
} from '../testing/key-simulators.ts';
import { signedHeaders } from './aws-signature.ts';
import { type KeySettings, openKeyServices } from './key-services.ts';
import { createKmsKeys } from './kms-keys.ts';
import { createVaultKeys } from './vault-keys.ts';

const [NEWER, OLDER] = ['1234abcd-newer', 'alias/older'];
const log = quietLog;
const now = () => new Date();
let folder: string;
let vault: KeySimulator;
let kms: KeySimulator;
const tokenFile = (name = 'token') => join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-keys-'));
  await writeFile(tokenFile(), `${VAULT_TOKEN}\n`);
  [vault, kms] = await Promise.all([startVaultSimulator('assay'), startKmsSimulator(NEWER, OLDER)]);
}, 60_000);
afterAll(async () => {
  await Promise.all([vault.stop(), kms.stop()]);
  await rm(folder, { recursive: true });
});

const vaultKeys = (more: { tokenPath?: string; key?: string; address?: string } = {}) =>
  createVaultKeys({ address: vault.url, tokenPath: tokenFile(), key: 'assay', mount: 'transit', log, ...more });
const kmsKeys = (
  more: { endpoint?: string; credentials?: typeof KMS_CREDENTIALS; keyIds?: string[]; now?: () => Date } = {},
) =>
  createKmsKeys({
    ...{ endpoint: kms.url, region: 'eu-central-1', credentials: KMS_CREDENTIALS, keyIds: [NEWER, OLDER], now, log },
    ...more,
  });

const refusal = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: unknown) => error,
  );
const isAway = async (work: Promise<unknown>): Promise<boolean> => isDependencyDown(await refusal(work));

describe.each<[string, () => KeyService]>([
  ['this process', () => createLocalKeys([newDataKey(), newDataKey()])],
  ['Vault', vaultKeys],
  ['KMS', kmsKeys],
])('master keys in %s', (_place, open) => {
  test('wrap a key that they unwrap, for its context alone', async () => {
    const service = open();
    const [keyId = ''] = await service.list();
    const key = newDataKey();
    const wrapped = await service.wrap(keyId, key, 'identity-1');
    expect(keyId).toMatch(new RegExp(`^${service.name}:`));
    expect(wrapped).not.toContain(key.toString('base64').slice(0, 20));
    expect(await service.unwrap(keyId, wrapped, 'identity-1')).toEqual(key);
    const elsewhere = await refusal(service.unwrap(keyId, wrapped, 'identity-2'));
    expect(elsewhere).toHaveProperty('message');
    // Waiting would not help, because this is no outage.
    expect(isDependencyDown(elsewhere)).toBe(false);
  });

  test('wrap never twice alike', async () => {
    const service = open();
    const [keyId = ''] = await service.list();
    const key = newDataKey();
    expect(await service.wrap(keyId, key, 'x')).not.toBe(await service.wrap(keyId, key, 'x'));
  });
});

describe('Vault', () => {
  test('makes a version that wraps from then on, and unwraps with the former ones', async () => {
    const service = vaultKeys();
    const [former = ''] = await service.list();
    const key = newDataKey();
    const wrapped = await service.wrap(former, key, 'x');
    const made = (await service.make?.()) ?? '';
    expect((await service.list()).slice(0, 2)).toEqual([made, former]);
    expect(await service.wrap(made, key, 'x')).toMatch(new RegExp(`^vault:${made.split(':').at(-1)}:`));
    expect(await service.unwrap(former, wrapped, 'x')).toEqual(key);
  });

  test('that refuses the token, or has no such key, counts as unavailable', async () => {
    await writeFile(tokenFile('wrong'), 'another token');
    expect(await isAway(vaultKeys({ tokenPath: tokenFile('wrong') }).list())).toBe(true);
    expect(await isAway(vaultKeys({ key: 'unknown' }).wrap('vault:unknown:v1', newDataKey(), 'x'))).toBe(true);
    expect(await isAway(vaultKeys({ address: 'http://127.0.0.1:1' }).list())).toBe(true);
  });

  test('whose token is not there yet counts as unavailable', async () => {
    const service = vaultKeys({ tokenPath: tokenFile('later') });
    expect(await isAway(service.list())).toBe(true);
    await writeFile(tokenFile('later'), VAULT_TOKEN);
    expect(await service.list()).not.toEqual([]);
  });

  test('uses a token that was replaced meanwhile', async () => {
    await writeFile(tokenFile('renewed'), 'an old token');
    const service = vaultKeys({ tokenPath: tokenFile('renewed') });
    expect(await isAway(service.list())).toBe(true);
    await writeFile(tokenFile('renewed'), VAULT_TOKEN);
    expect(await service.list()).not.toEqual([]);
  });
});

describe('KMS', () => {
  test('unwraps with each of its keys, and distinguishes a wrong one from an outage', async () => {
    const service = kmsKeys();
    const wrapped = await service.wrap(`kms:${OLDER}`, newDataKey(), 'x');
    expect(await service.unwrap(`kms:${OLDER}`, wrapped, 'x')).toHaveLength(32);
    expect(await isAway(service.unwrap(`kms:${NEWER}`, wrapped, 'x'))).toBe(false);
  });

  test('that refuses our signature, has no such key or cannot be reached counts as unavailable', async () => {
    const wrap = (service: KeyService, keyId = NEWER) => service.wrap(`kms:${keyId}`, newDataKey(), 'x');
    const forged = { ...KMS_CREDENTIALS, secretAccessKey: 'another secret' };
    expect(await isAway(wrap(kmsKeys({ credentials: forged })))).toBe(true);
    expect(await isAway(wrap(kmsKeys({ now: () => new Date(0) })))).toBe(true);
    expect(await isAway(wrap(kmsKeys(), 'unknown'))).toBe(true);
    expect(await isAway(wrap(kmsKeys({ endpoint: 'http://127.0.0.1:1' })))).toBe(true);
  });

  test('gets requests signed as in the published example', () => {
    // The case "post-vanilla" from the test suite of Signature Version 4.
    const { authorization } = signedHeaders({
      ...{ url: 'https://example.amazonaws.com/', headers: {}, body: '', region: 'us-east-1', service: 'service' },
      credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' },
      now: new Date('2015-08-30T12:36:00Z'),
    });
    expect(authorization).toMatch(/Signature=5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b$/);
  });
});

test.each(['', 'AAAA', Buffer.alloc(33).toString('base64')])(
  'an answer that is no key (%j) is one of a service that is away',
  async (text) => {
    const server = createServer((_asked, answer) =>
      answer.end(JSON.stringify({ Plaintext: text, data: { plaintext: text } })),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await isAway(kmsKeys({ endpoint: address }).unwrap(`kms:${NEWER}`, 'wrapped', 'x'))).toBe(true);
    expect(await isAway(vaultKeys({ address }).unwrap('vault:assay:v1', 'wrapped', 'x'))).toBe(true);
    server.close();
  },
);

test.each([
  'null',
  '[]',
  '"text"',
  '{"CiphertextBlob":5,"data":{"ciphertext":5}}',
  '{"CiphertextBlob":"","data":null}',
])('an answer without a wrapped key (%s) is one of a service that is away, with whatever status', async (text) => {
  for (const status of [200, 403]) {
    const server = createServer((_asked, answer) => void answer.writeHead(status).end(text));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await isAway(kmsKeys({ endpoint: address }).wrap(`kms:${NEWER}`, newDataKey(), 'x'))).toBe(true);
    expect(await isAway(vaultKeys({ address }).wrap('vault:assay:v1', newDataKey(), 'x'))).toBe(true);
    server.close();
  }
});

test('an answer that is sent twice is of its own key alone', async () => {
  const plain = (text: string): string => Buffer.alloc(32, text).toString('base64');
  const { url, close } = await startStutteringPeer((question) => {
    const asked = JSON.parse(question.slice(question.indexOf('{')));
    const answer = plain(asked.CiphertextBlob ?? asked.ciphertext);
    return { body: { Plaintext: answer, data: { plaintext: answer } } };
  });
  for (const wrapped of ['first', 'second', 'third']) {
    const key = Buffer.from(plain(wrapped), 'base64');
    expect(await kmsKeys({ endpoint: url }).unwrap(`kms:${NEWER}`, wrapped, 'x')).toEqual(key);
    expect(await vaultKeys({ address: url }).unwrap('vault:assay:v1', wrapped, 'x')).toEqual(key);
  }
  close();
});

describe('what the environment says', () => {
  const settings = (more: Partial<KeySettings>): KeySettings => ({
    ...{ MASTER_KEY: Buffer.alloc(32, 1), WRAPPING_KEYS: [], KMS_KEY_IDS: [], VAULT_TRANSIT_KEY: 'assay' },
    ...{
      VAULT_TRANSIT_MOUNT: 'transit',
      VAULT_ADDR: undefined,
      VAULT_TOKEN_PATH: undefined,
      VAULT_NAMESPACE: undefined,
    },
    ...{
      KMS_ENDPOINT: undefined,
      AWS_REGION: undefined,
      AWS_ACCESS_KEY_ID: undefined,
      AWS_SECRET_ACCESS_KEY: undefined,
    },
    AWS_SESSION_TOKEN: undefined,
    ...more,
  });
  const open = (more: Partial<KeySettings>) => openKeyServices(settings(more), { now, log });

  test('selects KMS before Vault, Vault before keys of this process, and MASTER_KEY last', async () => {
    const everywhere = open({
      ...{
        WRAPPING_KEYS: [Buffer.alloc(32, 2).toString('base64')],
        VAULT_ADDR: vault.url,
        VAULT_TOKEN_PATH: tokenFile(),
      },
      ...{ KMS_KEY_IDS: [NEWER], KMS_ENDPOINT: kms.url, AWS_REGION: 'eu-central-1' },
      AWS_ACCESS_KEY_ID: KMS_CREDENTIALS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: KMS_CREDENTIALS.secretAccessKey,
    });
    const places = (await everywhere.list()).map((keyId) => keyId.split(':')[0]);
    expect([...new Set(places)]).toEqual(['kms', 'vault', 'local']);
    expect(places.filter((place) => place === 'local')).toHaveLength(2);
    expect((await open({}).list()).at(-1)).toBe((await everywhere.list()).at(-1));
  });

  test.each<[string, Partial<KeySettings>]>([
    ['WRAPPING_KEYS', { WRAPPING_KEYS: ['short'] }],
    ['VAULT_TOKEN_PATH', { VAULT_ADDR: 'http://vault' }],
    ['AWS_REGION', { KMS_KEY_IDS: ['a'] }],
  ])('is refused at the start where %s is missing or wrong', (name, more) => {
    expect(() => open(more)).toThrow(name);
  });
});
