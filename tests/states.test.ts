import { newIdentity, newTenant, specimen, type Tenant, waitFor } from '@assay/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Ears, openEars, remove, selfie, submitted } from './setup/ears.ts';

/*
 * Every row of the specification's state tables, with the webhooks that each must send, and no
 * others.
 */

let ears: Ears;
const tenants: Record<string, Tenant> = {};
beforeAll(async () => {
  ears = await openEars();
  const { webhook } = ears;
  tenants.plain = await newTenant('states', { webhook });
  tenants.adjudicating = await newTenant('adjudicating states', { webhook, adjudication: { enabled: true } });
  tenants.impatient = await newTenant('impatient states', {
    webhook,
    adjudication: { enabled: true, expirySeconds: 1 },
  });
  tenants.short = await newTenant('short states', { webhook, transactionLifetimeSeconds: 1 });
  tenants.pausing = await newTenant('pausing states', {
    webhook,
    transactionLifetimeSeconds: 1,
    pauseResume: { enabled: true, pauseDurationSeconds: 2 },
  });
  tenants.resuming = await newTenant('resuming states', {
    webhook,
    adjudication: { enabled: true },
    transactionLifetimeSeconds: 2,
    pauseResume: { enabled: true, pauseDurationSeconds: 60 },
  });
});
afterAll(() => ears.close());

describe('PROCESSING ends', () => {
  test('VERIFIED, NOT_VERIFIED or INVALID, each with one notification', async () => {
    const identity = await newIdentity(tenants.plain!.relyingService);
    await submitted(identity, 'passport.jpg', 'VERIFIED');
    await submitted(identity, 'passport-expired.jpg', 'INVALID');
    await submitted(identity, 'passport-altered.jpg', 'NOT_VERIFIED');
    await ears.hears(tenants.plain!, identity, 'CREATED PASSPORT', 'CREATED PASSPORT', 'CREATED PASSPORT');
    const { idDocuments } = await identity.get();
    expect(idDocuments[1].evidenceStatus.errors[0].code).toBe('1501');
  });
});

describe('ADJUDICATION ends', () => {
  const claimed = async (tenant: Tenant, evidenceId: string) => {
    const found = await waitFor('the case', async () => {
      const { body } = await tenant.operator.get('/operator/v1/cases?state=OPEN');
      return body.items.find((each: { evidenceId: string }) => each.evidenceId === evidenceId);
    });
    await tenant.operator.post(`/operator/v1/cases/${found.caseId}/claim`);
    return found.caseId as string;
  };

  test.each([
    ['ACCEPT', [], 'VERIFIED'],
    ['REJECT', ['DOCUMENT_IMAGE_MANIPULATION'], 'INVALID'],
  ])('by %s', async (decision, reasons, status) => {
    const tenant = tenants.adjudicating!;
    const identity = await newIdentity(tenant.relyingService);
    const { body } = await identity.document(specimen('passport-altered.jpg'));
    await identity.becomes(body.id, 'ADJUDICATION');
    expect((await identity.get()).globalStatus.status).toBe('PROCESSING');
    expect((await identity.proof()).status).toBe(403);
    const caseId = await claimed(tenant, body.id);
    const decided = await tenant.operator.post(`/operator/v1/cases/${caseId}/decision`, { decision, reasons });
    expect(decided.status).toBe(200);
    await identity.becomes(body.id, status);
    await ears.hears(tenant, identity, 'CREATED PASSPORT');
  });

  test('NOT_VERIFIED when no operator decides in time', async () => {
    const tenant = tenants.impatient!;
    const identity = await newIdentity(tenant.relyingService);
    const { body } = await identity.document(specimen('passport-altered.jpg'));
    await identity.becomes(body.id, 'ADJUDICATION');
    await identity.becomes(body.id, 'NOT_VERIFIED');
    await ears.hears(tenant, identity, 'CREATED PASSPORT');
  });

  test('NOT_VERIFIED when the consent is withdrawn: the case is closed, and a new one opens when the consent is given again', async () => {
    const tenant = tenants.adjudicating!;
    const identity = await newIdentity(tenant.relyingService);
    await submitted(identity, 'passport.jpg', 'VERIFIED');
    const portrait = await selfie(identity, 'portraits/holder.jpg', 'ADJUDICATION');
    const former = await claimed(tenant, portrait);
    const [{ consentId }] = (await identity.get()).consents;
    await tenant.relyingService.delete(`${identity.at}/consents/${consentId}`);
    await identity.becomes(portrait, 'NOT_VERIFIED');
    const ended = await waitFor('the end of the case', async () => {
      const { body } = await tenant.operator.get(`/operator/v1/cases/${former}`);
      return body.state === 'DECIDED' && body;
    });
    expect(ended).toMatchObject({ decision: 'CLOSED', closedBecause: 'CONSENT_WITHDRAWN', media: [], fields: {} });
    await identity.consent('PORTRAIT');
    await identity.becomes(portrait, 'ADJUDICATION');
    const caseId = await claimed(tenant, portrait);
    expect(caseId).not.toBe(former);
    const decided = await tenant.operator.post(`/operator/v1/cases/${caseId}/decision`, { decision: 'ACCEPT' });
    expect(decided.status).toBe(200);
    await identity.becomes(portrait, 'VERIFIED');
    await ears.hears(tenant, identity, 'CREATED PASSPORT', 'CREATED PORTRAIT', 'UPDATED PORTRAIT');
  });

  test('by a decision that comes while the identity is paused, which resumes the identity', async () => {
    const tenant = tenants.resuming!;
    const identity = await newIdentity(tenant.relyingService);
    const { body } = await identity.document(specimen('passport-altered.jpg'));
    await identity.becomes(body.id, 'ADJUDICATION');
    await ears.settled(identity, 'PAUSED');
    expect((await identity.get()).globalStatus.status).toBe('PAUSED');
    const caseId = await claimed(tenant, body.id);
    await tenant.operator.post(`/operator/v1/cases/${caseId}/decision`, { decision: 'ACCEPT', reasons: [] });
    await identity.becomes(body.id, 'VERIFIED');
    expect((await identity.get()).globalStatus.status).toBe('EXPECTING_INPUT');
    await ears.hears(tenant, identity, 'PAUSED', 'CREATED PASSPORT');
  });
});

describe('a re-evaluation', () => {
  test('moves stated attributes from NOT_VERIFIED to VERIFIED with a document that agrees, and back when that is deleted', async () => {
    const tenant = tenants.plain!;
    const identity = await newIdentity(tenant.relyingService);
    const { body } = await tenant.relyingService.post(`${identity.at}/attributes`, {
      surname: { value: 'SPECIMEN' },
      givenNames: [{ value: 'BARRY' }],
    });
    await identity.becomes(body.id, 'NOT_VERIFIED');
    const document = await submitted(identity, 'passport.jpg', 'VERIFIED');
    await identity.becomes(body.id, 'VERIFIED');
    await remove(tenant, identity, document);
    await identity.becomes(body.id, 'NOT_VERIFIED');
    const updates = ['UPDATED ATTRIBUTES', 'UPDATED ATTRIBUTES'];
    await ears.hears(tenant, identity, 'CREATED ATTRIBUTES', 'CREATED PASSPORT', 'DELETED PASSPORT', ...updates);
  });

  test('moves a portrait from VERIFIED to NOT_VERIFIED when its consent is withdrawn, and back when it is given again', async () => {
    const tenant = tenants.plain!;
    const identity = await newIdentity(tenant.relyingService);
    await submitted(identity, 'passport.jpg', 'VERIFIED');
    const portrait = await selfie(identity, 'selfie-same.jpg', 'VERIFIED');
    const [{ consentId }] = (await identity.get()).consents;
    await tenant.relyingService.delete(`${identity.at}/consents/${consentId}`);
    await identity.becomes(portrait, 'NOT_VERIFIED');
    await identity.consent('PORTRAIT');
    await identity.becomes(portrait, 'VERIFIED');
    await ears.hears(tenant, identity, 'CREATED PASSPORT', 'CREATED PORTRAIT', 'UPDATED PORTRAIT', 'UPDATED PORTRAIT');
  });
});

test('an identity begins EXPECTING_INPUT at LOA0 with no upgrade paths, and no webhook is sent', async () => {
  const identity = await newIdentity(tenants.plain!.relyingService);
  expect(identity.created.body).toMatchObject({
    status: 'EXPECTING_INPUT',
    levelOfAssurance: 'LOA0',
    upgradePaths: {},
  });
  await ears.hears(tenants.plain!, identity);
});

describe('a transaction that expires', () => {
  test('times out, announces it, and answers 410', async () => {
    const tenant = tenants.short!;
    const identity = await newIdentity(tenant.relyingService, { context: [{ key: 'BUSINESS_ID', value: 'B-9' }] });
    await waitFor('410', async () => (await tenant.relyingService.get(identity.at)).status === 410, 6000);
    const { body } = await ears.receiver.next('TIMEOUT', (webhook) => webhook.body.identityId === identity.id);
    expect(Object.keys(body).sort()).toEqual(['businessId', 'completedAt', 'event', 'identityId', 'identityStatus']);
    expect(body).toMatchObject({ event: 'IdentityStatusUpdate', identityStatus: 'TIMEOUT' });
    await ears.heard(tenant, identity, 'TIMEOUT');
  });

  test('pauses when the tenant has the feature, and times out at the end of the pause', async () => {
    const identity = await newIdentity(tenants.pausing!.relyingService);
    const { body } = await ears.receiver.next('PAUSED', (webhook) => webhook.body.identityId === identity.id);
    expect(body).toMatchObject({
      event: 'IdentityStatusUpdate',
      identityStatus: 'PAUSED',
      expireAt: expect.stringMatching(/\.\d{3}$/),
    });
    await ears.heard(tenants.pausing!, identity, 'PAUSED', 'TIMEOUT');
  });

  test('retains its evidence while paused, and resumes', async () => {
    const tenant = tenants.resuming!;
    const identity = await newIdentity(tenant.relyingService);
    const document = await submitted(identity, 'passport.jpg', 'VERIFIED');
    await ears.settled(identity, 'CREATED PASSPORT', 'PAUSED');
    expect((await tenant.relyingService.get(`${identity.at}/status`)).body.globalStatus.status).toBe('PAUSED');
    expect((await identity.document(specimen('passport.jpg'))).status).toBe(409);
    expect((await tenant.userAgent.post(`${identity.at}/resume`)).status).toBe(403);
    expect((await tenant.relyingService.post(`${identity.at}/resume`)).status).toBe(200);
    expect((await identity.status(document)).status).toBe('VERIFIED');
    expect((await identity.proof()).status).toBe(200);
    await ears.heard(tenant, identity, 'CREATED PASSPORT', 'PAUSED');
  });
});
