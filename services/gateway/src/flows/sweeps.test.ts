import { formatDateTime, type TenantSettings } from '@assay/contracts';
import { connectMongo } from '@assay/mongo';
import { newId } from '@assay/runtime';
import { noticeKeyOf, openJson, sealingContext } from '@assay/sealing';
import { quietLog, testStack, waitFor } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Identity } from '../domain/identity.ts';
import { restoringIn } from '../store/restoring.ts';
import { requestCase } from '../testing/cases.ts';
import { created, type Rig, startRig } from '../testing/rig.ts';
import { createStrayKeys } from './stray-keys.ts';

let rig: Rig;
let acme: Awaited<ReturnType<Rig['tenant']>>;
beforeAll(async () => {
  rig = await startRig({ more: { publicUrl: 'https://assay.example', sweepEveryMs: 50 } });
  acme = await rig.tenant();
});
afterAll(() => rig.close());

const LONG_AGO = new Date(0);
const HOUR_MS = 3600_000;
const identities = () => rig.stores.identities.model.collection;
const adjudications = () => identities().conn.collection<{ _id: string }>('adjudications');

test('an identity that cannot be read does not stop the expiry, the codes and the closing of others', async () => {
  const unreadable = { tenantId: acme.tenantId, revision: 1, createdAt: LONG_AGO, expiresAt: LONG_AGO };
  await identities().insertMany(
    [
      { ...unreadable, state: 'OPEN' },
      { ...unreadable, state: 'OPEN', reservations: { 0: { leaseUntil: LONG_AGO } } },
      { ...unreadable, state: 'OPEN', otpDueAt: LONG_AGO },
      { ...unreadable, state: 'PROVING', proof: {} },
    ].map((document) => ({ _id: newId(), ...document })) as never[],
  );
  const { id, at } = await created(acme.rs);
  await identities().updateOne({ _id: id } as never, { $set: { expiresAt: LONG_AGO } });
  await waitFor('the expiry', async () => (await identities().findOne({ _id: id } as never))?.state === 'CLOSED');
  expect((await acme.rs.get(at)).status).toBe(410);
});

/** An identity whose person was sent a code. */
const withCode = async () => {
  const identity = await created(acme.rs);
  await acme.rs.post(`${identity.at}/consents`, [{ approved: true, type: 'EMAIL_OTP' }]);
  await acme.rs.post(`${identity.at}/contacts/email`, { value: `${identity.id}@example.org` });
  return identity;
};

/** An identity whose code expires while its proof is built or can still be retrieved. */
const provingWithDueCode = async (proof: object) => {
  const { id } = await withCode();
  const contacts = { 'contacts.0.otp.expiresAt': LONG_AGO, otpDueAt: LONG_AGO };
  const set = { state: 'PROVING', proof: { proofId: id, tenantRole: 'RELYING_SERVICE', ...proof }, ...contacts };
  await identities().updateOne({ _id: id } as never, { $set: set, $inc: { revision: 1 } });
  const read = async () => (await identities().findOne({ _id: id } as never)) as unknown as Identity;
  await waitFor('the code to end', async () => (await read()).contacts[0]?.otp.status === 'TIMEOUT');
  await rounds();
  return read();
};

test('a code that expires ends no build and no grace period early', async () => {
  const soon = new Date(Date.now() + HOUR_MS);
  const built = { bytes: 1, filename: 'x.zip', graceSeconds: 3600, graceUntil: soon };
  expect((await provingWithDueCode({ leaseUntil: LONG_AGO, built })).state).toBe('PROVING');
  expect((await provingWithDueCode({ leaseUntil: soon })).state).toBe('PROVING');
});

test('a closing is announced again with growing gaps until its tombstone is deleted', async () => {
  const { id, at } = await created(acme.rs);
  await acme.rs.delete(at);
  const closings = () =>
    rig.published.filter(({ type, identityId }) => type === 'identity.closed' && identityId === id);
  await waitFor('the closing', () => closings().length === 1);
  const gaps: number[] = [];
  for (const repeats of [1, 2, 3]) {
    await identities().updateOne({ _id: id } as never, { $set: { repeatAt: LONG_AGO } });
    await waitFor('the repetition', () => closings().length === 1 + repeats);
    await waitFor('the next time', async () => {
      const { repeatAt } = (await identities().findOne({ _id: id } as never)) as unknown as { repeatAt: Date };
      if (repeatAt.getTime() === 0) return false;
      gaps.push(repeatAt.getTime() - Date.now());
      return true;
    });
  }
  expect(gaps[0]).toBeLessThan(gaps[1] ?? 0);
  expect(gaps[1]).toBeLessThan(gaps[2] ?? 0);
  expect(new Set(closings().map(({ data }) => JSON.stringify(data))).size).toBe(1);
});

test('a key that was stored while the identity was being closed is destroyed when its closing is repeated', async () => {
  const { id, at } = await created(acme.rs);
  await acme.rs.delete(at);
  await waitFor('the closing', async () => (await identities().findOne({ _id: id } as never))?.state === 'CLOSED');
  await rig.stores.keys.create(id, acme.tenantId);
  await identities().updateOne({ _id: id } as never, { $set: { repeatAt: LONG_AGO } });
  await waitFor('its end', async () => (await rig.stores.keys.find(id)) === undefined);
});

test('only the key of an incomplete creation is destroyed after an hour', async () => {
  const { id } = await created(acme.rs);
  const keys = rig.keys.collection<{ _id: string; createdAt: Date }>('identityKeys');
  const [stray, young] = [newId(), newId()];
  const longAgo = new Date(Date.now() - 2 * 3_600_000);
  await keys.insertOne({ _id: young, createdAt: new Date() });
  await keys.updateOne({ _id: id }, { $set: { createdAt: longAgo } });
  await keys.insertOne({ _id: stray, createdAt: new Date(longAgo.getTime() + 1) });
  await waitFor('its end', async () => (await keys.findOne({ _id: stray })) === null);
  expect(await keys.countDocuments({ _id: { $in: [id, young] } })).toBe(2);
});

test('a key that was stored for an identity after its closing is destroyed after an hour', async () => {
  const { id, at } = await created(acme.rs);
  expect((await acme.rs.delete(at)).status).toBe(200);
  const keys = rig.keys.collection<{ _id: string; createdAt: Date }>('identityKeys');
  await keys.insertOne({ _id: id, createdAt: new Date(Date.now() - 100 * 60_000) });
  await waitFor('its end', async () => (await keys.findOne({ _id: id })) === null);
});

test('no key is destroyed while a restore has not ended, and no gateway starts', async () => {
  const keys = rig.keys.collection<{ _id: string; createdAt: Date }>('identityKeys');
  const restoring = rig.keys.collection<{ _id: string }>('restoring');
  await restoring.insertOne({ _id: 'restore' });
  const stray = newId();
  await keys.insertOne({ _id: stray, createdAt: new Date(Date.now() - 95 * 60_000) });
  await createStrayKeys({ ...rig.stores, now: () => new Date(), log: quietLog })();
  expect(await keys.countDocuments({ _id: stray })).toBe(1);
  const database = await connectMongo(testStack().mongoUrl, rig.keys.name, quietLog);
  await expect(restoringIn(database)).rejects.toThrow('repeat it before the gateway starts');
  await database.close();
  await restoring.deleteMany({});
  await waitFor('its end', async () => (await keys.findOne({ _id: stray })) === null);
});

test('of many keys made in one millisecond, no round misses one', async () => {
  const keys = rig.keys.collection<{ _id: string; createdAt: Date }>('identityKeys');
  const createdAt = new Date(Date.now() - 90 * 60_000);
  // In order, because a round may see only the first of them.
  const ids = Array.from({ length: 1100 }, () => newId()).sort();
  const strays = ids.map((_id) => ({ _id, createdAt }));
  await keys.insertMany(strays);
  await waitFor('their end', async () => (await keys.countDocuments({ createdAt })) === 0, 150_000);
}, 180_000);

test('a case that cannot be read does not stop the expiry of others, and each expiry leaves one audit entry', async () => {
  const waiting = { tenantId: acme.tenantId, state: 'OPEN', expiresAt: LONG_AGO, revision: 0 };
  const [unreadable, readable] = [newId(), newId()];
  const [identityId, evidenceId] = [newId(), newId()];
  await adjudications().insertMany([
    { _id: unreadable, identityId, ...waiting },
    { _id: readable, identityId, evidenceId, ...waiting, decisions: [] },
  ] as never[]);
  const recorded = { _id: readable, state: 'DECIDED', expiryUnrecorded: { $exists: false } };
  await waitFor('the expiry', async () => (await adjudications().findOne(recorded as object)) !== null);
  const lines = await rig.stores.audit.list(acme.tenantId, 0, 100);
  const subject = { caseId: readable, identityId, evidenceId };
  expect(lines.filter(({ content }) => content?.act === 'case.expire')).toMatchObject([
    { content: { actor: { keyId: 'gateway', role: 'SUITE' }, subject, details: { decisions: 0 } } },
  ]);
});

const reports = (caseId: string) =>
  rig.published.filter(({ type, data }) => type === 'adjudication.waiting' && data.caseId === caseId);

/** A case that has waited for this time, of a new tenant with these settings. */
const waitingCase = async (adjudication: TenantSettings['adjudication'], waitedMs: number) => {
  const tenant = await rig.tenant({ adjudication: { enabled: true, ...adjudication } });
  const { body } = await tenant.rs.post('/svc/v1/identities', [{ key: 'BUSINESS_ID', value: 'order 4711' }]);
  const requestedAt = formatDateTime(new Date(Date.now() - waitedMs));
  const identityId: string = body.id;
  const asked = await requestCase(rig, { tenantId: tenant.tenantId, identityId }, { requestedAt });
  return { ...tenant, ...asked, requestedAt, identityId };
};

const rounds = async (): Promise<void> => {
  const late = await waitingCase({ noticeWebhook: true, noticeAfterSeconds: 60 }, HOUR_MS);
  await waitFor('another case to be reported', () => reports(late.caseId).length === 1);
};

test('a case is reported once, as its tenant wants it, with its personal data sealed', async () => {
  // Given a tenant that wants a webhook and a mail after an hour, and a second gateway that sweeps
  // too
  const replica = await rig.another({ starts: true });
  const settings = { noticeWebhook: true, noticeEmail: 'desk@acme.example', noticeAfterSeconds: 3600 };
  // When a case has waited for two hours
  const { tenantId, identityId, caseId, requestedAt } = await waitingCase(settings, 2 * HOUR_MS);
  const [report] = await waitFor('the report', () => reports(caseId).length > 0 && reports(caseId));
  // Then it is reported, with the address and the business id sealed for the notifier
  expect(report?.data).toMatchObject({
    webhook: true,
    requestedAt,
    type: 'PASSPORT',
    url: `https://assay.example/console/#/cases/${caseId}`,
  });
  const key = noticeKeyOf((await rig.stores.keys.find(identityId))!);
  const opened = (purpose: 'message' | 'business-id', sealed: unknown) =>
    openJson<string>(key, sealingContext(tenantId, identityId, purpose), String(sealed));
  expect(opened('message', report?.data.sealedMail)).toBe('desk@acme.example');
  expect(opened('business-id', report?.data.sealedBusinessId)).toBe('order 4711');
  expect(JSON.stringify(report)).not.toMatch(/desk@acme|4711/);
  // And it is not reported again, in any round of either gateway
  await rounds();
  expect(reports(caseId)).toHaveLength(1);
  await replica.close();
});

test('what is due is done once by two gateways that sweep at the same time', async () => {
  // Given a second gateway, and identities whose lifetime, grace period, code or interrupted
  // closing is due at one moment
  const replica = await rig.another({ starts: true });
  const expired = await Promise.all(Array.from({ length: 24 }, () => created(acme.rs)));
  const retrieved = await Promise.all(Array.from({ length: 8 }, () => created(acme.rs)));
  const brokenOff = await Promise.all(Array.from({ length: 24 }, () => created(acme.rs)));
  const coded = await Promise.all(Array.from({ length: 8 }, () => withCode()));
  const withIds = (some: readonly { id: string }[]) => ({ _id: { $in: some.map(({ id }) => id) } }) as never;
  const built = { bytes: 1, filename: 'x.zip', graceSeconds: 0, graceUntil: LONG_AGO };
  const proof = { proofId: newId(), tenantRole: 'RELYING_SERVICE', leaseUntil: LONG_AGO, built };
  const revisions = async (): Promise<number[]> => {
    const found = await identities().find(withIds(coded)).sort({ _id: 1 }).toArray();
    return found.map(({ revision }) => revision as number);
  };
  const before = await revisions();
  await Promise.all([
    identities().updateMany(withIds(expired), { $set: { expiresAt: LONG_AGO } }),
    identities().updateMany(withIds(retrieved), { $set: { state: 'PROVING', proof } }),
    identities().updateMany(withIds(brokenOff), {
      $set: { state: 'CLOSING', closing: { reason: 'TIMEOUT', since: LONG_AGO } },
    }),
    identities().updateMany(withIds(coded), { $set: { 'contacts.0.otp.expiresAt': LONG_AGO, otpDueAt: LONG_AGO } }),
  ]);
  // When both have swept
  const ended = [...expired, ...retrieved, ...brokenOff];
  const left = async () =>
    (await identities().countDocuments({ ...(withIds(ended) as object), state: { $ne: 'CLOSED' } })) +
    (await identities().countDocuments({ ...(withIds(coded) as object), 'contacts.0.otp.status': { $ne: 'TIMEOUT' } }));
  await waitFor('everything due', async () => (await left()) === 0, 60_000);
  await rounds();
  // Then each was closed once, with one audit entry, and each code ended once
  const eventsOf = (type: string, { id }: { id: string }) =>
    new Set(rig.published.filter((event) => event.type === type && event.identityId === id).map((event) => event.id));
  expect(ended.map((one) => eventsOf('identity.closed', one).size)).toEqual(ended.map(() => 1));
  const lines = await rig.stores.audit.list(acme.tenantId, 0, 1000);
  const closed = lines.flatMap(({ content }) =>
    content?.act === 'identity.closed' ? [content.subject.identityId] : [],
  );
  expect(ended.map(({ id }) => closed.filter((identityId) => identityId === id).length)).toEqual(ended.map(() => 1));
  expect(await revisions()).toEqual(before.map((revision) => revision + 1));
  await replica.close();
}, 120_000);

test('a case is not reported before its time, after its decision, or to a tenant without webhook and mail', async () => {
  const early = await waitingCase({ noticeWebhook: true }, 3 * HOUR_MS);
  const unasked = await waitingCase({}, 20 * HOUR_MS);
  const decided = await waitingCase({ noticeWebhook: true, noticeAfterSeconds: 7200 }, HOUR_MS);
  await decided.op.post(`${decided.path}/claim`);
  await decided.op.post(`${decided.path}/decision`, { decision: 'ACCEPT' });
  await adjudications().updateOne({ _id: decided.caseId }, { $set: { noticeAt: LONG_AGO } });
  await rounds();
  for (const { caseId } of [early, unasked, decided]) expect(reports(caseId)).toEqual([]);
  // The default is four hours: a sweep after that finds it due.
  const { noticeAt } = (await adjudications().findOne({ _id: early.caseId })) as unknown as { noticeAt: Date };
  expect(noticeAt.getTime()).toBe(Date.parse(`${early.requestedAt}Z`) + 4 * HOUR_MS);
});

test('a case whose identity has lost its key is not reported, and is no longer due', async () => {
  const { caseId, identityId } = await waitingCase({ noticeWebhook: true, noticeAfterSeconds: 7200 }, HOUR_MS);
  await rig.keys.collection<{ _id: string }>('identityKeys').deleteOne({ _id: identityId });
  await adjudications().updateOne({ _id: caseId }, { $set: { noticeAt: LONG_AGO } });
  await waitFor(
    'its mark to go',
    async () => (await adjudications().findOne({ _id: caseId, noticeAt: { $exists: true } })) === null,
  );
  expect(reports(caseId)).toEqual([]);
});

test('a setting that is no mail address is refused, and the error names it', async () => {
  const { tenantId } = await rig.tenant();
  const refused = await rig.admin.patch(`/admin/v1/tenants/${tenantId}`, {
    settings: { adjudication: { noticeEmail: 'desk' } },
  });
  expect([refused.status, refused.body.errors[0].field]).toEqual([400, 'settings.adjudication.noticeEmail']);
});
