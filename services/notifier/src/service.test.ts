import { createHash, createHmac } from 'node:crypto';
import { matches, WaitingNotificationSchema } from '@assay/contracts';
import { newId } from '@assay/runtime';
import { startWebhookReceiver, type WebhookReceiver, waitFor } from '@assay/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Item, type Rig, startRig } from './testing/rig.ts';

let rig: Rig;
let receiver: WebhookReceiver;
beforeAll(async () => {
  rig = await startRig({ replicas: 2 });
});
afterAll(() => rig.close());
beforeEach(async () => {
  receiver = await startWebhookReceiver();
});
afterEach(() => receiver.close());

const aTenant = async (more = {}) => {
  const tenantId = newId();
  await rig.setEndpoint(tenantId, { url: receiver.url, mode: 'NONE', delaySeconds: 1, ...more });
  return tenantId;
};
const about = (identityId: string) => (webhook: { body: { identityId: string } }) =>
  webhook.body.identityId === identityId;
const inState = (tenantId: string, state: string): Promise<Item> =>
  waitFor(`a delivery ${state}`, async () => (await rig.deliveries(tenantId, `&state=${state}`)).items[0]);

describe('a notification', () => {
  test('has exactly the fields that apply, in the order of the specification', async () => {
    const tenantId = await aTenant();
    const plain = await rig.evaluation(tenantId);
    const first = await receiver.next('plain', about(plain.identityId));
    const { evidenceId } = (plain.data as { evidence: { evidenceId: string } }).evidence;
    expect(first.raw.toString()).toBe(
      `{"event":"Evaluation","identityId":"${plain.identityId}","identityStatus":"EXPECTING_INPUT","completedAt":"2026-01-02T03:04:05.678",` +
        `"evidence":{"evidenceId":"${evidenceId}","evidenceType":"PASSPORT","evidenceOperation":"CREATED"}}`,
    );
    expect(first.headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': plain.id });
    expect(Math.abs(Number(first.headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(10);
    const pausedId = newId();
    const paused = await rig.publish('identity.status-changed', tenantId, pausedId, {
      identityStatus: 'PAUSED',
      completedAt: '2026-01-02T03:04:05.678',
      expireAt: '2026-01-05T03:04:05.678',
      sealedBusinessId: rig.sealBusinessId(tenantId, pausedId, 'order 7'),
      notify: true,
    });
    expect((await receiver.next('paused', about(paused.identityId))).body).toEqual({
      event: 'IdentityStatusUpdate',
      identityId: paused.identityId,
      businessId: 'order 7',
      identityStatus: 'PAUSED',
      expireAt: '2026-01-05T03:04:05.678',
      completedAt: '2026-01-02T03:04:05.678',
    });
  });

  test('is not sent for events that concern no client, nor without an endpoint', async () => {
    const tenantId = await aTenant();
    const quiet = { identityStatus: 'EXPECTING_INPUT', completedAt: '2026-01-02T03:04:05.678', notify: false };
    await rig.publish('identity.status-changed', tenantId, newId(), quiet);
    const unknownTenant = newId();
    await rig.evaluation(unknownTenant);
    const loud = await rig.evaluation(tenantId);
    await receiver.next('the loud one', about(loud.identityId));
    expect(receiver.received).toHaveLength(1);
    expect((await rig.deliveries(unknownTenant)).items).toEqual([]);
  });

  test('is not sent for events from before the endpoint was set, however often they are republished', async () => {
    const tenantId = await aTenant();
    const status = { identityStatus: 'PAUSED', completedAt: '2026-01-02T03:04:05.678', notify: true };
    const long = new Date(Date.now() - 3_600_000).toISOString();
    await rig.publish('identity.status-changed', tenantId, newId(), status, { at: long });
    const fresh = await rig.publish('identity.status-changed', tenantId, newId(), status);
    await receiver.next('the fresh one', about(fresh.identityId));
    expect((await rig.deliveries(tenantId)).items).toHaveLength(1);
  });

  test('about a waiting case names it, once, to a tenant that wants that', async () => {
    const tenantId = await aTenant();
    await rig.waiting({ tenantId });
    const event = await rig.waiting({ tenantId, webhook: true });
    const { body, headers } = await receiver.next('the notice', about(event.identityId));
    const { caseId, evidenceId, requestedAt } = event.data as Record<string, string>;
    expect(body).toEqual({
      event: 'AdjudicationWaiting',
      identityId: event.identityId,
      businessId: 'BUSINESSCANARY',
      identityStatus: 'PROCESSING',
      evidence: { evidenceId, evidenceType: 'PASSPORT' },
      caseId,
      waitingSince: requestedAt,
    });
    expect(matches(WaitingNotificationSchema, body)).toBe(true);
    expect(headers['webhook-id']).toBe(event.id);
    await rig.republish(event);
    await rig.waiting({ tenantId, webhook: true });
    await waitFor('the next case', () => receiver.received.length === 2);
    expect((await rig.deliveries(tenantId)).items).toHaveLength(2);
  });

  test('is signed over the bytes sent, with the secret as UTF-8', async () => {
    const secret = 'clé secrète 鍵';
    const signed = await aTenant({ mode: 'HMAC', headerName: 'X-Signature', secret });
    const event = await rig.evaluation(signed);
    const webhook = await receiver.next('signed', about(event.identityId));
    const mac = createHmac('sha256', Buffer.from(secret, 'utf8')).update(webhook.raw).digest('base64');
    expect(webhook.headers['x-signature']).toBe(mac);
    const keyed = await aTenant({ mode: 'API_KEY', headerName: 'X-Key', secret });
    const other = await rig.evaluation(keyed);
    const header = (await receiver.next('keyed', about(other.identityId))).headers['x-key'];
    expect(Buffer.from(String(header), 'latin1').toString('utf8')).toBe(secret);
  });

  test('is sent once, however often its message comes and however many replicas receive it', async () => {
    const tenantId = await aTenant();
    const events = await Promise.all(Array.from({ length: 20 }, () => rig.evaluation(tenantId)));
    await Promise.all(events.flatMap((event) => [rig.republish(event), rig.republish(event)]));
    await waitFor('all', () => receiver.received.length >= 20);
    await waitFor('the log', async () => (await rig.deliveries(tenantId, '&state=DELIVERED')).items.length === 20);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(20);
    expect(receiver.received).toHaveLength(20);
  });

  test('follows the former one about the same identity', async () => {
    const tenantId = await aTenant();
    const identityId = newId();
    for (const evidenceOperation of ['CREATED', 'UPDATED', 'DELETED'])
      await rig.evaluation(tenantId, identityId, {
        evidence: { evidenceId: newId(), evidenceType: 'PORTRAIT', evidenceOperation },
      });
    await waitFor('all', () => receiver.received.length === 3);
    expect(receiver.received.map(({ body }) => body.evidence?.evidenceOperation)).toContain('DELETED');
  });
});

describe('a receiver that fails', () => {
  test('is tried again as configured, then the delivery is FAILED and can be resent', async () => {
    const tenantId = await aTenant({ attempts: 2 });
    receiver.answerWith(() => 500);
    const event = await rig.evaluation(tenantId);
    const failed = await inState(tenantId, 'FAILED');
    expect(failed).toMatchObject({
      deliveryId: event.id,
      webhookId: event.id,
      attempts: [{ statusCode: 500 }, { statusCode: 500 }],
    });
    const [first, second] = receiver.received;
    expect(second!.at - first!.at).toBeGreaterThanOrEqual(990);
    expect(await rig.endpoint(tenantId)).toMatchObject({ enabled: true, consecutiveFailures: 2, lastError: '500' });
    receiver.answerWith(() => 201);
    await rig.resend(tenantId, failed.deliveryId);
    expect(await inState(tenantId, 'DELIVERED')).toMatchObject({ attempts: [{}, {}, { statusCode: 201 }] });
    expect(new Set(receiver.received.map(({ raw, headers }) => `${headers['webhook-id']} ${raw}`)).size).toBe(1);
    const bodySha256 = createHash('sha256').update(first!.raw).digest('hex');
    const { attempts } = await inState(tenantId, 'DELIVERED');
    expect(attempts.map((attempt) => attempt.bodySha256)).toEqual([bodySha256, bodySha256, bodySha256]);
    await expect(rig.resend(newId(), failed.deliveryId)).rejects.toMatchObject({ status: 404 });
  });

  test('for too long is disabled; what failed meanwhile can be sent again from a time on, in order', async () => {
    const tenantId = await aTenant({ attempts: 1, disableAfterSeconds: 60 });
    receiver.answerWith(() => 500);
    const before = await rig.evaluation(tenantId);
    await inState(tenantId, 'FAILED');
    const since = new Date().toISOString().slice(0, 23);
    const endpoints = rig.mongodb.connection.collection<{ _id: string }>('endpoints');
    await endpoints.updateOne({ _id: tenantId }, { $set: { failingSince: new Date(Date.now() - 61_000) } });
    const identityId = newId();
    const missed: string[] = [];
    const failed = async () => (await rig.deliveries(tenantId, '&state=FAILED')).items;
    for (const n of [1, 2, 3]) {
      missed.push((await rig.evaluation(tenantId, identityId, { businessId: `b${n}` })).id);
      await waitFor('its failure', async () => (await failed()).length === n + 1);
    }
    expect(await rig.endpoint(tenantId)).toMatchObject({ enabled: false, disabledAt: expect.any(String) });
    // Nothing is queued that could not be sent.
    const off = { status: 409, errors: [{ code: '4090', message: expect.stringContaining('the webhook is off') }] };
    await expect(rig.resend(tenantId, before.id)).rejects.toMatchObject(off);
    await expect(rig.recover(tenantId, { since })).rejects.toMatchObject(off);
    await expect(rig.resend(tenantId, newId())).rejects.toMatchObject({ status: 404 });
    expect(await failed()).toHaveLength(4);
    receiver.answerWith(() => 200);
    const sent = receiver.received.length;
    await rig.setEndpoint(tenantId, { url: receiver.url, mode: 'NONE' });
    expect(await rig.endpoint(tenantId)).not.toHaveProperty('disabledAt');
    expect(await rig.recover(tenantId, { since })).toEqual({ recovered: 3 });
    await waitFor('the recovered ones', () => receiver.received.length === sent + 3);
    expect(receiver.received.slice(sent).map(({ headers }) => headers['webhook-id'])).toEqual(missed);
    await waitFor('one is left', async () => (await failed()).length === 1);
    expect((await failed())[0]!.deliveryId).toBe(before.id);
    await expect(rig.recover(tenantId, { since: 'yesterday' })).rejects.toMatchObject({ status: 400 });
  });

  test('at two moments of five days alone gets the attempts of the second delivery that are left', async () => {
    const tenantId = await aTenant({ attempts: 2, delaySeconds: 1, disableAfterSeconds: 60 });
    const endpoints = rig.mongodb.connection.collection<{ _id: string }>('endpoints');
    await endpoints.updateOne({ _id: tenantId }, { $set: { failingSince: new Date(Date.now() - 61_000) } });
    let asked = 0;
    receiver.answerWith(() => {
      asked += 1;
      return asked === 1 ? 503 : 200;
    });
    await rig.evaluation(tenantId);
    expect(await inState(tenantId, 'DELIVERED')).toMatchObject({
      attempts: [{ statusCode: 503 }, { statusCode: 200 }],
    });
    await waitFor('its health', async () => (await rig.endpoint(tenantId)).consecutiveFailures === 0);
    expect(await rig.endpoint(tenantId)).toMatchObject({ enabled: true });
  });

  test('gets the notifications about an identity in order, however many replicas send them', async () => {
    const tenantId = await aTenant();
    const order: string[] = [];
    receiver.answerWith(async ({ body }) => {
      order.push(`begin ${body.businessId}`);
      await new Promise((resolve) => setTimeout(resolve, 30));
      order.push(`end ${body.businessId}`);
      return 200;
    });
    const identityId = newId();
    for (let n = 0; n < 12; n += 1) await rig.evaluation(tenantId, identityId, { businessId: String(n) });
    await waitFor('all of them', () => order.length === 24);
    for (let at = 0; at < 24; at += 2) expect(order[at]!.split(' ')[1]).toBe(order[at + 1]!.split(' ')[1]);
  });

  test('by redirecting is not followed', async () => {
    const tenantId = await aTenant({ attempts: 1 });
    receiver.answerWith(() => 302);
    await rig.evaluation(tenantId);
    expect(await inState(tenantId, 'FAILED')).toMatchObject({ attempts: [{ statusCode: 302 }] });
  });

  test('with 410 gets no further webhooks until it is set again', async () => {
    const tenantId = await aTenant({ attempts: 5 });
    receiver.answerWith(() => 410);
    await rig.evaluation(tenantId);
    expect((await inState(tenantId, 'FAILED')).attempts).toHaveLength(1);
    expect(
      await waitFor('health', async () => {
        const health = await rig.endpoint(tenantId);
        return health.enabled === false && health;
      }),
    ).toHaveProperty('goneAt');
    const missed = await rig.evaluation(tenantId);
    const undelivered = await waitFor(
      'the missed one',
      async () => (await rig.deliveries(tenantId, `&identityId=${missed.identityId}&state=FAILED`)).items[0],
    );
    expect(undelivered.attempts).toMatchObject([{ error: 'DISABLED' }]);
    receiver.answerWith(() => 200);
    await rig.setEndpoint(tenantId, { url: receiver.url, mode: 'NONE', enabled: true });
    await rig.resend(tenantId, undelivered.deliveryId);
    await inState(tenantId, 'DELIVERED');
    expect(receiver.received).toHaveLength(2);
  });

  test('by hanging delays nobody else', async () => {
    const hanging = await aTenant({ attempts: 1 });
    receiver.answerWith(async ({ body }) => {
      if (body.businessId === 'hang') await new Promise(() => undefined);
      return 200;
    });
    const stuck = await Promise.all(
      Array.from({ length: 60 }, () => rig.evaluation(hanging, newId(), { businessId: 'hang' })),
    );
    expect(stuck).toHaveLength(60);
    const others = await Promise.all(Array.from({ length: 5 }, () => aTenant()));
    const events = await Promise.all(others.map((tenantId) => rig.evaluation(tenantId)));
    for (const event of events) await receiver.next('another tenant', about(event.identityId));
    // All deliveries of the hanging tenant are still on their way, sixteen of them attempted by
    // each replica.
    expect((await rig.deliveries(hanging, '&state=PENDING&limit=100')).items).toHaveLength(60);
    expect(receiver.received.filter(({ body }) => body.businessId === 'hang').length).toBeLessThanOrEqual(32);
  });

  test('by answering too late counts as failed', async () => {
    const hasty = await startRig({ attemptTimeoutMs: 200 });
    const tenantId = newId();
    await hasty.setEndpoint(tenantId, { url: receiver.url, mode: 'NONE', attempts: 1 });
    receiver.answerWith(() => new Promise(() => undefined));
    await hasty.evaluation(tenantId);
    const [failed] = await waitFor('the failure', async () => {
      const { items } = await hasty.deliveries(tenantId, '&state=FAILED');
      return items.length === 1 && items;
    });
    expect(failed).toMatchObject({ attempts: [{ error: 'TIMEOUT' }] });
    await hasty.close();
  });
});

describe('a delivery that a stopped process left', () => {
  test('is taken over when its lease is over', async () => {
    const tenantId = await aTenant();
    const event = await rig.evaluation(tenantId);
    await inState(tenantId, 'DELIVERED');
    const model = rig.mongodb.connection.collection<{ _id: string }>('deliveries');
    await model.updateOne(
      { _id: event.id },
      {
        $set: {
          state: 'PENDING',
          nextAttemptAt: new Date(0),
          leaseOwner: 'somebody',
          leaseUntil: new Date(Date.now() + 300),
        },
      },
    );
    await waitFor('the second sending', () => receiver.received.length === 2);
    expect(receiver.received[1]!.raw).toEqual(receiver.received[0]!.raw);
  });
});

describe('the delivery log', () => {
  test('pages, newest first, and shows no other tenant', async () => {
    const tenantId = await aTenant();
    const events: { id: string }[] = [];
    for (let made = 0; made < 5; made += 1) events.push(await rig.evaluation(tenantId));
    await waitFor('all', async () => (await rig.deliveries(tenantId, '&state=DELIVERED')).items.length === 5);
    const page = await rig.deliveries(tenantId, '&limit=3');
    const rest = await rig.deliveries(tenantId, `&limit=3&cursor=${page.cursor}`);
    expect([...page.items, ...rest.items].map(({ deliveryId }) => deliveryId).sort()).toEqual(
      events.map(({ id }) => id).sort(),
    );
    expect(rest.cursor).toBeUndefined();
    await expect(rig.deliveries(tenantId, '&state=LOST')).rejects.toMatchObject({
      status: 400,
      message: 'must be one of PENDING, DELIVERED, FAILED',
    });
    expect((await rig.deliveries(newId())).items).toEqual([]);
  });

  test('stores neither bodies nor secrets in clear', async () => {
    const tenantId = await aTenant({ mode: 'HMAC', headerName: 'X-S', secret: 'SECRETCANARY' });
    await rig.evaluation(tenantId, newId(), { businessId: 'BUSINESSCANARY' });
    await inState(tenantId, 'DELIVERED');
    for (const name of ['deliveries', 'endpoints']) {
      const all = await rig.mongodb.connection.collection(name).find({}).toArray();
      expect(JSON.stringify(all)).not.toMatch(/CANARY/);
    }
  });

  test('no longer names a closed identity: pending deliveries end, and a resend sends nothing', async () => {
    const tenantId = await aTenant({ attempts: 60 });
    const [waiting, done] = [newId(), newId()];
    receiver.answerWith(({ body }) => (body.identityId === waiting ? 500 : 200));
    await rig.evaluation(tenantId, done, { businessId: 'BUSINESSCANARY' });
    const delivered = await inState(tenantId, 'DELIVERED');
    await rig.evaluation(tenantId, waiting, { businessId: 'BUSINESSCANARY' });
    await receiver.next('the first attempt', about(waiting));
    await rig.closeIdentity(tenantId, done);
    await rig.closeIdentity(tenantId, waiting);
    const failed = await inState(tenantId, 'FAILED');
    expect(failed.identityId).toBe(waiting);
    expect(failed.attempts.at(-1)).toMatchObject({ error: 'CLOSED' });
    expect(failed.attempts.map(({ bodySha256 }) => bodySha256 !== undefined)).toEqual([true, false]);
    await rig.resend(tenantId, delivered.deliveryId);
    await waitFor(
      'the resend to end',
      async () => (await rig.deliveries(tenantId, '&state=FAILED')).items.length === 2,
    );
    expect(receiver.received.filter(({ body }) => body.identityId === done)).toHaveLength(1);
    expect(await rig.endpoint(tenantId)).toMatchObject({ enabled: true });
  });

  test('is searched by index', async () => {
    const model = rig.mongodb.connection.collection('deliveries');
    const at = new Date();
    const plans = await Promise.all([
      model
        .find({ tenantId: 't', state: 'PENDING', nextAttemptAt: { $lte: at }, leaseUntil: { $lte: at } })
        .explain('queryPlanner'),
      model.find({ tenantId: 't' }).sort({ createdAt: -1, _id: -1 }).explain('queryPlanner'),
    ]);
    for (const plan of plans) expect(JSON.stringify(plan)).not.toContain('COLLSCAN');
  });
});
