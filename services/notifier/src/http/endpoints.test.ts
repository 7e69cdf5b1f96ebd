import { newId } from '@assay/runtime';
import { startWebhookReceiver, waitFor } from '@assay/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Rig, startRig } from '../testing/rig.ts';

let rig: Rig;
let closed: Rig;
beforeAll(async () => {
  rig = await startRig();
  closed = await startRig({ allowPrivateTargets: [] });
});
afterAll(async () => {
  await rig.close();
  await closed.close();
});

describe('an endpoint', () => {
  test.each([
    'http://127.0.0.1:8080/hook',
    'http://localhost:8080/',
    'http://localhost./',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::7f00:1]/',
    'http://0.0.0.0/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://169.254.169.254/latest',
    'http://10.1.2.3/',
    'http://192.168.0.9/',
    'http://100.64.0.1/',
    'http://[fd00:ec2::254]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'file:///etc/passwd',
    'gopher://example.org/',
    'ftp://example.org/',
    'http://user@example.org/',
    'http://93.184.216.34:22/',
    'http://93.184.216.34:27017/',
    'not a url',
    '',
  ])('%s is no permitted target', async (url) => {
    await expect(closed.setEndpoint(newId(), { url, mode: 'NONE' })).rejects.toMatchObject({
      status: 400,
      errors: [{ code: '1006', field: 'settings.webhook.url' }],
    });
  });

  test.each([
    ['https://93.184.216.34/hook', 'a public address'],
    ['https://a-name-that-does-not-resolve.invalid/', 'a name that may resolve one day'],
  ])('%s is a permitted target: %s', async (url) => {
    expect(await closed.setEndpoint(newId(), { url, mode: 'NONE' })).toMatchObject({ url, enabled: true });
  });

  test('whose target turned inside meanwhile is not connected to', async () => {
    const receiver = await startWebhookReceiver();
    const tenantId = newId();
    await closed.setEndpoint(tenantId, { url: 'https://93.184.216.34/', mode: 'NONE' });
    await closed.mongodb.connection
      .collection<{ _id: string }>('endpoints')
      .updateOne({ _id: tenantId }, { $set: { url: receiver.url } });
    expect(await closed.testEndpoint(tenantId)).toMatchObject({ error: 'BLOCKED' });
    expect(receiver.received).toEqual([]);
    await receiver.close();
  });

  test.each([
    [{ mode: 'HMAC', secret: 's' }, 'settings.webhook.headerName'],
    [{ mode: 'HMAC', headerName: 'X-S' }, 'settings.webhook.secret'],
    [{ mode: 'API_KEY', headerName: 'Content-Length', secret: 's' }, 'settings.webhook.headerName'],
    [{ mode: 'API_KEY', headerName: 'X-K', secret: 'a\r\nb' }, 'settings.webhook.secret'],
    [{ mode: 'API_KEY', headerName: 'X K', secret: 'a' }, 'settings.webhook.headerName'],
    [{ mode: 'BASIC' }, 'settings.webhook.mode'],
    [{ mode: 'NONE', attempts: 0 }, 'settings.webhook.attempts'],
    [{ mode: 'NONE', schedule: [] }, 'settings.webhook.schedule'],
    [{ mode: 'API_KEY', headerName: 'Webhook-Signature', secret: 'a' }, 'settings.webhook.headerName'],
  ])('with %j is refused', async (more, field) => {
    await expect(rig.setEndpoint(newId(), { url: 'https://93.184.216.34/', ...more })).rejects.toMatchObject({
      status: 400,
      errors: [{ code: '1006', field }],
    });
  });

  test('with a short secret is set, with a warning; null removes it', async () => {
    const tenantId = newId();
    const webhook = { url: 'https://93.184.216.34/', mode: 'HMAC', headerName: 'X-S', secret: 'short' };
    const set = await rig.setEndpoint(tenantId, webhook);
    expect(set).toMatchObject({ warnings: [{ field: 'settings.webhook.secret' }] });
    expect(JSON.stringify(set)).not.toContain('"short"');
    await rig.setEndpoint(tenantId, null);
    await expect(rig.endpoint(tenantId)).rejects.toMatchObject({ status: 404 });
  });

  test('is not set by a change that arrives after a later one', async () => {
    const tenantId = newId();
    const change = (url: string, changeNumber: number) =>
      rig.setEndpoint(tenantId, { url, mode: 'NONE' }, '', { changeNumber });
    await change('https://93.184.216.34/', 1);
    await change('https://93.184.216.36/', 3);
    await expect(change('https://93.184.216.35/', 2)).rejects.toMatchObject({ status: 503 });
    expect(await rig.endpoint(tenantId)).toMatchObject({ url: 'https://93.184.216.36/' });
    await change('https://93.184.216.37/', 4);
    expect(await rig.endpoint(tenantId)).toMatchObject({ url: 'https://93.184.216.37/' });
  });

  test('is not set by the making of its tenant where that arrives after a change', async () => {
    const tenantId = newId();
    const change = (url: string, more: object) => rig.setEndpoint(tenantId, { url, mode: 'NONE' }, '', more);
    await change('https://93.184.216.34/', { changeNumber: 0 });
    await change('https://93.184.216.36/', { changeNumber: 1 });
    await expect(change('https://93.184.216.34/', { changeNumber: 0 })).rejects.toMatchObject({ status: 503 });
    expect(await rig.endpoint(tenantId)).toMatchObject({ url: 'https://93.184.216.36/' });
    // A release before sends no number.
    await change('https://93.184.216.37/', {});
    expect(await rig.endpoint(tenantId)).toMatchObject({ url: 'https://93.184.216.37/' });
  });

  test.each([
    ['set', true],
    ['missing', false],
  ])('that was %s and is removed is not set by a change before the removal', async (_what, isSet) => {
    const tenantId = newId();
    const change = (webhook: object | null, changeNumber: number) =>
      rig.setEndpoint(tenantId, webhook, '', { changeNumber });
    const to = (url: string) => ({ url, mode: 'NONE' });
    if (isSet) await change(to('https://93.184.216.34/'), 1);
    await change(null, 3);
    await expect(change(to('https://93.184.216.35/'), 2)).rejects.toMatchObject({ status: 503 });
    await expect(rig.endpoint(tenantId)).rejects.toMatchObject({ status: 404 });
    expect((await rig.endpointsHealth([tenantId])).items).toEqual([]);
    await change(null, 4);
    await change(to('https://93.184.216.36/'), 5);
    expect(await rig.endpoint(tenantId)).toMatchObject({ url: 'https://93.184.216.36/', enabled: true });
  });

  test.each([
    ['http', 'API_KEY', ['settings.webhook.url']],
    ['HTTP', 'API_KEY', ['settings.webhook.url']],
    ['https', 'API_KEY', []],
    ['http', 'HMAC', []],
  ])('over %s with mode %s is set with the warnings %j', async (scheme, mode, fields) => {
    const webhook = { url: `${scheme}://93.184.216.34/`, mode, headerName: 'X-K', secret: 'a secret of many bytes' };
    const { warnings } = (await rig.setEndpoint(newId(), webhook)) as unknown as { warnings: { field: string }[] };
    expect(warnings.map(({ field }) => field)).toEqual(fields);
  });

  test('reports its health and the health of endpoints of other tenants in one reply', async () => {
    const receiver = await startWebhookReceiver();
    const [works, fails, off, none] = [newId(), newId(), newId(), newId()];
    for (const tenantId of [works, fails]) await rig.setEndpoint(tenantId, { url: receiver.url, mode: 'NONE' });
    await rig.setEndpoint(off, { url: receiver.url, mode: 'NONE', enabled: false });
    await rig.testEndpoint(works);
    await receiver.close();
    await rig.evaluation(fails);
    await waitFor('the failure', async () => (await rig.endpoint(fails)).consecutiveFailures === 1);
    const { items } = await rig.endpointsHealth([works, fails, off, none]);
    const found = Object.fromEntries(items.map(({ tenantId, ...health }) => [tenantId, health]));
    expect(found).toEqual({
      [works]: { enabled: true, consecutiveFailures: 0 },
      [fails]: {
        enabled: true,
        consecutiveFailures: 1,
        failingSince: expect.any(String),
        lastError: 'ECONNREFUSED',
      },
      [off]: { enabled: false, consecutiveFailures: 0 },
    });
  });

  test('can be tested', async () => {
    const receiver = await startWebhookReceiver();
    const tenantId = newId();
    await rig.setEndpoint(tenantId, { url: receiver.url, mode: 'NONE' });
    expect(await rig.testEndpoint(tenantId)).toMatchObject({ statusCode: 200 });
    expect(receiver.received).toHaveLength(1);
    await receiver.close();
    expect(await rig.testEndpoint(tenantId)).toMatchObject({ error: 'ECONNREFUSED' });
    const { items } = await rig.deliveries(tenantId);
    expect(items).toMatchObject([
      { test: true, state: 'FAILED', attempts: [{ error: 'ECONNREFUSED' }] },
      { test: true, state: 'DELIVERED', attempts: [{ statusCode: 200 }] },
    ]);
    expect(items[1]!.webhookId).toBe(receiver.received[0]!.headers['webhook-id']);
  });
});
