import { waitFor } from '@assay/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { created, type Rig, startRig } from '../testing/rig.ts';

let rig: Rig;
let acme: Awaited<ReturnType<Rig['tenant']>>;
beforeAll(async () => {
  rig = await startRig();
  acme = await rig.tenant();
});
afterAll(() => rig.close());

describe('the deletion receipt', () => {
  test('given an open identity, then there is none yet', async () => {
    const { at } = await created(acme.rs);
    expect((await acme.rs.get(`${at}/deletion-receipt`)).status).toBe(409);
  });

  test('given a deleted identity, then it has time and reason, stays the same, and names no person', async () => {
    const { body: begun } = await acme.rs.post('/svc/v1/identities', [
      { key: 'BUSINESS_ID', value: 'ann@example.org' },
    ]);
    const at = `/svc/v1/identities/${begun.id}`;
    expect((await acme.rs.delete(at)).status).toBe(200);
    const first = await waitFor('the receipt', async () => {
      const answer = await acme.rs.get(`${at}/deletion-receipt`);
      return answer.status === 200 && answer;
    });
    expect(first.body).toMatchObject({
      identityId: begun.id,
      tenantId: acme.tenantId,
      keyDestroyed: true,
      receipt: { jws: expect.stringMatching(/^signed\./) },
    });
    expect((await acme.rs.get(`${at}/deletion-receipt`)).body).toEqual(first.body);
    expect(JSON.stringify(first.body)).not.toContain('ann@example.org');
    expect(await rig.stores.keys.find(begun.id)).toBeUndefined();
  });

  test('requested by many at once, then all of them get the same', async () => {
    const { at } = await created(acme.rs);
    await acme.rs.delete(at);
    await waitFor('the end', async () => (await acme.rs.get(`${at}/deletion-receipt`)).status === 200);
    const answers = await Promise.all(Array.from({ length: 6 }, () => acme.rs.get(`${at}/deletion-receipt`)));
    expect(new Set(answers.map(({ body }) => body.receipt.jws)).size).toBe(1);
  });

  test('of another tenant is not found', async () => {
    const { at } = await created(acme.rs);
    await acme.rs.delete(at);
    const other = await rig.tenant();
    expect((await other.rs.get(`${at}/deletion-receipt`)).status).toBe(404);
  });
});
