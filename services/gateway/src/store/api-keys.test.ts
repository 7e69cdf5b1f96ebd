import { connectMongo } from '@assay/mongo';
import { metricsText, newId } from '@assay/runtime';
import { quietLog, testStack } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { hashOf, type KeyDocument } from './api-key-document.ts';
import { createApiKeys } from './api-keys.ts';

const { mongoUrl, database } = testStack();
const name = database('api-keys');
let here: Awaited<ReturnType<typeof connectMongo>>;
let elsewhere: typeof here;
beforeAll(async () => {
  process.env.MONGO_COUNT = '1';
  here = await connectMongo(mongoUrl, name, quietLog);
  elsewhere = await connectMongo(mongoUrl, name, quietLog);
  delete process.env.MONGO_COUNT;
});
afterAll(async () => {
  await here.connection.dropDatabase();
  await here.close();
  await elsewhere.close();
});

const now = () => new Date();
const asked = async (): Promise<number> =>
  Number(
    /assay_mongo_commands_total\{command="aggregate",collection="apiKeys",cause="work"\} (\d+)/.exec(
      await metricsText(),
    )?.[1] ?? 0,
  );

test('a key is looked up once a second, however many requests carry it', async () => {
  const keys = createApiKeys({ mongodb: here, now });
  const { apiKey } = await keys.create({ role: 'ADMINISTRATOR' });
  const before = await asked();
  const startedAt = performance.now();
  for (let n = 0; n < 50; n += 1) expect(await keys.find(apiKey)).toMatchObject({ key: { role: 'ADMINISTRATOR' } });
  const seconds = (performance.now() - startedAt) / 1000;
  expect((await asked()) - before).toBeLessThanOrEqual(1 + Math.ceil(seconds));
  expect(await keys.find(`${apiKey}x`)).toBeUndefined();
});

test('a key that another process revoked is refused a second later at most, one that this process revoked at once', async () => {
  const keys = createApiKeys({ mongodb: here, now });
  const others = createApiKeys({ mongodb: elsewhere, now });
  await others.create({ role: 'ADMINISTRATOR' });
  const { keyId, apiKey } = await keys.create({ role: 'ADMINISTRATOR' });
  expect(await keys.find(apiKey)).toBeDefined();
  expect(await others.find(apiKey)).toBeDefined();
  expect(await others.deleteAdministrator(keyId)).toBe('DELETED');
  const revokedAt = performance.now();
  expect(await others.find(apiKey)).toBeUndefined();
  let askedAt = performance.now();
  while (await keys.find(apiKey)) {
    expect(askedAt - revokedAt).toBeLessThan(1000);
    askedAt = performance.now();
  }
});

test('a late attempt at a request does not replace the key that its repeat was answered', async () => {
  const keys = createApiKeys({ mongodb: here, now });
  const tenantId = newId();
  const keyId = newId();
  const makes = (attempt: number) => keys.create({ keyId, tenantId, role: 'RELYING_SERVICE', attempt });
  expect(await makes(0)).toMatchObject({ isStored: true });
  const answered = await makes(2);
  expect(answered).toMatchObject({ keyId, isStored: true });
  for (const late of [0, 1]) expect(await makes(late)).toMatchObject({ isStored: false });
  expect((await keys.list(tenantId, undefined, 9)).map((key) => key.keyId)).toEqual([keyId]);
  const model: { findById(id: string): { lean(): Promise<KeyDocument> } } = keys.model;
  expect((await model.findById(keyId).lean()).hash).toBe(hashOf(answered.apiKey));
});

test('a cached key expires in time', async () => {
  let at = new Date();
  const keys = createApiKeys({ mongodb: here, now: () => at });
  const { apiKey } = await keys.create({ role: 'ADMINISTRATOR', expiresAt: new Date(at.getTime() + 60_000) });
  expect(await keys.find(apiKey)).toBeDefined();
  at = new Date(at.getTime() + 60_000);
  expect(await keys.find(apiKey)).toBeUndefined();
});
