import {
  newIdentity,
  newTenant,
  specimen,
  startWebhookReceiver,
  type Tenant,
  type WebhookReceiver,
  waitFor,
} from '@assay/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

/* Every row of the specification's state tables, with the webhooks it must send and no others. */

let receiver: WebhookReceiver;
const tenants: Record<string, Tenant> = {};
beforeAll(async () => {
  receiver = await startWebhookReceiver();
  const webhook = { url: receiver.url, mode: 'NONE' } as const;
  tenants.plain = await newTenant('states', { webhook });
  tenants.adjudicating = await newTenant('adjudicating states', { webhook, adjudication: { enabled: true } });
  tenants.short = await newTenant('short states', { webhook, transactionLifetimeSeconds: 1 });
  tenants.pausing = await newTenant('pausing states', {
    webhook,
    transactionLifetimeSeconds: 1,
    pauseResume: { enabled: true, pauseDurationSeconds: 2 },
  });
  tenants.resuming = await newTenant('resuming states', {
    webhook,
    transactionLifetimeSeconds: 2,
    pauseResume: { enabled: true, pauseDurationSeconds: 60 },
  });
});
afterAll(() => receiver.close());

type Identity = Awaited<ReturnType<typeof newIdentity>>;

/** What was told about an identity, in the order it arrived: operation and evidence type, or the identity's status. */
const told = (identity: Identity): string[] =>
  receiver.received
    .filter(({ body }) => body.identityId === identity.id)
    .map(({ body }) =>
      body.evidence ? `${body.evidence.evidenceOperation} ${body.evidence.evidenceType}` : body.identityStatus,
    );
const hears = async (identity: Identity, ...expected: string[]) => {
  await waitFor(
    `${expected.join(', ')} (heard: ${told(identity).join(', ')})`,
    () => told(identity).length >= expected.length,
  );
  expect(told(identity).toSorted()).toEqual(expected.toSorted());
};
const submitted = async (identity: Identity, front: string, status: string) => {
  const { body } = await identity.document(specimen(front));
  await identity.becomes(body.id, status);
  return body.id as string;
};
const selfie = async (identity: Identity, image: string, status: string) => {
  await identity.consent('PORTRAIT');
  const { body } = await identity.portrait(specimen(image));
  await identity.becomes(body.id, status);
  return body.id as string;
};
const remove = (tenant: Tenant, identity: Identity, evidenceId: string) =>
  tenant.relyingService.delete(`${identity.at}/evidences/${evidenceId}`);

describe('PROCESSING ends', () => {
  test('VERIFIED, NOT_VERIFIED or INVALID, each with one notification', async () => {
    const identity = await newIdentity(tenants.plain!.relyingService);
    await submitted(identity, 'passport.jpg', 'VERIFIED');
    await submitted(identity, 'passport-expired.jpg', 'INVALID');
    await submitted(identity, 'passport-altered.jpg', 'NOT_VERIFIED');
    await hears(identity, 'CREATED PASSPORT', 'CREATED PASSPORT', 'CREATED PASSPORT');
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
    await hears(identity, 'CREATED PASSPORT');
  });
});

describe('a portrait', () => {
  test('is NOT_VERIFIED before any reference, and VERIFIED once there is one', async () => {
    const identity = await newIdentity(tenants.plain!.relyingService);
    const portrait = await selfie(identity, 'selfie-same.jpg', 'NOT_VERIFIED');
    await submitted(identity, 'passport.jpg', 'VERIFIED');
    await identity.becomes(portrait, 'VERIFIED');
    await hears(identity, 'CREATED PORTRAIT', 'CREATED PASSPORT', 'UPDATED PORTRAIT');
  });

  test('is NOT_VERIFIED before any reference, and INVALID once there is another person', async () => {
    const identity = await newIdentity(tenants.plain!.relyingService);
    const portrait = await selfie(identity, 'selfie-other.jpg', 'NOT_VERIFIED');
    await submitted(identity, 'passport.jpg', 'VERIFIED');
    await identity.becomes(portrait, 'INVALID');
    await hears(identity, 'CREATED PORTRAIT', 'CREATED PASSPORT', 'UPDATED PORTRAIT');
  });

  test.each([
    ['VERIFIED', 'selfie-same.jpg'],
    ['INVALID', 'selfie-other.jpg'],
  ])('that is %s becomes NOT_VERIFIED when its reference is deleted', async (status, image) => {
    const tenant = tenants.plain!;
    const identity = await newIdentity(tenant.relyingService);
    const document = await submitted(identity, 'passport.jpg', 'VERIFIED');
    const portrait = await selfie(identity, image, status);
    expect((await remove(tenant, identity, document)).status).toBeLessThan(300);
    await identity.becomes(portrait, 'NOT_VERIFIED');
    expect((await identity.get()).globalStatus.levelOfAssurance).toBe('LOA0');
    expect((await tenant.relyingService.get(`${identity.at}/status/${document}`)).status).toBe(404);
    await hears(identity, 'CREATED PASSPORT', 'CREATED PORTRAIT', 'DELETED PASSPORT', 'UPDATED PORTRAIT');
  });

  test('moves between VERIFIED and INVALID with another reference', async () => {
    const tenant = tenants.plain!;
    const identity = await newIdentity(tenant.relyingService);
    const own = await submitted(identity, 'passport.jpg', 'VERIFIED');
    const portrait = await selfie(identity, 'selfie-same.jpg', 'VERIFIED');
    const other = await submitted(identity, 'passport-other-portrait.jpg', 'VERIFIED');
    expect((await identity.status(portrait)).status).toBe('VERIFIED');
    await remove(tenant, identity, own);
    await identity.becomes(portrait, 'INVALID');
    await submitted(identity, 'passport.jpg', 'VERIFIED');
    await remove(tenant, identity, other);
    await identity.becomes(portrait, 'VERIFIED');
  });

  test('that replaces another leaves one portrait, and the former answers 404', async () => {
    const tenant = tenants.plain!;
    const identity = await newIdentity(tenant.relyingService);
    const first = await selfie(identity, 'selfie-other.jpg', 'NOT_VERIFIED');
    const second = await selfie(identity, 'selfie-same.jpg', 'NOT_VERIFIED');
    expect((await tenant.relyingService.get(`${identity.at}/status/${first}`)).status).toBe(404);
    expect((await identity.get()).portrait.evidenceId).toBe(second);
    await hears(identity, 'CREATED PORTRAIT', 'CREATED PORTRAIT');
  });
});

describe('a transaction that expires', () => {
  test('times out, tells so, and answers 410', async () => {
    const tenant = tenants.short!;
    const identity = await newIdentity(tenant.relyingService, { context: [{ key: 'BUSINESS_ID', value: 'B-9' }] });
    await waitFor('410', async () => (await tenant.relyingService.get(identity.at)).status === 410, 6000);
    const { body } = await receiver.next('TIMEOUT', (webhook) => webhook.body.identityId === identity.id);
    expect(Object.keys(body).sort()).toEqual(['businessId', 'completedAt', 'event', 'identityId', 'identityStatus']);
    expect(body).toMatchObject({ event: 'IdentityStatusUpdate', identityStatus: 'TIMEOUT' });
  });

  test('pauses where the tenant has it, and times out at the end of the pause', async () => {
    const identity = await newIdentity(tenants.pausing!.relyingService);
    const { body } = await receiver.next('PAUSED', (webhook) => webhook.body.identityId === identity.id);
    expect(body).toMatchObject({
      event: 'IdentityStatusUpdate',
      identityStatus: 'PAUSED',
      expireAt: expect.stringMatching(/\.\d{3}$/),
    });
    await hears(identity, 'PAUSED', 'TIMEOUT');
  });

  test('keeps its evidence while paused and resumes', async () => {
    const tenant = tenants.resuming!;
    const identity = await newIdentity(tenant.relyingService);
    const document = await submitted(identity, 'passport.jpg', 'VERIFIED');
    await receiver.next('PAUSED', ({ body }) => body.identityId === identity.id && body.identityStatus === 'PAUSED');
    expect((await tenant.relyingService.get(`${identity.at}/status`)).body.globalStatus).toBe('PAUSED');
    expect((await identity.document(specimen('passport.jpg'))).status).toBe(409);
    expect((await tenant.userAgent.post(`${identity.at}/resume`)).status).toBe(403);
    expect((await tenant.relyingService.post(`${identity.at}/resume`)).status).toBe(200);
    expect((await identity.status(document)).status).toBe('VERIFIED');
    expect((await identity.proof()).status).toBe(200);
  });
});
