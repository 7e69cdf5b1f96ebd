import { newId } from '@assay/runtime';
import { waitFor } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { created, type Rig, startRig } from '../testing/rig.ts';

let rig: Rig;
let acme: Awaited<ReturnType<Rig['tenant']>>;
beforeAll(async () => {
  rig = await startRig();
  acme = await rig.tenant();
});
afterAll(() => rig.close());

const LONG_AGO = new Date(0);
const identities = () => rig.stores.identities.model.collection;
const adjudications = () => identities().conn.collection<{ _id: string }>('adjudications');

test('an identity that cannot be read stops the expiry, the codes and the closing of no other', async () => {
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

test('a closing is announced again until its tombstone is forgotten, with growing gaps', async () => {
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

test('the key of a creation that broke off is destroyed after an hour; no other is', async () => {
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

test('a case that cannot be read stops the expiry of no other', async () => {
  const waiting = { tenantId: acme.tenantId, state: 'OPEN', expiresAt: LONG_AGO, revision: 0 };
  const [unreadable, readable] = [newId(), newId()];
  const identityId = newId();
  await adjudications().insertMany([
    { _id: unreadable, identityId, ...waiting },
    { _id: readable, identityId, evidenceId: newId(), ...waiting, decisions: [] },
  ] as never[]);
  await waitFor(
    'the expiry',
    async () => ((await adjudications().findOne({ _id: readable })) as { state?: string } | null)?.state === 'DECIDED',
  );
});
