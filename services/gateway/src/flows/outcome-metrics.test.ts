import { metricsText } from '@assay/runtime';
import { waitFor } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { created, type Rig, startRig } from '../testing/rig.ts';
import { showQueues } from './outcome-metrics.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.close());

const value = async (line: string): Promise<number | undefined> => {
  const found = (await metricsText()).split('\n').find((each) => each.startsWith(`${line} `));
  return found === undefined ? undefined : Number(found.split(' ').at(-1));
};

test('what clients were notified of is counted once, with its reasons and the level at the end', async () => {
  const { tenantId, rs } = await rig.tenant();
  const { id, at } = await created(rs);
  const timed = async () => (await value('assay_result_seconds_count{type="PASSPORT"}')) ?? 0;
  const timedBefore = await timed();
  const form = { DocumentFront: Buffer.from('an image') };
  const [good, bad] = [
    await rs.upload(`${at}/id-documents/capture`, form),
    await rs.upload(`${at}/id-documents/capture`, form),
  ];
  const errors = [{ code: '1508', message: 'x' }];
  const first = { evidenceId: bad.body.id, status: 'INVALID' as const, errors };
  await rig.evaluate(id, { evidenceId: good.body.id }, { caseRevision: 1, levelOfAssurance: 'LOA1' });
  for (const _again of [1, 2]) await rig.evaluate(id, first, { caseRevision: 2, levelOfAssurance: 'LOA1' });
  const outcome = (status: string) =>
    value(`assay_evidence_outcomes_total{tenant="${tenantId}",type="PASSPORT",status="${status}"}`);
  await waitFor('both results', async () => (await outcome('INVALID')) && (await outcome('VERIFIED')));
  expect([await outcome('VERIFIED'), await outcome('INVALID')]).toEqual([1, 1]);
  expect(await value(`assay_evidence_refusals_total{tenant="${tenantId}",code="1508"}`)).toBe(1);
  expect((await timed()) - timedBefore).toBe(2);

  await rs.delete(at);
  expect(await value(`assay_identity_levels_total{tenant="${tenantId}",level="LOA1",reason="DELETED"}`)).toBe(1);
});

test('the age of the oldest case is shown, and nothing once none waits', async () => {
  const now = new Date('2026-01-01T00:01:00.000Z');
  const age = 'assay_adjudication_oldest_seconds{tenant="waiting"}';
  showQueues([{ tenantId: 'waiting', count: 3, since: '2026-01-01T00:00:00.000' }], now);
  expect([await value(age), await value('assay_adjudication_open{tenant="waiting"}')]).toEqual([60, 3]);
  showQueues([], now);
  expect(await value(age)).toBeUndefined();
});

test('the store counts waiting cases by tenant', async () => {
  const { tenantId } = await rig.tenant();
  for (const [at, state] of ['OPEN', 'CLAIMED', 'DECIDED'].entries())
    await rig.stores.adjudications.insert({
      ...{ _id: `${tenantId}-${at}`, revision: 0, tenantId, identityId: 'i', evidenceId: 'e', type: 'PASSPORT' },
      ...{ state, requestedAt: `2026-01-0${at + 1}T00:00:00.000`, expiresAt: new Date('2099-01-01') },
    } as never);
  const waiting = await rig.stores.adjudications.waiting();
  expect(waiting.find((each) => each.tenantId === tenantId)).toEqual({
    tenantId,
    count: 2,
    since: '2026-01-01T00:00:00.000',
  });
});
