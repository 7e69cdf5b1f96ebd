import { describe, expect, test } from '@jest/globals';
import { createKeyring, newDataKey, open, openJson, seal, sealingContext, sealJson, wrapKey } from './index.ts';

const key = newDataKey();
const context = sealingContext('tenant', 'identity', 'submission');

describe('sealing', () => {
  test('opens only with the same key and context', () => {
    const sealed = sealJson(key, context, { surname: 'SPECIMEN' });
    expect(openJson(key, context, sealed)).toEqual({ surname: 'SPECIMEN' });
    expect(() => open(newDataKey(), context, sealed)).toThrow();
    expect(() => open(key, sealingContext('tenant', 'another', 'submission'), sealed)).toThrow();
  });

  test('never gives the same bytes twice', () => {
    expect(seal(key, context, 'x')).not.toBe(seal(key, context, 'x'));
  });
});

describe('a keyring', () => {
  test('asks for a transport key once, and again after a failure', async () => {
    const transport = newDataKey();
    let asked = 0;
    const keyring = createKeyring(async () => {
      asked += 1;
      if (asked === 1) throw new Error('gateway is down');
      return transport;
    });
    const wrapped = { kid: 'k1', wrapped: wrapKey(transport, key, 'identity') };
    await expect(keyring.unwrap(wrapped, 'identity')).rejects.toThrow('gateway is down');
    expect((await keyring.unwrap(wrapped, 'identity')).equals(key)).toBe(true);
    expect((await keyring.unwrap(wrapped, 'identity')).equals(key)).toBe(true);
    expect(asked).toBe(2);
    await expect(keyring.unwrap(wrapped, 'another')).rejects.toThrow();
  });
});
