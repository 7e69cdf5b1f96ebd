import { connectMongo, type Database } from '@assay/mongo';
import { createLocalKeys, localKeyId, newDataKey } from '@assay/sealing';
import { quietLog, testStack } from '@assay/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createMasterKeys } from './master-keys.ts';
import { createRootSecret } from './root-secret.ts';

let mongodb: Database;
beforeAll(async () => {
  const stack = testStack();
  mongodb = await connectMongo(stack.mongoUrl, stack.database('root-secret'), quietLog);
});
beforeEach(() => mongodb.connection.dropDatabase());
afterAll(async () => {
  await mongodb.connection.dropDatabase();
  await mongodb.close();
});

const former = newDataKey();
const next = newDataKey();
/** The root secret as a process with these master keys reads it. */
const readWith = async (keys: readonly Buffer[]) => {
  const keyService = createLocalKeys([...keys]);
  const deps = { mongodb, keyService, masterKey: keys[0]!, now: () => new Date() };
  const masterKeys = await createMasterKeys({ ...deps, isFresh: async () => false });
  return createRootSecret({ ...deps, masterKeys });
};
const stored = () => mongodb.connection.collection('secrets').find().toArray();

describe('the root secret', () => {
  test('begins as the master key, and is stored in wrapped form only', async () => {
    const { secret } = await readWith([former]);
    expect(secret).toEqual(former);
    const text = JSON.stringify(await stored());
    expect(text).not.toContain(former.toString('base64'));
    expect(text).not.toContain(former.toString('hex'));
  });

  test('is the same, however many processes begin at once', async () => {
    const all = await Promise.all(Array.from({ length: 5 }, () => readWith([former])));
    expect(new Set(all.map(({ secret }) => secret.toString('hex')))).toEqual(new Set([former.toString('hex')]));
    expect(await stored()).toHaveLength(1);
  });

  test('is unchanged under another master key, as long as the former one is available', async () => {
    await readWith([former]);
    const { secret } = await readWith([next, former]);
    expect(secret).toEqual(former);
    expect((await stored())[0]).toMatchObject({ keyId: localKeyId(former) });
  });

  test('is not replaced if the key that wraps it is missing', async () => {
    await readWith([former]);
    await expect(readWith([next])).rejects.toThrow();
    expect((await readWith([former])).secret).toEqual(former);
  });

  test('gives each use a secret of its own, the same each time', async () => {
    const { derived, secret } = await readWith([former]);
    const again = await readWith([former]);
    expect(derived('people')).toEqual(again.derived('people'));
    const uses = [secret, derived('people'), derived('sign-in'), derived('idempotency')];
    expect(new Set(uses.map((one) => one.toString('hex'))).size).toBe(uses.length);
  });
});
