import { on, Poison } from '@assay/bus';
import { adjudicationWaiting, oneTimeCodeRequested } from '@assay/contracts';
import { waitFor } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Rig, startRig } from '../testing/rig.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.close());

const at = '/admin/v1/dead-letters';
const queue = 'notifier.codes';
const IDENTITY = '00000000-0000-4000-8000-000000000001';

test('dead letters are listed, shown without their data, replayed and removed, and the acts are recorded', async () => {
  const refuse = async (): Promise<void> => {
    throw new Poison('for the test');
  };
  const handlers = [on(oneTimeCodeRequested, refuse), on(adjudicationWaiting, refuse)];
  const consumer = await rig.bus.consume(queue, handlers, { prefetch: 1 });
  await rig.publish('one-time-code.requested', IDENTITY, {
    codeId: IDENTITY,
    evidenceId: IDENTITY,
    channel: 'EMAIL',
    expiresAt: '2030-01-01T00:00:00.000',
    sealedMessage: 'Canary',
  });
  await waitFor('the dead letter', async () => (await rig.admin.get(at)).body.items.length === 1);
  expect((await rig.admin.get(at)).body).toEqual({ items: [{ queue, count: 1 }] });
  const shown = (await rig.admin.get(`${at}/${queue}?limit=5`)).body;
  expect(shown.items).toEqual([
    expect.objectContaining({
      ...{ type: 'one-time-code.requested', identityId: IDENTITY, reason: expect.any(String) },
      firstFailedAt: expect.stringMatching(/T\d\d:\d\d:\d\d\.\d{3}$/),
    }),
  ]);
  expect(JSON.stringify(shown)).not.toContain('Canary');
  expect((await rig.admin.post(`${at}/${queue}/replay`, { limit: null })).body).toEqual({ replayed: 1 });
  await waitFor('its return', async () => (await rig.admin.get(at)).body.items.length === 1);
  expect((await rig.admin.delete(`${at}/${queue}`)).body).toEqual({ removed: 1 });
  expect((await rig.admin.delete(`${at}/${queue}.dead`)).body).toEqual({ removed: 0 });
  expect((await rig.admin.get(at)).body).toEqual({ items: [] });
  await consumer.close();
  const lines = await rig.stores.audit.list('suite', 0, 100);
  expect(lines.map(({ content }) => [content?.act, content?.subject])).toEqual([
    ['dead-letters.replay', { queue }],
    ['dead-letters.remove', { queue }],
    ['dead-letters.remove', { queue }],
  ]);
});

test('an unknown queue, an invalid limit and another role are refused', async () => {
  expect((await rig.admin.get(`${at}/no.queue`)).status).toBe(404);
  expect((await rig.admin.delete(`${at}/no.queue`)).status).toBe(404);
  expect((await rig.admin.get(`${at}/${queue}?limit=0`)).body.errors[0]).toMatchObject({
    field: 'limit',
    message: expect.stringContaining('1 to'),
  });
  const { op } = await rig.tenant();
  expect((await op.get(at)).status).toBe(403);
});
