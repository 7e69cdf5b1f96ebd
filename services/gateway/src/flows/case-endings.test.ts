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

/** The endings of a gateway whose line about an expiry is followed by something else. */
const endingsWith = (meanwhile: () => Promise<unknown>) => {
  const { stores } = rig;
  const sign = async () => ({ jws: '', kid: '' });
  const auditLog = createAuditLog({ audit: stores.audit, proofBuilder: { sign }, now, log: quietLog });
  const recordOfSuite: AuditLog['recordOfSuite'] = async (...line) => {
    const entry = await auditLog.recordOfSuite(...line);
    await meanwhile();
    return entry;
  };
  return createCaseEndings({ ...stores, auditLog: { recordOfSuite }, now });
};

test('given an operator decides while the case is ended, then the log does not leave it at the expiry', async () => {
  const { tenantId, caseId, decide, lines } = await claimed();
  const statuses: number[] = [];
  const endings = endingsWith(async () => statuses.push((await decide()).status));
  await endings.expire({ tenantId, _id: caseId }, AFTER_ITS_TIME);
  expect(statuses[0]).toBe(200);
  expect((await rig.stores.adjudications.find(tenantId, caseId))?.outcome).toBe('ACCEPT');
  const [expiry, refusal, ...others] = (await lines()).filter(({ content }) => content?.actor.role === 'SUITE');
  expect(expiry?.content?.act).toBe('case.expire');
  expect(refusal?.content).toMatchObject({ act: 'act.refused', subject: { caseId }, details: { status: 409 } });
  expect(refusal?.content?.details?.entry).toBe(expiry?.seq);
  expect(others).toEqual([]);
});

test('given two gateways end the case, then one line says so', async () => {
  const { tenantId, caseId, lines } = await claimed();
  const end = () => endingsWith(async () => undefined).expire({ tenantId, _id: caseId }, AFTER_ITS_TIME);
  await endingsWith(end).expire({ tenantId, _id: caseId }, AFTER_ITS_TIME);
  expect((await rig.stores.adjudications.find(tenantId, caseId))?.outcome).toBe('EXPIRED');
  expect((await lines()).map(({ content }) => content?.act)).toEqual(['case.expire']);
});
