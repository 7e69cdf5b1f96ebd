import { describe, expect, test } from '@jest/globals';
import { createLocalKeys, joinKeyServices, localKeyId } from './master-keys.ts';
import { newDataKey, wrapKey } from './sealing.ts';

const [newest, former, other] = [newDataKey(), newDataKey(), newDataKey()];
const idOf = localKeyId;

describe('master keys of this process', () => {
  const keys = createLocalKeys([newest, former]);
  const dataKey = newDataKey();

  test('are listed by ids that reveal nothing, the newest first', async () => {
    expect(await keys.list()).toEqual([idOf(newest), idOf(former)]);
    for (const key of [newest, former]) expect(idOf(key)).not.toContain(key.toString('hex').slice(0, 8));
  });

  test('unwrap what each of them wrapped, for its context only', async () => {
    for (const key of [newest, former]) {
      const wrapped = await keys.wrap(idOf(key), dataKey, 'identity-1');
      expect(await keys.unwrap(idOf(key), wrapped, 'identity-1')).toEqual(dataKey);
      await expect(keys.unwrap(idOf(key), wrapped, 'identity-2')).rejects.toThrow();
    }
    await expect(keys.unwrap(idOf(former), wrapKey(newest, dataKey, 'x'), 'x')).rejects.toThrow();
  });

  test('unwrap what was wrapped before keys had ids', async () => {
    expect(await keys.unwrap(idOf(former), wrapKey(former, dataKey, 'x'), 'x')).toEqual(dataKey);
  });

  test('that are absent count as an unavailable dependency, not as a broken record', async () => {
    await expect(keys.wrap(idOf(other), dataKey, 'x')).rejects.toMatchObject({ status: 503 });
    await expect(keys.unwrap(idOf(other), 'anything', 'x')).rejects.toMatchObject({ status: 503 });
  });
});

test('several services act as one: each key is used where it is, and new ones are made by the first service that can', async () => {
  const elsewhere = {
    ...createLocalKeys([]),
    name: 'vault',
    list: async () => ['vault:k:v1'],
    make: async () => 'vault:k:v2',
  };
  const both = joinKeyServices([elsewhere, createLocalKeys([newest])]);
  expect(await both.list()).toEqual(['vault:k:v1', idOf(newest)]);
  const wrapped = await both.wrap(idOf(newest), former, 'x');
  expect(await both.unwrap(idOf(newest), wrapped, 'x')).toEqual(former);
  await expect(both.unwrap('kms:somewhere', wrapped, 'x')).rejects.toMatchObject({ status: 503 });
  expect(await both.make?.()).toBe('vault:k:v2');
});
