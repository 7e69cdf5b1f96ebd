import { formatDateTime } from '@assay/contracts';
import { newId } from '@assay/runtime';
import { sealingContext, sealJson } from '@assay/sealing';
import { waitFor } from '@assay/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Identity } from '../domain/identity.ts';
import { requestCase } from '../testing/cases.ts';
import { type Rig, startRig } from '../testing/rig.ts';

let rig: Rig;
let acme: Awaited<ReturnType<Rig['tenant']>>;
beforeAll(async () => {
  rig = await startRig();
  acme = await rig.tenant({ adjudication: { enabled: true }, pauseResume: { enabled: true } });
});
afterAll(() => rig.close());

const begun = async ({ rs, tenantId } = acme) => {
  const { body } = await rs.post('/svc/v1/identities', [{ key: 'BUSINESS_ID', value: 'order 4711' }]);
  return { identityId: String(body.id), at: `/svc/v1/identities/${body.id}`, tenantId };
};
const pause = (identityId: string) =>
  rig.stores.identities.model.collection.updateOne({ _id: identityId } as never, {
    $set: { state: 'PAUSED' },
    $inc: { revision: 1 },
  });
const stateOf = async (identityId: string) =>
  ((await rig.stores.identities.read(identityId)) as Identity | null)?.state;
const decide = async (path: string, decision: object, { op } = acme) => {
  await op.post(`${path}/claim`);
  return op.post(`${path}/decision`, decision);
};
const decisionsOf = (identityId: string) =>
  rig.published.filter((event) => event.type === 'adjudication.decided' && event.identityId === identityId);

describe('a case', () => {
  test('shows its operator what was read and the name that the client uses for the person, decrypted for this answer alone', async () => {
    const identity = await begun();
    const key = (await rig.stores.keys.find(identity.identityId))!;
    const context = sealingContext(acme.tenantId, identity.identityId, 'fields');
    const { path, caseId } = await requestCase(rig, identity, {
      sealedFields: sealJson(key, context, { surname: 'SMITH' }),
    });
    expect((await acme.op.get(path)).body).toMatchObject({ fields: { surname: 'SMITH' }, businessId: 'order 4711' });
    const { body } = await decide(path, { decision: 'REJECT', reasons: ['PAPER_COPY'], comment: 'a copy of SMITH' });
    expect(body.decisions).toMatchObject([{ decision: 'REJECT', comment: 'a copy of SMITH' }]);
    const stored = await rig.stores.adjudications.find(acme.tenantId, caseId);
    expect(JSON.stringify([stored, decisionsOf(identity.identityId)])).not.toContain('SMITH');
  });

  test.each([false, true])(
    'that was decided, but not answered, is answered when the request is repeated under its key; four eyes: %s',
    async (fourEyes) => {
      const identity = await begun();
      const { path, caseId } = await requestCase(rig, identity, { fourEyes });
      await acme.op.post(`${path}/claim`);
      const cases = rig.stores.identities.model.db.collection<{ _id: string }>('adjudications');
      // What was read cannot be opened, so the decision is stored and its answer fails.
      await cases.updateOne({ _id: caseId }, { $set: { sealedFields: 'no seal' } });
      const send = (more: object, headers: Record<string, string>) =>
        acme.op.post(`${path}/decision`, { decision: 'REJECT', reasons: ['PAPER_COPY'], ...more }, headers);
      const key = { 'idempotency-key': newId() };
      expect((await send({}, key)).status).toBe(500);
      await cases.updateOne({ _id: caseId }, { $unset: { sealedFields: 1 } });
      expect((await send({ reasons: ['COMPUTER_SCREEN_PHOTO'] }, key)).status).toBe(409);
      const again = await send({}, key);
      expect([again.status, again.body.decisions]).toMatchObject([200, [{ decision: 'REJECT' }]]);
      expect((await send({}, key)).body).toEqual(again.body);
      expect((await send({}, {})).status).toBe(409);
      expect((await acme.op.get(path)).body.decisions).toHaveLength(1);
    },
  );

  test('of another tenant is not found, by any call', async () => {
    const { path } = await requestCase(rig, await begun());
    const other = await rig.tenant({ adjudication: { enabled: true } });
    const answers = [
      await other.op.get(path),
      await other.op.post(`${path}/claim`),
      await other.op.post(`${path}/decision`, { decision: 'ACCEPT' }),
      await other.op.get(`${path}/media/${newId()}`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  });

  test('shows its own images, and no others', async () => {
    const mediaId = newId();
    const { path } = await requestCase(rig, await begun(), { media: [{ mediaId, label: 'FRONT' }] });
    expect((await acme.op.get(`${path}/media/${mediaId}`)).bytes.toString()).toBe('bytes');
    expect((await acme.op.get(`${path}/media/${newId()}`)).status).toBe(404);
  });

  test('whose identity has lost its key is not decided, and shows nothing that was read', async () => {
    const identity = await begun();
    const mediaId = newId();
    const { path } = await requestCase(rig, identity, { media: [{ mediaId, label: 'FRONT' }] });
    await acme.op.post(`${path}/claim`);
    await rig.keys.collection<{ _id: string }>('identityKeys').deleteOne({ _id: identity.identityId });
    await waitFor('the key to be forgotten', async () => {
      const { status } = await acme.op.post(`${path}/decision`, { decision: 'ACCEPT' });
      return status === 410;
    });
    expect((await acme.op.get(`${path}/media/${mediaId}`)).status).toBe(410);
    expect((await acme.op.get(path)).body).toMatchObject({ fields: {}, state: 'CLAIMED' });
    expect(decisionsOf(identity.identityId)).toEqual([]);
  });
});

describe('a decision', () => {
  test("is the deciding operator's, whatever else the request says", async () => {
    const identity = await begun();
    const { path, caseId } = await requestCase(rig, identity, { fourEyes: true });
    const more = { operatorId: 'somebody else', sealedComment: 'x', startTime: 'never', foo: 'bar' };
    expect((await decide(path, { decision: 'ACCEPT', ...more })).status).toBe(200);
    const stored = await rig.stores.adjudications.find(acme.tenantId, caseId);
    expect(stored?.decisions.map((one) => Object.keys(one).sort())).toEqual([
      ['decision', 'endTime', 'operatorId', 'reasons', 'startTime'],
    ]);
    const { operatorId } = (await acme.op.get('/operator/v1/me')).body;
    expect(stored?.decisions[0]?.operatorId).toBe(operatorId);
    expect((await acme.op.get(path)).status).toBe(200);
  });

  test('resumes a paused identity with a new lifetime; a refused one does not', async () => {
    const identity = await begun();
    const { path } = await requestCase(rig, identity);
    await pause(identity.identityId);
    expect((await decide(path, { decision: 'REJECT' })).status).toBe(400);
    expect(await stateOf(identity.identityId)).toBe('PAUSED');
    expect((await decide(path, { decision: 'ACCEPT' })).status).toBe(200);
    expect(await stateOf(identity.identityId)).toBe('OPEN');
    await waitFor('its publication', () => decisionsOf(identity.identityId).length === 1);
  });

  test('is not stored where the identity cannot be resumed, and can be repeated', async () => {
    const tenant = await rig.tenant({ adjudication: { enabled: true }, pauseResume: { enabled: true } });
    const identity = await begun(tenant);
    const { path, caseId } = await requestCase(rig, identity);
    await pause(identity.identityId);
    // The database refuses the change: another identity is OPEN, and only one may be.
    await begun(tenant);
    const { collection } = rig.stores.identities.model;
    const open = { state: 'OPEN', tenantId: tenant.tenantId };
    await collection.createIndex({ tenantId: 1 }, { unique: true, name: 'one', partialFilterExpression: open });
    expect((await decide(path, { decision: 'ACCEPT' }, tenant)).status).toBeGreaterThanOrEqual(500);
    await collection.dropIndex('one');
    expect((await rig.stores.adjudications.find(tenant.tenantId, caseId))?.decisions).toEqual([]);
    expect((await decide(path, { decision: 'ACCEPT' }, tenant)).status).toBe(200);
    expect(await stateOf(identity.identityId)).toBe('OPEN');
  });

  test('of the first of two operators resumes as well, and is published once the second has decided', async () => {
    const identity = await begun();
    const { path } = await requestCase(rig, identity, { fourEyes: true });
    await pause(identity.identityId);
    await decide(path, { decision: 'ACCEPT' });
    expect(await stateOf(identity.identityId)).toBe('OPEN');
    const { apiKey } = await rig.stores.apiKeys.create({ tenantId: acme.tenantId, role: 'OPERATOR' });
    const second = { apikey: apiKey };
    await acme.op.post(`${path}/claim`, undefined, second);
    const { body } = await acme.op.post(`${path}/decision`, { decision: 'ACCEPT' }, second);
    expect(body.state).toBe('DECIDED');
    const [decided] = await waitFor('its publication', () => {
      const decisions = decisionsOf(identity.identityId);
      return decisions.length > 0 && decisions;
    });
    expect(decided?.data).toMatchObject({ decision: 'ACCEPT', evidenceId: expect.any(String) });
  });

  test('is too late if the evidence was deleted, and the case shows that', async () => {
    const identity = await begun();
    const { path, caseId } = await requestCase(rig, identity);
    await acme.op.post(`${path}/claim`);
    await acme.rs.delete(identity.at);
    await waitFor(
      'the end of the case',
      async () => (await rig.stores.adjudications.find(acme.tenantId, caseId))?.closedBecause === 'IDENTITY_CLOSED',
    );
    expect((await acme.op.post(`${path}/decision`, { decision: 'ACCEPT' })).status).toBeGreaterThanOrEqual(409);
    expect(decisionsOf(identity.identityId)).toEqual([]);
  });
});

test('of more cases than the statistics count, the newest are counted', async () => {
  const { tenantId, op } = await rig.tenant({ adjudication: { enabled: true } });
  const timeOf = (daysAgo: number): string => formatDateTime(new Date(Date.now() - daysAgo * 24 * 3600_000));
  const aCase = (requestedAt: string) => ({
    _id: newId(),
    tenantId,
    state: 'OPEN',
    requestedAt,
    reasons: [],
    decisions: [],
  });
  const cases = [...Array.from({ length: 20_000 }, () => aCase(timeOf(20))), ...[1, 2, 3].map(() => aCase(timeOf(0)))];
  await rig.stores.identities.model.db.collection<{ _id: string }>('adjudications').insertMany(cases);
  const { body } = await op.get('/operator/v1/statistics');
  expect([body.open, body.days.at(-1).opened]).toEqual([20_003, 3]);
}, 60_000);
