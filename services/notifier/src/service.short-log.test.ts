import { newId } from '@assay/runtime';
import { startWebhookReceiver, type WebhookReceiver, waitFor } from '@assay/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Rig, startRig } from './testing/rig.ts';

let rig: Rig;
let receiver: WebhookReceiver;
beforeAll(async () => {
  [rig, receiver] = [await startRig(), await startWebhookReceiver()];
});
afterAll(async () => {
  await rig.close();
  await receiver.close();
});

const setLog = (tenantId: string, seconds: number): Promise<unknown> =>
  rig.setEndpoint(tenantId, { url: receiver.url, mode: 'NONE' }, `?deliveryLogSeconds=${seconds}`);
/** A tenant of long standing whose log forgets a delivery after a second. */
const aTenant = async (): Promise<string> => {
  const tenantId = newId();
  await setLog(tenantId, 1);
  await rig.mongodb.connection
    .collection<{ _id: string }>('endpoints')
    .updateOne({ _id: tenantId }, { $set: { since: new Date(0) } });
  return tenantId;
};
const PAUSED = { identityStatus: 'PAUSED', completedAt: '2026-01-02T03:04:05.678', notify: true };
const idsOf = (identityId: string) =>
  receiver.received.filter(({ body }) => body.identityId === identityId).map(({ headers }) => headers['webhook-id']);

describe('a notification of a tenant with a short log of deliveries', () => {
  test('is sent although its message comes long after the log would have forgotten it', async () => {
    const [tenantId, identityId] = [await aTenant(), newId()];
    const at = new Date(Date.now() - 3_600_000).toISOString();
    const { id } = await rig.publish('identity.status-changed', tenantId, identityId, PAUSED, { at });
    await waitFor('the late one', () => idsOf(identityId).length > 0);
    expect(idsOf(identityId)).toEqual([id]);
  });

  test('is not sent again once the log has forgotten it, nor after a week', async () => {
    const [tenantId, identityId] = [await aTenant(), newId()];
    const publish = (more = {}) => rig.publish('identity.status-changed', tenantId, identityId, PAUSED, more);
    const first = await publish();
    const log = async () => (await rig.deliveries(tenantId, '&state=DELIVERED')).items;
    await waitFor('the outcome', async () => (await log()).length === 1);
    await rig.mongodb.connection.collection('deliveries').deleteMany({ tenantId });
    await rig.republish(first);
    await publish({ at: new Date(Date.now() - 8 * 24 * 3_600_000).toISOString() });
    const next = await publish();
    await waitFor('the next one', () => idsOf(identityId).includes(next.id));
    expect(idsOf(identityId)).toEqual([first.id, next.id]);
  });

  test('is not sent again where the tenant has set a longer log meanwhile', async () => {
    const [tenantId, identityId] = [await aTenant(), newId()];
    const publish = (more = {}) => rig.publish('identity.status-changed', tenantId, identityId, PAUSED, more);
    const first = await publish({ at: new Date(Date.now() - 600_000).toISOString() });
    const log = async () => (await rig.deliveries(tenantId, '&state=DELIVERED')).items;
    await waitFor('the outcome', async () => (await log()).length === 1);
    await rig.mongodb.connection.collection('deliveries').deleteMany({ tenantId });
    await setLog(tenantId, 30 * 24 * 3600);
    await rig.republish(first);
    const next = await publish();
    await waitFor('the next one', () => idsOf(identityId).includes(next.id));
    expect(idsOf(identityId)).toEqual([first.id, next.id]);
  });
});
