import { describe, expect, test } from '@jest/globals';
import {
  type CachedKey,
  createKeyring,
  KEY_CACHED_MS,
  newDataKey,
  noticeKeyOf,
  open,
  openJson,
  seal,
  sealingContext,
  sealJson,
} from './index.ts';

const key = newDataKey();
const context = sealingContext('tenant', 'identity', 'submission');

describe('sealing', () => {
  test('opens only with the same key and context', () => {
    const sealed = sealJson(key, context, { surname: 'SPECIMEN' });
    expect(openJson(key, context, sealed)).toEqual({ surname: 'SPECIMEN' });
    expect(() => open(newDataKey(), context, sealed)).toThrow();
    expect(() => open(key, sealingContext('tenant', 'another', 'submission'), sealed)).toThrow();
  });

  test('never produces the same bytes twice', () => {
    expect(seal(key, context, 'x')).not.toBe(seal(key, context, 'x'));
  });
});

describe('a keyring', () => {
  const owner = { tenantId: 'tenant', identityId: 'identity' };
  /** A keyring with the clock and the gateway of the test. */
  const ring = (holdMs = KEY_CACHED_MS) => {
    const state = { asked: 0, now: 0, answer: async (): Promise<CachedKey | undefined> => ({ key, holdMs }) };
    const keyring = createKeyring(
      () => {
        state.asked += 1;
        return state.answer();
      },
      () => state.now,
    );
    return { state, keyring };
  };

  test('makes one request for simultaneous callers, and another after a failure', async () => {
    const { state, keyring } = ring();
    const { answer } = state;
    state.answer = () => Promise.reject(new Error('gateway is down'));
    await expect(keyring.keyOf(owner)).rejects.toThrow('gateway is down');
    state.answer = answer;
    const keys = await Promise.all([keyring.keyOf(owner), keyring.keyOf(owner), keyring.keyOf(owner)]);
    expect(keys).toEqual([key, key, key]);
    expect(state.asked).toBe(2);
    await keyring.keyOf({ ...owner, tenantId: 'another' });
    expect(state.asked).toBe(3);
  });

  test('caches a key for a minute at most, or as long as the gateway still caches it', async () => {
    const { state, keyring } = ring(10 * KEY_CACHED_MS);
    await keyring.keyOf(owner);
    state.now = KEY_CACHED_MS - 1;
    expect(await keyring.hold(owner)).toEqual({ key, holdMs: 1 });
    expect(state.asked).toBe(1);
    state.now = KEY_CACHED_MS;
    await keyring.keyOf(owner);
    expect(state.asked).toBe(2);
    const handedOn = ring(5);
    await handedOn.keyring.keyOf(owner);
    handedOn.state.now = 5;
    await handedOn.keyring.keyOf(owner);
    expect(handedOn.state.asked).toBe(2);
  });

  test('does not request a key that was made here, for a minute, unless its identity was closed', async () => {
    const { state, keyring } = ring();
    keyring.made(owner, key);
    state.now = KEY_CACHED_MS - 1;
    expect(await keyring.hold(owner)).toEqual({ key, holdMs: 1 });
    expect(state.asked).toBe(0);
    state.now = KEY_CACHED_MS;
    await keyring.keyOf(owner);
    expect(state.asked).toBe(1);
    keyring.made(owner, key);
    keyring.forget(owner);
    await keyring.keyOf(owner);
    expect(state.asked).toBe(2);
  });

  test('drops a closed identity, and asks again if there was no key', async () => {
    const { state, keyring } = ring();
    await keyring.keyOf(owner);
    keyring.forget(owner);
    state.answer = async () => undefined;
    expect(await keyring.keyOf(owner)).toBeUndefined();
    expect(await keyring.keyOf(owner)).toBeUndefined();
    expect(state.asked).toBe(3);
  });
});

test('the key of notices is derived from the identity key, and opens nothing that the identity key sealed', () => {
  const notices = noticeKeyOf(key);
  expect(notices.equals(noticeKeyOf(key))).toBe(true);
  expect(() => open(notices, context, seal(key, context, 'x'))).toThrow();
});
