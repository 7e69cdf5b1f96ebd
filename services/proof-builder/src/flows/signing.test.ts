import { createSign, generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { readKeys, verifySignature } from '@assay/client';
import { createSealingKeys, newDataKey } from '@assay/sealing';
import { quietLog } from '@assay/testing';
import { afterEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createRemoteSigner } from '../clients/remote-signer.ts';
import { rotationDue, signingAt, superseded } from '../domain/signing-keys.ts';
import type { SigningKey, SigningKeys } from '../store/signing-keys.ts';
import { createLocalSigner } from './local-signer.ts';

const inMemory = (): SigningKeys & { stored: SigningKey[] } => {
  const stored: SigningKey[] = [];
  return {
    stored,
    all: async () => [...stored],
    add: async (key, after) => {
      if (stored.length === after) stored.push(key);
    },
    replacePrivateKey: async (kid, sealed, anew) => {
      const found = stored.find((key) => key.kid === kid && key.sealedPrivateKey === sealed);
      if (found) found.sealedPrivateKey = anew;
    },
    retire: async (kid) => {
      const found = stored.find((key) => key.kid === kid)!;
      found.retired = true;
      delete found.sealedPrivateKey;
    },
  };
};

test('the master key is exchanged while the signing key continues to sign', async () => {
  const [former, current] = [newDataKey(), newDataKey()];
  const keys = inMemory();
  const now = () => new Date('2026-01-01T00:00:00.000Z');
  const open = (first: Buffer, ...further: Buffer[]) =>
    createLocalSigner({
      ...{ keys, sealing: createSealingKeys(first, further), bits: 2048, maxAgeSeconds: 1000, overlapSeconds: 100 },
      now,
      log: quietLog,
    });
  const before = open(former, current);
  await before.maintain();
  const { kid } = await before.sign('one');
  const after = open(current, former);
  expect((await after.sign('two')).kid).toBe(kid);
  await after.maintain();
  // One process has not been restarted yet, and one does not have the former key.
  expect((await before.sign('three')).kid).toBe(kid);
  expect((await open(current).sign('four')).kid).toBe(kid);
  await expect(open(former).sign('five')).rejects.toThrow();
});

test('a key that no master key opens prevents neither the others nor a start', async () => {
  const [former, current] = [newDataKey(), newDataKey()];
  const keys = inMemory();
  const open = (first: Buffer, further: Buffer[], at: string) =>
    createLocalSigner({
      ...{ keys, sealing: createSealingKeys(first, further), bits: 2048, maxAgeSeconds: 1000, overlapSeconds: 100 },
      now: () => new Date(at),
      log: quietLog,
    });
  await open(newDataKey(), [], '2026-01-01T00:00:00.000Z').maintain();
  await open(former, [], '2026-01-01T00:00:10.000Z').rotate();
  await open(current, [former], '2026-01-01T00:01:00.000Z').maintain();
  expect((await open(current, [], '2026-01-01T00:02:00.000Z').sign('one')).kid).toBe((await keys.all()).at(-1)?.kid);
});

test('a key signs for its time, its successor is published before, and its private half is destroyed after', async () => {
  let now = new Date('2026-01-01T00:00:00.000Z');
  const keys = inMemory();
  const signer = createLocalSigner({
    keys,
    sealing: createSealingKeys(newDataKey()),
    bits: 2048,
    maxAgeSeconds: 1000,
    overlapSeconds: 100,
    now: () => now,
    log: quietLog,
  });
  const after = (seconds: number): void => {
    now = new Date(Date.parse('2026-01-01T00:00:00.000Z') + seconds * 1000);
  };
  await signer.maintain();
  const first = (await signer.sign('one')).kid;
  after(901);
  await signer.maintain();
  expect(await signer.publicKeys()).toHaveLength(2);
  const signed = await signer.sign('two');
  expect(signed.kid).toBe(first);
  after(1002);
  await signer.maintain();
  const next = await signer.sign('three');
  expect(next.kid).not.toBe(first);
  expect(keys.stored[0]).toMatchObject({ kid: first, retired: true });
  expect(keys.stored[0]).not.toHaveProperty('sealedPrivateKey');
  const published = readKeys(JSON.stringify({ keys: await signer.publicKeys() }));
  expect(verifySignature(signed.jws, 'two', published)).toBe(first);
  expect(verifySignature(next.jws, 'three', published)).toBe(next.kid);
});

describe('after a leak', () => {
  const open = (keys: SigningKeys, at = '2026-01-01T00:00:00.000Z') =>
    createLocalSigner({
      ...{ keys, sealing: createSealingKeys(MASTER), bits: 2048, maxAgeSeconds: 1000, overlapSeconds: 100 },
      now: () => new Date(at),
      log: quietLog,
    });
  const MASTER = newDataKey();
  const withPrivateHalf = ({ stored }: ReturnType<typeof inMemory>) =>
    stored.filter(({ sealedPrivateKey }) => sealedPrivateKey !== undefined).map(({ kid }) => kid);

  test('the next key signs at once, every other private half is destroyed, and all stay published', async () => {
    const keys = inMemory();
    const signer = open(keys);
    await signer.maintain();
    await signer.rotate();
    const [leaked, waiting] = keys.stored.map(({ kid }) => kid);
    expect((await signer.sign('before')).kid).toBe(leaked);
    await signer.rotate({ atOnce: true });
    const { kid } = await signer.sign('after');
    expect([leaked, waiting]).not.toContain(kid);
    expect(withPrivateHalf(keys)).toEqual([kid]);
    expect((await signer.publicKeys()).map((key) => key.kid)).toEqual([leaked, waiting, kid]);
    // Nor does the key that was to sign next, once its time has come.
    expect((await open(keys, '2026-01-01T00:05:00.000Z').sign('later')).kid).toBe(kid);
    expect((await signer.list()).keys).toEqual([
      { kid, signs: true, createdAt: '2026-01-01T00:00:00.000', signsFrom: '2026-01-01T00:00:00.000' },
      expect.objectContaining({ kid: waiting, signs: false, signsFrom: '2026-01-01T00:01:40.000' }),
      expect.objectContaining({ kid: leaked, signs: false }),
    ]);
  });

  test.each([false, true])(
    'a replica whose clock is behind signs with the key that another made, and makes none (after a leak: %s)',
    async (atOnce) => {
      const keys = inMemory();
      const [ahead, behind] = [open(keys, '2026-01-01T00:00:02.000Z'), open(keys, '2026-01-01T00:00:00.000Z')];
      await ahead.maintain();
      if (atOnce) await ahead.rotate({ atOnce });
      const made = keys.stored.map(({ kid }) => kid);
      expect((await behind.sign('one')).kid).toBe(made.at(-1));
      expect((await behind.current()).kid).toBe(made.at(-1));
      expect(await behind.publicKeys()).toHaveLength(made.length);
      expect((await behind.list()).keys[0]).toMatchObject({ kid: made.at(-1), signs: true });
    },
  );

  test.each([false, true])(
    'a rotation that is repeated makes no further key, by another replica neither; another one does (at once: %s)',
    async (atOnce) => {
      const keys = inMemory();
      await open(keys).maintain();
      await open(keys).rotate({ atOnce }, 'first');
      const made = keys.stored.map(({ kid }) => kid);
      await open(keys, '2026-01-01T00:00:05.000Z').rotate({ atOnce }, 'first');
      expect(keys.stored.map(({ kid }) => kid)).toEqual(made);
      expect(withPrivateHalf(keys)).toEqual(atOnce ? made.slice(1) : made);
      await open(keys).rotate({ atOnce }, 'second');
      await open(keys).rotate({ atOnce });
      expect(keys.stored).toHaveLength(4);
    },
  );

  test('a rotation that is repeated as one after a leak makes the key that it needs', async () => {
    const keys = inMemory();
    await open(keys).maintain();
    await open(keys).rotate({}, 'first');
    await open(keys).rotate({ atOnce: true }, 'first');
    const [leaked, waiting, next] = keys.stored.map(({ kid }) => kid);
    expect(withPrivateHalf(keys)).toEqual([next]);
    expect([leaked, waiting]).not.toContain((await open(keys).sign('after')).kid);
    await open(keys).rotate({ atOnce: true }, 'first');
    expect(keys.stored).toHaveLength(3);
  });

  test('two replicas that are asked at once make one key', async () => {
    const keys = inMemory();
    await open(keys).maintain();
    await Promise.all([open(keys).rotate({ atOnce: true }), open(keys).rotate({ atOnce: true })]);
    expect(keys.stored).toHaveLength(2);
    expect(withPrivateHalf(keys)).toEqual([(await open(keys).sign('after')).kid]);
  });

  test('replicas with different clocks that are asked at once leave one key, which all of them sign with', async () => {
    const anyClocks = fc.array(fc.integer({ min: 0, max: 10 }), { minLength: 2, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), anyClocks, async (scheduler, minutes) => {
        const keys = inMemory();
        const slowly: SigningKeys = {
          ...keys,
          all: scheduler.scheduleFunction(keys.all),
          add: scheduler.scheduleFunction(keys.add),
          retire: scheduler.scheduleFunction(keys.retire),
        };
        const replica = (store: SigningKeys, minute: number) =>
          createLocalSigner({
            ...{
              keys: store,
              sealing: createSealingKeys(MASTER),
              bits: 512,
              maxAgeSeconds: 100_000,
              overlapSeconds: 100,
            },
            now: () => new Date(Date.UTC(2026, 0, 1, 0, minute)),
            log: quietLog,
          });
        await replica(keys, 0).maintain();
        const [leaked] = keys.stored;
        const rotations = minutes.map((minute) => replica(slowly, minute).rotate({ atOnce: true }));
        await scheduler.waitFor(Promise.all(rotations));
        const [left, ...others] = withPrivateHalf(keys);
        expect([left, others]).toEqual([expect.any(String), []]);
        expect(left).not.toBe(leaked?.kid);
        for (const minute of minutes) expect((await replica(keys, minute).current()).kid).toBe(left);
      }),
      { numRuns: 40 },
    );
  });

  test('the next key that another replica publishes meanwhile loses its private half', async () => {
    const keys = inMemory();
    await open(keys).maintain();
    let overtaken = false;
    const slow: SigningKeys = {
      ...keys,
      add: async (key, after) => {
        if (!overtaken) await open(keys).rotate();
        overtaken = true;
        await keys.add(key, after);
      },
    };
    await open(slow).rotate({ atOnce: true });
    expect(keys.stored).toHaveLength(3);
    expect(withPrivateHalf(keys)).toEqual([keys.stored[2]?.kid]);
    expect((await open(keys).sign('after')).kid).toBe(keys.stored[2]?.kid);
  });
});

test('other work goes on while a key is made', async () => {
  const keys = inMemory();
  const sealing = createSealingKeys(newDataKey());
  const times = { bits: 3072, maxAgeSeconds: 1000, overlapSeconds: 100, now: () => new Date('2026-01-01') };
  let made = false;
  let turns = 0;
  const making = createLocalSigner({ keys, sealing, ...times, log: quietLog })
    .maintain()
    .finally(() => {
      made = true;
    });
  for (; !made; turns += 1) await nextTurn();
  await making;
  expect(keys.stored).toHaveLength(1);
  expect(turns).toBeGreaterThan(100);
});

test('at any instant at most one key signs, and only keys before it are superseded', () => {
  const keys = fc.uniqueArray(fc.integer({ min: 0, max: 59 }), { minLength: 1 }).map((minutes) =>
    minutes.map((minute, at) => ({
      kid: `k${at}`,
      activeFrom: `2026-01-01T00:${String(minute).padStart(2, '0')}:00.000`,
      retired: false,
    })),
  );
  fc.assert(
    fc.property(keys, fc.integer({ min: 0, max: 59 }), (all, minute) => {
      const now = new Date(Date.UTC(2026, 0, 1, 0, minute));
      const current = signingAt(all, now);
      const outdated = superseded(all, now);
      expect(outdated.every(({ activeFrom }) => activeFrom < current!.activeFrom)).toBe(true);
      expect(outdated.length).toBe(
        current ? all.filter(({ activeFrom }) => activeFrom < current.activeFrom).length : 0,
      );
    }),
  );
  expect(rotationDue([], new Date(), 10, 1)).toBe(true);
});

describe('a remote signer', () => {
  const servers: { close(): unknown }[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  const serve = async (tamper: (signature: string) => string): Promise<string> => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const server = createServer(async (request, response) => {
      const answer = (body: unknown): void => {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(body));
      };
      if (request.headers.authorization !== 'Bearer a-token') {
        response.statusCode = 401;
        answer({});
      } else if (request.url === '/keys') answer({ keys: [publicKey.export({ format: 'jwk' })] });
      else {
        const { input } = JSON.parse(await text(request)) as { input: string };
        const signature = createSign('sha256')
          .update(Buffer.from(input, 'base64'))
          .sign(privateKey)
          .toString('base64url');
        answer({ signature: tamper(signature) });
      }
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };

  test('signs without its private key ever being in this process', async () => {
    const signer = createRemoteSigner({ url: await serve((signature) => signature), token: 'a-token', log: quietLog });
    const { jws, kid } = await signer.sign('{"a":1}');
    const keys = readKeys(JSON.stringify({ keys: await signer.publicKeys() }));
    expect(verifySignature(jws, '{"a":1}', keys)).toBe(kid);
    expect((await signer.current()).kid).toBe(kid);
  });

  test('is not trusted when its signature does not verify, or it refuses', async () => {
    const lying = createRemoteSigner({
      url: await serve((signature) => `AA${signature.slice(2)}`),
      token: 'a-token',
      log: quietLog,
    });
    await expect(lying.sign('x')).rejects.toMatchObject({ status: 503 });
    const strange = createRemoteSigner({ url: await serve((signature) => signature), log: quietLog });
    await expect(strange.sign('x')).rejects.toMatchObject({ status: 503 });
  });
});
