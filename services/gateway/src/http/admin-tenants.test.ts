import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Rig, startRig } from '../testing/rig.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.close());

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
