import { newId } from '@assay/runtime';
import { startWebhookReceiver, type WebhookReceiver, waitFor } from '@assay/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Rig, startRig } from './testing/rig.ts';

let rig: Rig;
let former: WebhookReceiver;
let present: WebhookReceiver;
beforeAll(async () => {
  [rig, former, present] = [await startRig(), await startWebhookReceiver(), await startWebhookReceiver()];
});
afterAll(async () => {
  await rig.close();
  await Promise.all([former.close(), present.close()]);
});

const settings = { mode: 'NONE', attempts: 3, delaySeconds: 1, disableAfterSeconds: 60 } as const;

/** The former receiver answers with this status once the returned function is called. */
const answerLater = (status: number): (() => void) => {
  let answer: () => void = () => undefined;
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  former.answerWith(() => answered.then(() => status));
  return answer;
};
const attemptOf = (identityId: string) =>
  waitFor('the attempt', () => former.received.some(({ body }) => body.identityId === identityId));
const attemptsOf = async (tenantId: string) => (await rig.deliveries(tenantId, '')).items[0]?.attempts ?? [];

describe('an endpoint that is set anew while an attempt is made', () => {
  test('is not disabled by the 410 of its former address, and gets what that one refused', async () => {
    const tenantId = newId();
    await rig.setEndpoint(tenantId, { ...settings, url: former.url });
    const answer = answerLater(410);
    const { id, identityId } = await rig.evaluation(tenantId);
    await attemptOf(identityId);
    await rig.setEndpoint(tenantId, { ...settings, url: present.url });
    answer();
    const { headers } = await present.next('the repeat', ({ body }) => body.identityId === identityId);
    expect(headers['webhook-id']).toBe(id);
    await waitFor('the outcome', async () => (await attemptsOf(tenantId)).length === 2);
    expect(await attemptsOf(tenantId)).toMatchObject([{ statusCode: 410 }, { statusCode: 200 }]);
    expect(await rig.endpoint(tenantId)).toMatchObject({ enabled: true, consecutiveFailures: 0 });
  });

  test('is not disabled by a 410 of before where its address stays, and gets what was refused', async () => {
    const tenantId = newId();
    await rig.setEndpoint(tenantId, { ...settings, url: former.url });
    const answer = answerLater(410);
    const { identityId } = await rig.evaluation(tenantId);
    await attemptOf(identityId);
    await rig.setEndpoint(tenantId, { ...settings, url: former.url });
    former.answerWith(() => 200);
    answer();
    await waitFor('the repeat', async () => (await attemptsOf(tenantId)).length === 2);
    expect(await attemptsOf(tenantId)).toMatchObject([{ statusCode: 410 }, { statusCode: 200 }]);
    expect(await rig.endpoint(tenantId)).toMatchObject({ enabled: true, consecutiveFailures: 0 });
  });

  test('is not disabled for failures of the days before', async () => {
    const tenantId = newId();
    const once = { ...settings, url: former.url, attempts: 1 };
    await rig.setEndpoint(tenantId, once);
    const endpoints = rig.mongodb.connection.collection<{ _id: string }>('endpoints');
    const failing = { failingSince: new Date(Date.now() - 61_000), consecutiveFailures: 9 };
    await endpoints.updateOne({ _id: tenantId }, { $set: failing });
    const answer = answerLater(500);
    const { identityId } = await rig.evaluation(tenantId);
    await attemptOf(identityId);
    await rig.setEndpoint(tenantId, once);
    answer();
    await waitFor('the outcome', async () => (await attemptsOf(tenantId)).length === 1);
    // About the same identity: it is sent once all is stored that the former one came to.
    await rig.evaluation(tenantId, identityId);
    const asked = () => former.received.filter(({ body }) => body.identityId === identityId).length;
    await waitFor('the next notification', () => asked() === 2);
    expect(await rig.endpoint(tenantId)).toMatchObject({ enabled: true });
  });
});

describe('an endpoint that is set anew by a change that does not name it', () => {
  test('stays disabled if its receiver answered 410, until it is named', async () => {
    const tenantId = newId();
    await rig.setEndpoint(tenantId, { ...settings, url: former.url });
    former.answerWith(() => 410);
    await rig.evaluation(tenantId);
    await waitFor('the 410', async () => (await rig.endpoint(tenantId)).enabled === false);
    const before = await rig.endpoint(tenantId);
    const again = (query: string) => rig.setEndpoint(tenantId, { ...settings, url: former.url }, query);
    await again('?deliveryLogSeconds=3600&staysAsItGoes=true');
    expect(await rig.endpoint(tenantId)).toEqual(before);
    await again('?deliveryLogSeconds=3600&staysAsItGoes=false');
    expect(await rig.endpoint(tenantId)).toMatchObject({ enabled: true, consecutiveFailures: 0 });
  });

  test('fails since it began to, and is enabled at another address', async () => {
    const tenantId = newId();
    await rig.setEndpoint(tenantId, { ...settings, url: former.url });
    former.answerWith(() => 500);
    await rig.evaluation(tenantId);
    await waitFor('the failures', async () => (await attemptsOf(tenantId)).length === 3);
    const { failingSince } = await waitFor('the last of them', async () => {
      const health = await rig.endpoint(tenantId);
      return health.consecutiveFailures === 3 && health;
    });
    const next = (url: string) => rig.setEndpoint(tenantId, { ...settings, url }, '?staysAsItGoes=true');
    expect(await next(former.url)).toMatchObject({ failingSince, consecutiveFailures: 3, enabled: true });
    expect(await next(present.url)).toMatchObject({ consecutiveFailures: 0, enabled: true });
  });
});
