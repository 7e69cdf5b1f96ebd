import { watchedReadiness } from '@assay/runtime';
import { createLocalKeys, type KeyService, localKeyId, newDataKey } from '@assay/sealing';
import { quietLog, waitFor } from '@assay/testing';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createKmsKeys } from '../clients/kms-keys.ts';
import { type KeySimulator, KMS_CREDENTIALS, startKmsSimulator } from '../testing/key-simulators.ts';
import { created, type Rig, startRig } from '../testing/rig.ts';

const [FORMER, NEXT] = [newDataKey(), newDataKey()];
const closing: { close(): Promise<unknown> }[] = [];
const owned = async <T extends { close(): Promise<unknown> }>(opening: Promise<T>): Promise<T> => {
  const part = await opening;
  closing.push(part);
  return part;
};
afterEach(async () => {
  for (const part of closing.splice(0).toReversed()) await part.close();
});

const records = async (rig: Rig) => {
  const found = await rig.keys.collection('identityKeys').find({}).toArray();
  return found as unknown as { _id: string; keyId?: string; wrapped: string }[];
};
const status = async (rig: Rig) => (await rig.admin.get('/admin/v1/master-keys')).body;
const times = <T>(count: number, work: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, work));

describe('rotation of the master key', () => {
  test('under load refuses and loses nothing, and afterwards the former key is no longer needed', async () => {
    const keyService = createLocalKeys([NEXT, FORMER]);
    const rig = await owned(startRig({ more: { masterKey: FORMER, keyService } }));
    const acme = await rig.tenant({ limits: { requestsPerMinute: 1_000_000 } });
    // Like an installation from the time before keys had ids.
    await rig.keys
      .collection('masterKeys')
      .updateOne({ _id: 'current' as never }, { $set: { keyId: localKeyId(FORMER) } });
    await waitFor('the former key to be in force', async () => (await status(rig)).current === localKeyId(FORMER));
    const before = await times(60, () => created(acme.rs));
    await rig.keys.collection('identityKeys').updateMany({}, { $unset: { keyId: 1 } });
    expect(await status(rig)).toMatchObject({ current: localKeyId(FORMER), remaining: 0 });

    const statuses: number[] = [];
    const [closed, ...open] = before;
    const during: { id: string; at: string }[] = [];
    let isRotating = true;
    const load = async (): Promise<void> => {
      while (isRotating) {
        const made = await created(acme.rs);
        during.push(made);
        statuses.push(
          (await acme.rs.get(made.at)).status,
          (await acme.rs.get(open[during.length % open.length]!.at)).status,
        );
      }
    };
    const loads = times(2, load);
    const rotated = await rig.admin.post('/admin/v1/master-keys/rotations');
    expect(rotated).toMatchObject({ status: 200, body: { current: localKeyId(NEXT), rotated: true } });
    statuses.push((await acme.rs.delete(closed!.at)).status);
    await waitFor('everything to be wrapped anew', async () => (await status(rig)).remaining === 0, 30_000);
    isRotating = false;
    await loads;

    expect(statuses.filter((one) => one !== 200)).toEqual([]);
    expect((await acme.rs.get(closed!.at)).status).toBe(410);
    const stored = await records(rig);
    expect(new Set(stored.map(({ keyId }) => keyId))).toEqual(new Set([localKeyId(NEXT)]));
    expect(stored.map(({ _id }) => _id).sort()).toEqual([...open, ...during].map(({ id }) => id).sort());
    const withoutFormer = createLocalKeys([NEXT]);
    for (const { _id, wrapped } of stored)
      expect(await withoutFormer.unwrap(localKeyId(NEXT), wrapped, _id)).toHaveLength(32);
    expect((await status(rig)).keys).toContainEqual({ keyId: localKeyId(FORMER), wraps: 0 });
  }, 90_000);

  test('continues where it was interrupted', async () => {
    let allowed = 30;
    const sound = createLocalKeys([NEXT, FORMER]);
    const ending: KeyService = {
      ...sound,
      // The service wraps a number of keys, then fails.
      wrap: async (keyId, key, context) => {
        const isCounted = keyId === localKeyId(NEXT) && !/^(probe|secret)/.test(context);
        if (isCounted && allowed === 0) throw Object.assign(new Error('away'), { status: 503 });
        if (isCounted) allowed -= 1;
        return sound.wrap(keyId, key, context);
      },
    };
    const rig = await owned(startRig({ more: { masterKey: FORMER, keyService: ending } }));
    const acme = await rig.tenant();
    await rig.keys
      .collection('masterKeys')
      .updateOne({ _id: 'current' as never }, { $set: { keyId: localKeyId(FORMER) } });
    await waitFor('the former key to be in force', async () => (await status(rig)).current === localKeyId(FORMER));
    const made = await times(50, () => created(acme.rs));
    expect((await rig.admin.post('/admin/v1/master-keys/rotations')).status).toBe(200);
    await waitFor('the first part', async () => (await status(rig)).remaining === 21, 30_000);
    allowed = 1000;
    await waitFor('the rest', async () => (await status(rig)).remaining === 0, 30_000);
    for (const { at } of made) expect((await acme.rs.get(at)).status).toBe(200);
  }, 90_000);

  test('replaces no key by another one where whoever answers mixes up answers', async () => {
    const sound = createLocalKeys([NEXT, FORMER]);
    const mixedUp = { wrapped: 0, unwrapped: 0 };
    const fresh = newDataKey();
    let isMixing = false;
    const mixing: KeyService = {
      ...sound,
      wrap: async (keyId, key, context) => {
        const isMixed = isMixing && !context.startsWith('secret') && mixedUp.wrapped++ === 0;
        return sound.wrap(keyId, isMixed ? fresh : key, context);
      },
      unwrap: async (keyId, wrapped, context) => {
        const isMixed = isMixing && keyId === localKeyId(FORMER) && mixedUp.unwrapped++ === 4;
        return isMixed ? fresh : sound.unwrap(keyId, wrapped, context);
      },
    };
    const rig = await owned(startRig({ more: { masterKey: FORMER, keyService: mixing } }));
    const acme = await rig.tenant();
    await times(5, () => created(acme.rs));
    const identityKeys = rig.keys.collection<{ _id: string; wrapped: string }>('identityKeys');
    const before = new Map<string, Buffer>();
    for (const { _id } of await records(rig)) {
      before.set(_id, newDataKey());
      const wrapped = await sound.wrap(localKeyId(FORMER), before.get(_id)!, _id);
      await identityKeys.updateOne({ _id }, { $set: { wrapped, keyId: localKeyId(NEXT) } });
    }
    isMixing = true;
    await identityKeys.updateMany({}, { $set: { keyId: localKeyId(FORMER) } });
    await waitFor('everything to be wrapped anew', async () => (await status(rig)).remaining === 0, 30_000);
    for (const { _id, wrapped } of await records(rig))
      expect((await sound.unwrap(localKeyId(NEXT), wrapped, _id)).equals(before.get(_id)!)).toBe(true);
    expect(mixedUp.unwrapped).toBeGreaterThan(5);
  }, 60_000);

  test('continues with the others if a former key is unavailable', async () => {
    const rig = await owned(startRig({ more: { masterKey: FORMER, keyService: createLocalKeys([NEXT, FORMER]) } }));
    const acme = await rig.tenant();
    const identityKeys = rig.keys.collection<{ _id: string }>('identityKeys');
    const [lost, ...others] = await times(5, () => created(acme.rs));
    await identityKeys.updateOne({ _id: lost!.id }, { $set: { keyId: 'kms:deleted' } });
    await identityKeys.updateMany({ _id: { $ne: lost!.id } }, { $set: { keyId: localKeyId(FORMER) } });
    const wrapped = createLocalKeys([FORMER]);
    for (const { id } of others) {
      const fresh = await wrapped.wrap(localKeyId(FORMER), newDataKey(), id);
      await identityKeys.updateOne({ _id: id }, { $set: { wrapped: fresh } });
    }
    await waitFor('the others', async () => (await status(rig)).remaining === 1, 30_000);
    const counts = (await status(rig)).keys;
    expect(counts).toContainEqual({ keyId: 'kms:deleted', wraps: 1 });
    expect(counts).toContainEqual({ keyId: localKeyId(NEXT), wraps: 5 });
    expect([...watchedReadiness()].filter(([, ready]) => ready !== true)).toEqual([]);
  }, 60_000);

  test('a lost key stops the end of no other identity, and that of its own no longer than its notices', async () => {
    const rig = await owned(startRig());
    const acme = await rig.tenant();
    const identities = rig.stores.identities.model.collection;
    const stateOf = async (id: string) => (await identities.findOne({ _id: id } as never))?.state;
    const expire = (id: string) => identities.updateOne({ _id: id } as never, { $set: { expiresAt: new Date(0) } });
    const withBusinessId = async () => (await acme.rs.post('/svc/v1/identities', { businessId: 'B-1' })).body.id;
    const lost: string[] = await times(3, withBusinessId);
    const other: string = await withBusinessId();
    await rig.keys
      .collection<{ _id: string }>('identityKeys')
      .updateMany({ _id: { $in: lost } }, { $set: { keyId: 'kms:deleted' } });
    for (const id of lost) await expire(id);
    await waitFor('the closing to begin', async () => (await stateOf(lost[0]!)) === 'CLOSING');
    await identities.updateMany({ _id: { $in: lost } } as never, {
      $set: { state: 'CLOSING', closing: { reason: 'TIMEOUT', since: new Date(Date.now() - 60_000) } },
    });
    await expire(other);
    await waitFor('the end of the other', async () => (await stateOf(other)) === 'CLOSED');
    expect(await stateOf(lost[0]!)).toBe('CLOSING');

    const dayAgo = new Date(Date.now() - 24 * 3600_000);
    await identities.updateMany({ _id: { $in: lost } } as never, { $set: { 'closing.since': dayAgo } });
    for (const id of lost) await waitFor('its end', async () => (await stateOf(id)) === 'CLOSED', 30_000);
    expect((await records(rig)).filter(({ _id }) => lost.includes(_id))).toEqual([]);
    expect([...watchedReadiness()].filter(([, ready]) => ready !== true)).toEqual([]);
  }, 90_000);

  test('includes what the gateway seals and hashes itself: a new MASTER_KEY opens and finds it', async () => {
    const keyService = createLocalKeys([NEXT, FORMER]);
    const rig = await owned(startRig({ more: { masterKey: FORMER, keyService } }));
    // Like an installation that had only MASTER_KEY.
    await rig.keys
      .collection('masterKeys')
      .updateOne({ _id: 'current' as never }, { $set: { keyId: localKeyId(FORMER) } });
    await waitFor('the former key to be in force', async () => (await status(rig)).remaining === 0, 30_000);
    const webhook = { url: 'https://example.org/hook', mode: 'HMAC', headerName: 'x-signature', secret: 's3cret' };
    const acme = await rig.tenant();
    const at = `/admin/v1/tenants/${acme.tenantId}`;
    expect((await rig.admin.patch(at, { settings: { webhook } })).status).toBe(200);
    const { body: identity } = await acme.rs.post('/svc/v1/identities', { businessId: 'B-17' });
    const ask = (baseUrl: string, path: string, body?: object) =>
      fetch(`${baseUrl}${path}`, {
        method: body ? (path === at ? 'PATCH' : 'POST') : 'GET',
        headers: { apikey: rig.administrator, 'content-type': 'application/json', 'idempotency-key': 'a-tenant' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      }).then(async (reply) => ({ status: reply.status, body: (await reply.json()) as Record<string, unknown> }));
    const made = await ask(rig.baseUrl, '/admin/v1/tenants', { name: 'Another' });

    expect((await rig.admin.post('/admin/v1/master-keys/rotations')).body).toMatchObject({ current: localKeyId(NEXT) });
    await waitFor('everything to be wrapped anew', async () => (await status(rig)).remaining === 0, 30_000);
    const fresh = newDataKey();
    const { baseUrl } = await owned(rig.another({ masterKey: fresh, keyService: createLocalKeys([NEXT, fresh]) }));

    expect((await ask(baseUrl, at, { settings: { webhook: { attempts: 5 } } })).status).toBe(200);
    expect(rig.asked.endpoints.at(-1)).toEqual({ ...webhook, attempts: 5 });
    const found = await ask(baseUrl, `${at}/identities?businessId=B-17`);
    expect(found).toMatchObject({ status: 200, body: { items: [{ identityId: identity.id }] } });
    expect(made.status).toBe(200);
    expect(await ask(baseUrl, '/admin/v1/tenants', { name: 'Another' })).toEqual(made);
  }, 60_000);

  test('needs another key, and an administrator', async () => {
    const rig = await owned(startRig());
    const acme = await rig.tenant();
    const refused = await rig.admin.post('/admin/v1/master-keys/rotations');
    expect(refused).toMatchObject({ status: 200, body: { rotated: false } });
    expect((await acme.rs.post('/admin/v1/master-keys/rotations')).status).toBe(403);
  }, 60_000);
});

describe('while the key management service is unavailable', () => {
  let kms: KeySimulator;
  afterEach(() => kms.stop());

  test('clients get 503 and nothing is lost; recently opened identities stay usable', async () => {
    kms = await startKmsSimulator('a-key');
    const keyService = createKmsKeys({
      ...{ endpoint: kms.url, region: 'eu-central-1', credentials: KMS_CREDENTIALS, keyIds: ['a-key'] },
      ...{ now: () => new Date(), log: quietLog },
    });
    const rig = await owned(startRig({ more: { keyService } }));
    const acme = await rig.tenant();
    const lately = await created(acme.rs);
    const sent = await acme.rs.post(`${lately.at}/addresses`, { city: 'UTOPIA', country: 'UTO' });
    expect(sent.status).toBe(200);
    const erased = await created(acme.rs);
    const another = await rig.another();
    closing.push(another);

    await kms.stop();
    expect((await acme.rs.get(lately.at)).status).toBe(200);
    const fresh = await acme.rs.post('/svc/v1/identities', {});
    expect(fresh).toMatchObject({ status: 503 });
    expect(fresh.headers.get('retry-after')).toBe('1');
    // The other gateway has never opened this identity's key.
    const elsewhere = (path: string, method = 'GET') =>
      fetch(`${another.baseUrl}${path}`, { method, headers: { apikey: acme.keys.rs } });
    expect((await elsewhere(lately.at)).status).toBe(503);
    // To erase takes no key.
    expect((await elsewhere(erased.at, 'DELETE')).status).toBe(200);
    expect((await elsewhere(erased.at, 'DELETE')).status).toBe(410);
    expect((await records(rig)).map(({ _id }) => _id)).toEqual([lately.id]);
    expect((await rig.admin.get('/admin/v1/doctor')).body.findings).toContainEqual(
      expect.objectContaining({ check: 'key-service', status: 'PROBLEM' }),
    );

    await kms.start();
    await waitFor('the other gateway', async () => (await elsewhere(lately.at)).status === 200);
    expect(await (await elsewhere(lately.at)).json()).toMatchObject({ addresses: [{ type: 'ADDRESS' }] });
    const { at } = await created(acme.rs);
    expect((await acme.rs.get(at)).status).toBe(200);
    expect((await acme.rs.delete(lately.at)).status).toBe(200);
  }, 90_000);
});
