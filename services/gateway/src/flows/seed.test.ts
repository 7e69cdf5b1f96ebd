import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectMongo, type Database } from '@assay/mongo';
import { newId } from '@assay/runtime';
import { newDataKey } from '@assay/sealing';
import { quietLog, testStack } from '@assay/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createApiKeys } from '../store/api-keys.ts';
import { createSeeds } from '../store/seeds.ts';
import { createTenants } from '../store/tenants.ts';
import { seedFrom } from './seed.ts';

let database: Database;
let folder: string;
let deps: Parameters<typeof seedFrom>[1];
const now = () => new Date();

beforeAll(async () => {
  const stack = testStack();
  database = await connectMongo(stack.mongoUrl, stack.database('seed'), quietLog);
  folder = await mkdtemp(join(tmpdir(), 'seed-'));
  deps = {
    tenants: createTenants({ mongodb: database, secret: newDataKey(), now }),
    apiKeys: createApiKeys({ mongodb: database, now }),
    seeds: createSeeds({ mongodb: database }),
    log: quietLog,
  };
  await database.ensureIndexes();
});
afterAll(async () => {
  await database.connection.dropDatabase();
  await database.close();
  await rm(folder, { recursive: true });
});

let tenantId: string;
let key: string;
beforeEach(() => {
  tenantId = newId();
  key = `key-of-${tenantId}`;
});

const seed = async (keys: Record<string, string>, administrator?: string): Promise<void> => {
  const file = join(folder, `${newId()}.json`);
  await writeFile(file, JSON.stringify({ tenants: [{ tenantId, name: 'Acme', keys }], administrator }));
  await seedFrom(file, deps);
};
const revoke = async (apiKey: string): Promise<void> => {
  const known = await deps.apiKeys.find(apiKey);
  expect(await deps.apiKeys.delete(tenantId, known?.key.keyId ?? '')).toBe(true);
};

test('the webhook of a seeded tenant is left to the sweep that tells the notifier', async () => {
  const file = join(folder, `${newId()}.json`);
  const settings = { webhook: { url: 'https://93.184.216.34/', mode: 'NONE' } };
  await writeFile(file, JSON.stringify({ tenants: [{ tenantId, name: 'Acme', settings, keys: {} }] }));
  await seedFrom(file, deps);
  const changing = () => deps.tenants.changing(new Date(Date.now() + 1000), { limit: 100, except: [] });
  expect(await changing()).toContain(tenantId);
  await seed({ RELYING_SERVICE: key });
  expect(await changing()).toEqual([tenantId]);
});

test('a seeded key works, and stays revoked at the next start', async () => {
  await seed({ RELYING_SERVICE: key });
  expect((await deps.apiKeys.find(key))?.tenant?.tenantId).toBe(tenantId);
  await seed({ RELYING_SERVICE: key });
  await revoke(key);
  await seed({ RELYING_SERVICE: key });
  expect(await deps.apiKeys.find(key)).toBeUndefined();
});

test('a key that the seed names later is added', async () => {
  await seed({ RELYING_SERVICE: key });
  await seed({ RELYING_SERVICE: key, USER_AGENT: `${key}-ua` });
  expect((await deps.apiKeys.find(`${key}-ua`))?.key.role).toBe('USER_AGENT');
});

test('for a tenant seeded before the seed was recorded, a working key still works and a revoked one stays revoked', async () => {
  await deps.tenants.create(tenantId, 'Acme', {});
  await deps.apiKeys.register(key, 'RELYING_SERVICE', tenantId);
  await seed({ RELYING_SERVICE: key, USER_AGENT: `${key}-ua` });
  expect(await deps.apiKeys.find(key)).toBeDefined();
  expect(await deps.apiKeys.find(`${key}-ua`)).toBeUndefined();
  await revoke(key);
  await seed({ RELYING_SERVICE: key });
  expect(await deps.apiKeys.find(key)).toBeUndefined();
});

test("an administrator's key stays revoked, and another one is added", async () => {
  const [first, second] = [`administrator-${newId()}`, `administrator-${newId()}`];
  await seed({}, first);
  await seed({}, second);
  const keyId = (await deps.apiKeys.find(first))?.key.keyId ?? '';
  expect(await deps.apiKeys.deleteAdministrator(keyId)).toBe('DELETED');
  await seed({}, first);
  expect(await deps.apiKeys.find(first)).toBeUndefined();
  expect((await deps.apiKeys.find(second))?.key.role).toBe('ADMINISTRATOR');
});

test('a seed that is no JSON is refused without a part of it: the log would show a key', async () => {
  const file = join(folder, `${newId()}.json`);
  await writeFile(file, `{"tenants": [], "administrator": ${key}}`);
  await expect(seedFrom(file, deps)).rejects.toThrow(/^configuration: SEED_FILE holds no JSON$/);
});

test.each([
  ['[]', 'the whole '],
  ['{}', 'tenants '],
  ['{"tenants": [{"tenantId": "t", "name": "Acme", "keys": {"OPERATOR": "short"}}]}', 'tenants[0].keys.OPERATOR '],
])('a seed of another shape is refused by its variable and the place: %s', async (content, place) => {
  const file = join(folder, `${newId()}.json`);
  await writeFile(file, content);
  await expect(seedFrom(file, deps)).rejects.toThrow(`configuration: SEED_FILE: ${place}`);
});
