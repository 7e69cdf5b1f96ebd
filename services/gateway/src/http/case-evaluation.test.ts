import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { created, type Rig, startRig } from '../testing/rig.ts';

let rig: Rig;
let acme: Awaited<ReturnType<Rig['tenant']>>;
beforeAll(async () => {
  rig = await startRig();
  acme = await rig.tenant({ policy: 'strict' });
});
afterAll(() => rig.close());

const set = (identityId: string, fields: object) =>
  rig.stores.identities.model.updateOne({ _id: identityId }, { $set: fields });
const ago = (seconds: number): Date => new Date(Date.now() - seconds * 1000);
const actsOn = async (identityId: string): Promise<string[]> => {
  const entries = await rig.stores.audit.ofIdentity(acme.tenantId, identityId);
  return entries.map(({ content }) => content?.act ?? '').reverse();
};

describe('what another policy would make of an identity', () => {
  const wish = { policy: 'default' };
  const at = (base: string, identityId: string): string => `/${base}/v1/identities/${identityId}/evaluation`;

  test('is answered to administrators and to operators of its tenant, and to nobody else', async () => {
    const { id } = await created(acme.rs);
    for (const [api, base] of [
      [rig.admin, 'admin'],
      [acme.op, 'operator'],
    ] as const)
      expect(await api.post(at(base, id), wish)).toMatchObject({ status: 200, body: { before: acme.tenantId } });
    const other = await rig.tenant();
    expect((await other.op.post(at('operator', id), wish)).status).toBe(404);
    expect((await acme.rs.post(at('operator', id), wish)).status).toBe(403);
  });

  test('is not answered of an identity that its clients find no more', async () => {
    const { id, at: path } = await created(acme.rs);
    await set(id, { state: 'CLOSED', closedAt: ago(60), answersUntil: ago(1), forgetAt: ago(-3600) });
    expect((await acme.rs.get(path)).status).toBe(404);
    const administrators = `/admin/v1/identities/${id}`;
    expect((await rig.admin.post(`${administrators}/evaluation`, wish)).status).toBe(404);
    expect((await rig.admin.get(`${administrators}/explanation`)).status).toBe(404);
    expect((await rig.admin.post(`${administrators}/re-evaluation`, {})).status).toBe(404);
    expect((await acme.op.post(at('operator', id), wish)).status).toBe(404);
    expect(await actsOn(id)).toEqual([]);
  });
});

describe('a re-evaluation on purpose', () => {
  const again = (id: string, body: object) => rig.admin.post(`/admin/v1/identities/${id}/re-evaluation`, body);

  test("goes by the policy that is named, else by the tenant's present one, and leaves a line in the audit log", async () => {
    const { id } = await created(acme.rs);
    expect((await again(id, { policy: 'default' })).body.policy.name).toBe('default');
    expect((await again(id, {})).body.policy.name).toBe('strict');
    expect(await actsOn(id)).toEqual(['identity.re-evaluate', 'identity.re-evaluate']);
  });

  test.each([
    ['PAUSED', 200],
    ['ERROR', 409],
    ['PROVING', 409],
    ['CLOSED', 410],
  ] as const)('of an identity that is %s: %i', async (state, status) => {
    const { id } = await created(acme.rs);
    await set(id, { state, proof: { leaseUntil: ago(-3600) }, revision: 1 });
    expect((await again(id, {})).status).toBe(status);
    const refused = status === 200 ? [] : ['act.refused'];
    expect(await actsOn(id)).toEqual(['identity.re-evaluate', ...refused]);
  });
});
