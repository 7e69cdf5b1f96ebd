import { connectMongo, type Database } from '@assay/mongo';
import { newId } from '@assay/runtime';
import { createLocalKeys, newDataKey, noticeKeyOf } from '@assay/sealing';
import { quietLog, testStack } from '@assay/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createIdentityKeys, type IdentityKeys } from './identity-keys.ts';

const masterKey = newDataKey();
const MINUTE_MS = 60_000;
let now = new Date('2026-03-01T10:00:00.000Z');
let mongodb: Database;
let keys: IdentityKeys;
/** Another process over the same database. */
let elsewhere: IdentityKeys;
beforeAll(async () => {
  const stack = testStack();
  mongodb = await connectMongo(stack.mongoUrl, stack.database('identity-keys'), quietLog);
  const again = await connectMongo(stack.mongoUrl, mongodb.connection.name, quietLog);
  const deps = { masterKey, keyService: createLocalKeys([masterKey]), now: () => now };
  keys = await createIdentityKeys({ ...deps, mongodb });
  elsewhere = await createIdentityKeys({ ...deps, mongodb: again });
  await mongodb.ensureIndexes();
  closing.push(() => again.close());
});
const closing: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  await mongodb.connection.dropDatabase();
  for (const close of closing) await close();
  await mongodb.close();
});

const made = async () => {
  const owner = { tenantId: newId(), identityId: newId() };
  return { owner, key: await keys.create(owner.identityId, owner.tenantId) };
};

describe('the key of an identity', () => {
  test('is the same in every process, and is stored in wrapped form only', async () => {
    const { owner, key } = await made();
    expect(await elsewhere.find(owner.identityId)).toEqual(key);
    const stored = await mongodb.connection.collection('identityKeys').findOne({ _id: owner.identityId as never });
    expect(JSON.stringify(stored)).not.toContain(key.toString('base64'));
    expect(JSON.stringify(stored)).not.toContain(key.toString('hex'));
  });

  test('is made once: a second one for the same identity is refused', async () => {
    const { owner, key } = await made();
    await expect(keys.create(owner.identityId, owner.tenantId)).rejects.toMatchObject({ code: 11000 });
    expect(await elsewhere.find(owner.identityId)).toEqual(key);
  });

  test('is found for its own tenant only', async () => {
    const { owner, key } = await made();
    expect((await elsewhere.hold(owner))?.key).toEqual(key);
    expect(await elsewhere.hold({ ...owner, tenantId: newId() })).toBeUndefined();
  });

  test('is removed from the cache of this process when it is destroyed, and found by no process', async () => {
    const { owner } = await made();
    await keys.destroy(owner);
    expect(await keys.hold(owner)).toBeUndefined();
    expect(await keys.find(owner.identityId)).toBeUndefined();
    expect(await elsewhere.find(owner.identityId)).toBeUndefined();
    expect(await keys.holdNotice(owner)).toBeUndefined();
  });
});

describe('the key of its notices', () => {
  test('outlives it for as long as something has to be sent, and opens nothing else', async () => {
    const { owner, key } = await made();
    await keys.destroy(owner, new Date(now.getTime() + 10 * MINUTE_MS));
    const notice = await keys.holdNotice(owner);
    expect(notice?.key).toEqual(noticeKeyOf(key));
    expect(notice?.key).not.toEqual(key);
    expect(await keys.find(owner.identityId)).toBeUndefined();
  });

  test('is cached no longer than until its end, and is absent after that', async () => {
    const { owner } = await made();
    const before = now;
    await keys.destroy(owner, new Date(now.getTime() + MINUTE_MS / 2));
    expect((await elsewhere.holdNotice(owner))?.holdMs).toBeLessThanOrEqual(MINUTE_MS / 2);
    now = new Date(before.getTime() + MINUTE_MS);
    expect(await elsewhere.holdNotice(owner)).toBeUndefined();
    now = before;
  });

  test('retains its first end, however often the identity is destroyed', async () => {
    const { owner } = await made();
    await keys.destroy(owner, new Date(now.getTime() + MINUTE_MS));
    await keys.destroy(owner, new Date(now.getTime() + 60 * MINUTE_MS));
    expect((await elsewhere.holdNotice(owner))?.holdMs).toBeLessThanOrEqual(MINUTE_MS);
  });
});
