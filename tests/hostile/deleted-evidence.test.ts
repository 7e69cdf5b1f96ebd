import { newIdentity, newTenant, specimen, waitFor } from '@assay/testing';
import { expect, test } from '@jest/globals';

/*
 * Replies are stored for repeated calls, for a day. What a deleted evidence contained is not told
 * again by them, and what an operator reads in one is in the audit log.
 */

const NUMBER = 'L898902C3';
const once = { 'Idempotency-Key': 'before-the-deletion' };

test('a repeated call tells nothing of an evidence that was deleted since', async () => {
  const { tenantId, relyingService, operator, admin } = await newTenant('repeats', { adjudication: { enabled: true } });
  const identity = await newIdentity(relyingService);
  await identity.consent('PORTRAIT');
  const [{ body: disputed }, { body: genuine }] = [
    await identity.document(specimen('passport-altered.jpg')),
    await identity.document(specimen('passport.jpg')),
  ];
  await identity.becomes(disputed.id, 'ADJUDICATION');
  await identity.becomes(genuine.id, 'VERIFIED');
  const { caseId } = await waitFor(
    'the case',
    async () => (await operator.get('/operator/v1/cases?state=OPEN')).body.items[0],
  );
  const claim = () => operator.post(`/operator/v1/cases/${caseId}/claim`, undefined, once);
  const openChip = () =>
    relyingService.post(`${identity.at}/id-documents/nfc-session`, { evidenceId: genuine.id }, once);
  const claimed = await claim();
  expect(claimed.body.fields.idDocumentNumber).toBe(NUMBER);
  expect((await claim()).body).toEqual(claimed.body);
  const opened = await openChip();
  expect(opened.body.accessKey.documentNumber).toBe(NUMBER);
  expect((await openChip()).body).toEqual(opened.body);

  for (const { id } of [disputed, genuine]) await relyingService.delete(`${identity.at}/evidences/${id}`);
  await waitFor(
    'the end of the case',
    async () => (await operator.get(`/operator/v1/cases/${caseId}`)).body.state === 'DECIDED',
  );
  const repeated = [await claim(), await openChip()];
  expect(repeated.map(({ status, headers }) => [status, headers.get('idempotency-replayed')])).toEqual([
    [200, 'true'],
    [200, 'true'],
  ]);
  expect(repeated[0]!.body).toMatchObject({ caseId, closedBecause: 'EVIDENCE_DELETED', fields: {} });
  const { accessKey: _, ...left } = opened.body;
  expect(repeated[1]!.body).toEqual(left);
  expect(Buffer.concat(repeated.map(({ bytes }) => bytes)).includes(NUMBER)).toBe(false);

  const { items } = (await admin.get(`/admin/v1/tenants/${tenantId}/audit?limit=100`)).body;
  const acts = items.map(({ content }: { content: { act: string } }) => content.act);
  expect(acts.filter((act: string) => act === 'case.claim')).toHaveLength(1);
  expect(acts.filter((act: string) => act === 'case.view').length).toBeGreaterThanOrEqual(3);
}, 60_000);
