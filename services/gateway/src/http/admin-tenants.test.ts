import { unavailable } from '@assay/http';
import { newId } from '@assay/runtime';
import { quietLog } from '@assay/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Notifier } from '../clients/notifier.ts';
import { changeAndTell, type Tell } from '../flows/change-settings.ts';
import { createRepeatWebhookChanges } from '../flows/repeat-webhook-changes.ts';
import { type Rig, startRig } from '../testing/rig.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.close());
const changing = () => rig.stores.tenants.changing(new Date(Date.now() + 1000), { limit: 100, except: [] });

test('the list of tenants shows the health of their webhooks, and is shown without it if the notifier does not answer', async () => {
  const webhook = { url: 'https://93.184.216.34/', mode: 'NONE' as const };
  const [sending, silent] = [await rig.tenant({ webhook }), await rig.tenant()];
  const listed = async () => {
    const { status, body } = await rig.admin.get('/admin/v1/tenants?limit=200');
    const items = body.items as { tenantId: string; endpoint?: unknown }[];
    return [status, ...[sending, silent].map((each) => items.find(({ tenantId }) => tenantId === each.tenantId)!)];
  };
  expect(await listed()).toEqual([
    200,
    expect.not.objectContaining({ endpoint: expect.anything() }),
    expect.not.objectContaining({ endpoint: expect.anything() }),
  ]);
  const endpoint = { enabled: false, consecutiveFailures: 3, lastError: 'ECONNREFUSED' };
  rig.asked.endpointsHealth = [{ tenantId: sending.tenantId, ...endpoint }];
  expect(await listed()).toEqual([
    200,
    expect.objectContaining({ endpoint }),
    expect.not.objectContaining({ endpoint: expect.anything() }),
  ]);
});

test('a change of what the notifier has to know is told as one of the webhook only if it names it', async () => {
  const { tenantId } = await rig.tenant({ webhook: { url: 'https://93.184.216.38/', mode: 'NONE' } });
  const staying = () => rig.asked.stayingAsTheyGo.filter((webhook) => webhook?.url === 'https://93.184.216.38/').length;
  const heard = async (settings: object): Promise<[number, number]> => {
    const [before, stayed] = [rig.asked.endpoints.length, staying()];
    expect((await rig.admin.patch(`/admin/v1/tenants/${tenantId}`, { settings })).status).toBe(200);
    return [rig.asked.endpoints.length - before, staying() - stayed];
  };
  expect(await heard({ retention: { tombstoneSeconds: 86_400 } })).toEqual([1, 1]);
  expect(await heard({ retention: { deliveryLogSeconds: 3600 }, webhook: { enabled: true } })).toEqual([1, 0]);
});

describe('a change of a webhook that is refused once another change came before it', () => {
  const [first, second] = ['https://93.184.216.34/', 'https://93.184.216.35/'];
  const secret = 'only the first receiver knows';

  /** The change, while another one is made as soon as the notifier has been told of the first. */
  const overtaken = async (settings: object, by: object) => {
    const tenant = await rig.tenant({ webhook: { url: first, mode: 'API_KEY', headerName: 'x-key' } });
    const at = `/admin/v1/tenants/${tenant.tenantId}`;
    rig.asked.beforeEndpoint = async () => {
      rig.asked.beforeEndpoint = undefined;
      expect((await rig.admin.patch(at, { settings: by })).status).toBe(200);
    };
    const answer = await rig.admin.patch(at, { settings });
    return {
      tenantId: tenant.tenantId,
      status: answer.status,
      field: answer.body.errors?.[0]?.field,
      told: rig.asked.endpoints.at(-1),
    };
  };

  test('leaves the notifier with the webhook that is stored', async () => {
    const outcome = await overtaken({ webhook: { url: second } }, { webhook: { secret } });
    expect(outcome).toMatchObject({ status: 400, field: 'settings.webhook.secret' });
    expect((await rig.stores.tenants.find(outcome.tenantId))?.settings.webhook).toMatchObject({ url: first });
    expect(outcome.told).toMatchObject({ url: first, secret });
  });

  test('leaves it without one where the other change removed it', async () => {
    const outcome = await overtaken({ webhook: { attempts: 5 } }, { webhook: null });
    expect(outcome.status).toBe(400);
    expect(outcome.told).toBeNull();
  });

  test('is not refused where both are good: the one that is stored last is the one that is told', async () => {
    const outcome = await overtaken({ webhook: { url: second } }, { webhook: { attempts: 5 } });
    expect(outcome).toMatchObject({ status: 200, told: { url: second, attempts: 5 } });
  });
});

describe('a change of a webhook whose outcome at the notifier is not known', () => {
  const [first, second] = ['https://93.184.216.34/', 'https://93.184.216.35/'];

  test.each([
    ['set', undefined, { url: second, mode: 'NONE' }, null],
    ['changed', { url: first, mode: 'NONE' as const }, { url: second }, { url: first }],
    ['removed', { url: first, mode: 'NONE' as const }, null, { url: first }],
  ])('leaves the notifier with what is stored, where it is %s', async (_what, before, webhook, stored) => {
    const tenant = await rig.tenant(before ? { webhook: before } : {});
    rig.asked.beforeEndpoint = async (sent) => {
      rig.asked.beforeEndpoint = undefined;
      rig.asked.endpoints.push(sent);
      throw unavailable();
    };
    const at = `/admin/v1/tenants/${tenant.tenantId}`;
    expect((await rig.admin.patch(at, { settings: { webhook } })).status).toBe(503);
    expect((await rig.stores.tenants.find(tenant.tenantId))?.settings.webhook?.url).toBe(before?.url);
    expect(rig.asked.endpoints.at(-1)).toEqual(stored && expect.objectContaining(stored));
  });

  test('has a larger number each time it is told, so that a late one is known', async () => {
    const tenant = await rig.tenant({ webhook: { url: first, mode: 'NONE' } });
    const known = rig.asked.changeNumbers.length;
    for (const url of [second, first])
      await rig.admin.patch(`/admin/v1/tenants/${tenant.tenantId}`, { settings: { webhook: { url } } });
    const [one = 0, two = 0] = rig.asked.changeNumbers.slice(known);
    expect([one > 0, two > one]).toEqual([true, true]);
  });

  test('has a larger number than those before it, also where the tenants are of an older backup', async () => {
    const { tenantId } = await rig.tenant({ webhook: { url: first, mode: 'NONE' } });
    const { model } = rig.stores.tenants;
    const change = (url: string) =>
      rig.admin.patch(`/admin/v1/tenants/${tenantId}`, { settings: { webhook: { url } } });
    const backup = await model.findById(tenantId).lean();
    for (const url of [second, first, second]) await change(url);
    const last = rig.asked.changeNumbers.at(-1)!;
    await model.replaceOne({ _id: tenantId }, backup!);
    await change(first);
    expect(rig.asked.changeNumbers.at(-1)).toBeGreaterThan(last);
  });

  test('is not undone by the making of its tenant, repeated after a lost answer', async () => {
    const key = { 'idempotency-key': newId() };
    const create = () =>
      rig.admin.post('/admin/v1/tenants', { name: 'Acme', settings: { webhook: { url: first, mode: 'NONE' } } }, key);
    const { tenantId } = (await create()).body;
    expect(rig.asked.changeNumbers.at(-1)).toBe(0);
    const isLost = { $unset: { fingerprint: 1, sealedReply: 1 }, $set: { leaseUntil: new Date(0) } };
    await rig.stores.locks.model.updateOne({ seedId: tenantId }, isLost);
    await rig.admin.patch(`/admin/v1/tenants/${tenantId}`, { settings: { webhook: { url: second } } });
    expect(await create()).toMatchObject({ status: 200, body: { tenantId, settings: { webhook: { url: second } } } });
    expect(rig.asked.endpoints.at(-1)).toMatchObject({ url: second });
  });

  test('is told nothing more where the notifier refused it: what was disabled would be enabled', async () => {
    const tenant = await rig.tenant({ webhook: { url: first, mode: 'NONE' } });
    const before = rig.asked.endpoints.length;
    const settings = { webhook: { url: 'http://10.0.0.1/' } };
    expect((await rig.admin.patch(`/admin/v1/tenants/${tenant.tenantId}`, { settings })).status).toBe(400);
    expect(rig.asked.endpoints).toHaveLength(before);
    expect(await changing()).not.toContain(tenant.tenantId);
  });

  test.each([null, 'webhook', 7, []])('is refused as a whole if the settings are %j', async (settings) => {
    const { tenantId } = await rig.tenant();
    const answers = [
      await rig.admin.patch(`/admin/v1/tenants/${tenantId}`, { settings }),
      await rig.admin.post('/admin/v1/tenants', { name: 'Acme', settings }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400]);
  });

  test('is told again before its answer where another change that was told meanwhile is never stored', async () => {
    const { tenants } = rig.stores;
    const { tenantId } = await rig.tenant({ webhook: { url: first, mode: 'NONE' } });
    const heard: (string | undefined)[] = [];
    const tell: Tell = async ({ webhook }) => {
      heard.push(webhook?.url);
      if (heard.length > 1) return;
      // Another one tells what was stored before, and its process ends.
      await tenants.beginChange(tenantId);
      heard.push(first);
    };
    await changeAndTell(tenants, tenantId, (before) => ({ ...before, webhook: { url: second, mode: 'NONE' } }), tell);
    expect(heard).toEqual([second, first, second]);
    expect(await changing()).not.toContain(tenantId);
  });

  test('is told again by a sweep if the gateway ended before it was stored', async () => {
    const { tenants } = rig.stores;
    const { tenantId } = await rig.tenant({ webhook: { url: first, mode: 'NONE' } });
    await tenants.beginChange(tenantId);
    // A change that is refused ends none but its own.
    const settings = { webhook: { url: 'http://10.0.0.1/' } };
    expect((await rig.admin.patch(`/admin/v1/tenants/${tenantId}`, { settings })).status).toBe(400);
    expect(await changing()).toContain(tenantId);
    const heard: [string, unknown][] = [];
    const setEndpoint: Notifier['setEndpoint'] = async (id, _requestId, webhook) => heard.push([id, webhook]);
    const notifier = { setEndpoint };
    const sweepAt = (ms: number) =>
      createRepeatWebhookChanges({ tenants, notifier, now: () => new Date(Date.now() + ms), log: quietLog });
    await sweepAt(5000)();
    expect(heard.map(([id]) => id)).not.toContain(tenantId);
    await sweepAt(60_000)();
    expect(heard).toContainEqual([tenantId, expect.objectContaining({ url: first })]);
    expect(await changing()).not.toContain(tenantId);
  });
});
