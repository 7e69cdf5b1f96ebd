import { newId } from '@assay/runtime';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Rig, startRig } from '../testing/rig.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.close());
beforeEach(() => {
  delete rig.asked.signingKeyRotations;
  delete rig.asked.rotationIds;
});

describe('the keys that sign proofs', () => {
  test('are listed, for administrators of the suite alone', async () => {
    expect(await rig.admin.get('/admin/v1/signing-keys')).toMatchObject({
      status: 200,
      body: { keys: [{ kid: 'k', signs: true }] },
    });
    const { rs } = await rig.tenant();
    expect((await rs.get('/admin/v1/signing-keys')).status).toBe(403);
    expect((await rs.post('/admin/v1/signing-keys/rotations')).status).toBe(403);
  });

  test('get a successor, which signs later or at once; the audit log names who made it', async () => {
    rig.asked.signingKeyRotations = [];
    for (const body of [undefined, {}, { atOnce: true }])
      expect(await rig.admin.post('/admin/v1/signing-keys/rotations', body)).toMatchObject({
        status: 200,
        body: { keys: [{ kid: 'next' }, { kid: 'k' }] },
      });
    expect(rig.asked.signingKeyRotations).toEqual([{}, {}, { atOnce: true }]);
    const { items } = (await rig.admin.get('/admin/v1/audit?act=signing-key.rotate')).body;
    expect(items).toHaveLength(3);
  });

  test('are made once by a rotation whose answer was lost: its repeat has the same id, another one has another', async () => {
    rig.asked.signingKeyRotations = [];
    const ids: (string | undefined)[] = [];
    rig.asked.rotationIds = ids;
    const rotate = (key: string) => rig.admin.post('/admin/v1/signing-keys/rotations', {}, { 'idempotency-key': key });
    const key = newId();
    expect((await rotate(key)).status).toBe(503);
    expect((await rotate(key)).status).toBe(200);
    expect((await rotate(newId())).status).toBe(200);
    expect(ids).toEqual([ids[0], ids[0], expect.not.stringMatching(ids[0]!)]);
    expect(ids[0]).toMatch(/^.{20,}$/);
  });

  test('are not made here if another party has them', async () => {
    expect(await rig.admin.post('/admin/v1/signing-keys/rotations', { atOnce: true })).toMatchObject({
      status: 409,
      body: { errors: [{ message: expect.stringContaining('another party holds the signing keys') }] },
    });
  });

  test.each([
    [{ atOnce: 'yes' }, 'atOnce'],
    [{ now: true }, 'now'],
  ])('are not made by %j: the error names the field', async (body, field) => {
    rig.asked.signingKeyRotations = [];
    const refused = await rig.admin.post('/admin/v1/signing-keys/rotations', body);
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).toContain(field);
    expect(rig.asked.signingKeyRotations).toEqual([]);
  });
});
