import { newId } from '@assay/runtime';
import { waitFor } from '@assay/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { effectiveSettings } from '../domain/settings.ts';
import { type Rig, startRig } from '../testing/rig.ts';
import type { Caller } from './caller.ts';
import { type CreateIdentity, createCreation } from './creation.ts';

let rig: Rig;
let tenantId: string;
let close: (identityId: string) => Promise<unknown>;
let retrieve: (identityId: string) => Promise<unknown>;
let create: CreateIdentity;
beforeAll(async () => {
  rig = await startRig();
  const acme = await rig.tenant();
  tenantId = acme.tenantId;
  close = (identityId) => acme.rs.delete(`/svc/v1/identities/${identityId}`);
  retrieve = (identityId) => acme.rs.get(`/svc/v1/identities/${identityId}/proof`);
  create = createCreation({ ...rig.stores, policyVersion: () => '1', now: () => new Date() });
});
afterAll(() => rig.close());

/** A request that takes itself for the first, or for the repetition of another. */
const request = async (seedId: string, isRepeated: boolean): Promise<Caller> => {
  const tenant = (await rig.stores.tenants.find(tenantId))!;
  return {
    ...{ keyId: newId(), role: 'RELYING_SERVICE', requestId: newId(), uri: '/svc/v1/identities', seedId },
    tenant: { ...tenant, effective: effectiveSettings(tenant.settings) },
    startedAt: new Date(),
    idempotency: { lockId: newId(), attempt: isRepeated ? 1 : 0 },
    atEnd: { checks: [], madeAt: new Date(), hasFailed: false },
    isCutOff: () => false,
  };
};
const keyOf = (identityId: string) => rig.stores.keys.find(identityId);
const previousProofIn = async (identityId: string) => {
  await retrieve(identityId);
  return rig.asked.proofs.find(({ identity }) => identity.globalStatus.id === identityId)?.previousProofId;
};

describe('the creation of an identity', () => {
  test('given a request that is overtaken by its repetition, then both answer with one identity, which has one key', async () => {
    const identityId = newId();
    const [late, repetition] = [await request(identityId, false), await request(identityId, true)];
    expect(await create(repetition, {})).toMatchObject({ status: 200, body: { id: identityId } });
    const key = await keyOf(identityId);
    expect(await create(late, {})).toMatchObject({ status: 200, body: { id: identityId } });
    expect(await keyOf(identityId)).toEqual(key);
  });

  test('given that the identity was closed meanwhile, then the late request leaves no key behind', async () => {
    const identityId = newId();
    const late = await request(identityId, false);
    await create(await request(identityId, true), {});
    await close(identityId);
    expect(await keyOf(identityId)).toBeUndefined();
    expect(await create(late, {})).toMatchObject({ status: 200 });
    expect(await keyOf(identityId)).toBeUndefined();
  });

  test('given that the repetition makes the identity under the key of the first, then both use that key', async () => {
    const identityId = newId();
    const { identities } = rig.stores;
    const overtaken = createCreation({
      ...rig.stores,
      policyVersion: () => '1',
      now: () => new Date(),
      identities: {
        ...identities,
        insert: async (...given) => {
          await create(await request(identityId, true), {});
          return identities.insert(...given);
        },
      },
    });
    expect(await overtaken(await request(identityId, false), {})).toMatchObject({ status: 200 });
    expect(await keyOf(identityId)).toHaveLength(32);
    expect(await identities.read(identityId)).toMatchObject({ state: 'OPEN' });
  });

  test('given that the first request broke off after it stored its key, then the repetition uses that key', async () => {
    const identityId = newId();
    const key = await rig.stores.keys.create(identityId, tenantId);
    expect(await create(await request(identityId, true), {})).toMatchObject({ status: 200 });
    expect(await keyOf(identityId)).toEqual(key);
    expect(await rig.stores.identities.read(identityId)).toMatchObject({ state: 'OPEN' });
  });

  test('given what a client calls the former proof, then it is stored and announced sealed, and reaches the next proof', async () => {
    const identityId = newId();
    const words = 'the proof of Ann Example';
    await create(await request(identityId, false), { context: [{ key: 'PREVIOUS_PROOF_ID', value: words }] });
    const stored = await rig.stores.identities.model.findById(identityId).lean();
    const announced = await waitFor('the announcement', () =>
      rig.published.find((event) => event.type === 'identity.created' && event.identityId === identityId),
    );
    expect(JSON.stringify([stored, announced])).not.toContain(words);
    expect(await previousProofIn(identityId)).toBe(words);
  });

  test('given an idempotency key, then the reply is in the identity for a repeat, sealed', async () => {
    const identityId = newId();
    await create(await request(identityId, false), {});
    const { markers } = (await rig.stores.identities.read(identityId))!;
    expect(markers).toEqual([{ lockId: expect.any(String), status: 200, sealedBody: expect.any(String) }]);
  });

  test('given an identity of a former release, then its former proof is read as that stored it', async () => {
    const identityId = newId();
    await create(await request(identityId, false), {});
    await rig.stores.identities.model.updateOne({ _id: identityId }, { $set: { previousProofId: 'proof-1' } });
    expect(await previousProofIn(identityId)).toBe('proof-1');
  });
});
