import { quietLog } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { requestCase } from '../testing/cases.ts';
import { type Rig, startRig } from '../testing/rig.ts';
import { type AuditLog, createAuditLog } from './audit.ts';
import { createCaseEndings } from './case-endings.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.close());

const now = () => new Date();
const AFTER_ITS_TIME = new Date(Date.now() + 24 * 3600_000);

/** A case of a new tenant that an operator has claimed, and the lines about it. */
const claimed = async () => {
  const { tenantId, rs, op } = await rig.tenant({ adjudication: { enabled: true } });
  const { body } = await rs.post('/svc/v1/identities', []);
  const { path, caseId } = await requestCase(rig, { tenantId, identityId: body.id });
  await op.post(`${path}/claim`);
  const decide = () => op.post(`${path}/decision`, { decision: 'ACCEPT' });
  const lines = async () =>
    (await rig.stores.audit.list(tenantId, 0, 100)).filter(({ content }) =>
      ['case.expire', 'act.refused'].includes(content?.act ?? ''),
    );
  return { tenantId, caseId, decide, lines };
};

/** The endings of a gateway that does something before it writes a line. */
const endingsWith = (before: () => Promise<unknown>) => {
  const { stores } = rig;
  const sign = async () => ({ jws: '', kid: '' });
  const auditLog = createAuditLog({ audit: stores.audit, proofBuilder: { sign }, now, log: quietLog });
  const recordOfSuite: AuditLog['recordOfSuite'] = async (...line) => {
    await before();
    return auditLog.recordOfSuite(...line);
  };
  return createCaseEndings({ ...stores, auditLog: { recordOfSuite }, now });
};
const dueIds = async () =>
  (await rig.stores.adjudications.expired(now(), { limit: 100, except: [] })).map(({ _id }) => _id);

test('given an operator decided in the last moment, then the log says nothing of an expiry', async () => {
  const { tenantId, caseId, decide, lines } = await claimed();
  expect((await decide()).status).toBe(200);
  await endingsWith(async () => undefined).expire({ tenantId, _id: caseId }, AFTER_ITS_TIME);
  expect((await rig.stores.adjudications.find(tenantId, caseId))?.outcome).toBe('ACCEPT');
  expect(await lines()).toEqual([]);
});

test('given an operator decides while the line of an expiry is written, then the decision is refused', async () => {
  const { tenantId, caseId, decide, lines } = await claimed();
  const statuses: number[] = [];
  const endings = endingsWith(async () => statuses.push((await decide()).status));
  await endings.expire({ tenantId, _id: caseId }, AFTER_ITS_TIME);
  expect(statuses).toEqual([409]);
  const ofSuite = (await lines()).filter(({ content }) => content?.actor.role === 'SUITE');
  expect(ofSuite.map(({ content }) => content?.act)).toEqual(['case.expire']);
});

test('given the gateway ends before the line is written, then the case is due until the log has it', async () => {
  const { tenantId, caseId, lines } = await claimed();
  const died = endingsWith(() => Promise.reject(new Error('the process ended')));
  await expect(died.expire({ tenantId, _id: caseId }, AFTER_ITS_TIME)).rejects.toThrow('the process ended');
  expect((await rig.stores.adjudications.find(tenantId, caseId))?.outcome).toBe('EXPIRED');
  expect(await dueIds()).toContain(caseId);
  const next = endingsWith(async () => undefined);
  for (const _time of ['once', 'twice']) await next.expire({ tenantId, _id: caseId }, AFTER_ITS_TIME);
  expect((await lines()).map(({ content }) => content?.act)).toEqual(['case.expire']);
  expect(await dueIds()).not.toContain(caseId);
});

test('given two gateways end the case, then one line says so', async () => {
  const { tenantId, caseId, lines } = await claimed();
  const end = () => endingsWith(async () => undefined).expire({ tenantId, _id: caseId }, AFTER_ITS_TIME);
  await endingsWith(end).expire({ tenantId, _id: caseId }, AFTER_ITS_TIME);
  expect((await rig.stores.adjudications.find(tenantId, caseId))?.outcome).toBe('EXPIRED');
  expect((await lines()).map(({ content }) => content?.act)).toEqual(['case.expire']);
});
