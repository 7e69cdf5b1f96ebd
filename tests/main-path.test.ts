import {
  newIdentity,
  newTenant,
  readStack,
  specimen,
  startWebhookReceiver,
  type Tenant,
  type WebhookReceiver,
} from '@assay/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

const statusOf = (identity: { idDocuments: { evidenceId: string; evidenceStatus: object }[] }, evidenceId: string) =>
  identity.idDocuments.find((document) => document.evidenceId === evidenceId)?.evidenceStatus;

let receiver: WebhookReceiver;
let tenant: Tenant;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
  tenant = await newTenant('main path', {
    issuingSources: { enabled: true },
    webhook: { url: receiver.url, mode: 'HMAC', headerName: 'x-signature', secret: 'a webhook secret' },
  });
});
afterAll(() => receiver.close());

const webhookFor = (evidenceId: string, operation: string, timeoutMs?: number) =>
  receiver.next(
    `${operation} of ${evidenceId}`,
    ({ body }) => body.evidence?.evidenceId === evidenceId && body.evidence.evidenceOperation === operation,
    timeoutMs,
  );

test('a passport and a matching selfie reach LOA2, and the proof closes the identity', async () => {
  const identity = await newIdentity(tenant.relyingService, { context: [{ key: 'BUSINESS_ID', value: 'B-1' }] });
  expect(identity.created).toMatchObject({
    status: 200,
    body: { status: 'EXPECTING_INPUT', levelOfAssurance: 'LOA0', upgradePaths: {} },
  });
  expect(identity.created.body.evaluationDateTime).toBe(identity.created.body.creationDateTime);
  await identity.consent('PORTRAIT');

  const submitted = await identity.document(specimen('passport.jpg'));
  expect(submitted).toMatchObject({ status: 200, body: { status: 'PROCESSING', type: 'ID_DOCUMENT' } });
  expect(await identity.stable(submitted.body.id)).toEqual({
    id: submitted.body.id,
    type: 'PASSPORT',
    status: 'VERIFIED',
  });
  expect((await webhookFor(submitted.body.id, 'CREATED')).body).toMatchObject({
    event: 'Evaluation',
    identityId: identity.id,
    businessId: 'B-1',
    identityStatus: 'EXPECTING_INPUT',
    evidence: { evidenceType: 'PASSPORT' },
  });

  const document = (await identity.get()).idDocuments[0];
  expect(document).toMatchObject({
    type: 'PASSPORT',
    evidenceStatus: { status: 'VERIFIED', score: 'LEVEL2', strength: 'LEVEL4', isAdjudicable: expect.any(Boolean) },
    idDocumentData: {
      idDocumentType: 'PASSPORT',
      idDocumentNumber: 'L898902C3',
      issuingCountry: 'UTO',
      expiryDate: '2035-04-15',
      personalAttributes: {
        surname: { value: 'SPECIMEN', verified: true },
        givenNames: [{ value: 'BARRY' }, { value: 'HENRY' }],
        dateOfBirth: { value: '1974-08-12', verified: true },
        gender: { value: 'M' },
      },
    },
  });
  expect(document.evidenceStatus.positiveIndicators).toEqual(
    expect.arrayContaining(['MRZ_CHECKSUMS_OK', 'MODEL_RECOGNIZED_OK', 'PORTRAIT_OK']),
  );
  expect(document.evidenceStatus.unverifiedIndicators).toContain('VISUAL_SECURITY_UNVERIFIED');
  expect(document.evidenceStatus.unverifiedIndicators).toContain('GIV_VERIFICATION_UNVERIFIED');

  const portrait = await identity.portrait(specimen('selfie-same.jpg'));
  expect(portrait).toMatchObject({ status: 200, body: { status: 'PROCESSING', type: 'PORTRAIT' } });
  expect(await identity.stable(portrait.body.id)).toMatchObject({ status: 'VERIFIED', type: 'PORTRAIT' });

  const full = await identity.get();
  expect(full.globalStatus).toMatchObject({
    id: identity.id,
    status: 'EXPECTING_INPUT',
    levelOfAssurance: 'LOA2',
    nameReferenceEvidenceId: submitted.body.id,
    portraitReferenceEvidenceId: submitted.body.id,
  });
  expect(full.portrait).toMatchObject({
    evidenceId: portrait.body.id,
    type: 'PORTRAIT',
    evidenceStatus: { status: 'VERIFIED', score: 'LEVEL2' },
    portraitQuality: true,
  });

  const proof = await identity.proof();
  expect(proof.status).toBe(200);
  expect(proof.headers.get('content-type')).toMatch(/^multipart\/form-data; boundary=[^"=]+$/);
  expect((await tenant.relyingService.get(identity.at)).status).toBe(410);
  const again = await identity.proof();
  expect(again.bytes.equals(proof.bytes)).toBe(true);
});

test('an identity card is read from its back and scored', async () => {
  const identity = await newIdentity(tenant.relyingService);
  const { body } = await identity.document(specimen('identity-card-front.jpg'), specimen('identity-card-back.jpg'), {
    documentType: 'IDENTITY_CARD',
  });
  expect(await identity.stable(body.id)).toMatchObject({ type: 'IDENTITY_CARD', status: 'VERIFIED' });
  expect((await identity.get()).globalStatus.levelOfAssurance).toBe('LOA1');
});

describe('a portrait', () => {
  test('of another person ends INVALID', async () => {
    const identity = await newIdentity(tenant.relyingService);
    await identity.consent('PORTRAIT');
    const document = await identity.document(specimen('passport.jpg'));
    await identity.becomes(document.body.id, 'VERIFIED');
    const portrait = await identity.portrait(specimen('selfie-other.jpg'));
    expect(await identity.stable(portrait.body.id)).toMatchObject({ status: 'INVALID' });
    await webhookFor(portrait.body.id, 'CREATED');
    expect((await identity.get()).globalStatus.levelOfAssurance).toBe('LOA1');
  });

  test('before any document ends NOT_VERIFIED, and becomes VERIFIED with the document', async () => {
    const identity = await newIdentity(tenant.userAgent);
    await identity.consent('PORTRAIT');
    const portrait = await identity.portrait(specimen('selfie-same.jpg'));
    expect(await identity.stable(portrait.body.id)).toMatchObject({ status: 'NOT_VERIFIED' });
    await webhookFor(portrait.body.id, 'CREATED');
    const document = await identity.document(specimen('passport.jpg'));
    await identity.becomes(document.body.id, 'VERIFIED');
    await identity.becomes(portrait.body.id, 'VERIFIED');
    await webhookFor(portrait.body.id, 'UPDATED');
    expect(receiver.received.filter(({ body }) => body.evidence?.evidenceId === portrait.body.id)).toHaveLength(2);
  });

  test('without consent is refused and leaves nothing', async () => {
    const identity = await newIdentity(tenant.relyingService);
    const refused = await identity.portrait(specimen('selfie-same.jpg'));
    expect([refused.status, refused.body.errors[0].code]).toEqual([403, '3001']);
    expect((await identity.get()).portrait).toBeUndefined();
  });
});

describe('documents that their issuer knows', () => {
  const licence = {
    idDocumentType: 'DRIVING_LICENSE',
    idDocumentNumber: 'T64235789',
    issuingCountry: 'USA',
    issuingState: 'VA',
    expiryDate: '2035-08-12',
    personalAttributes: {
      dateOfBirth: { value: '1974-08-12' },
      givenNames: [{ value: 'BARRY' }, { value: 'HENRY' }],
      surname: { value: 'SPECIMEN' },
      gender: { value: 'M' },
    },
  };
  const card = {
    cardNumber: '2951638471',
    cardType: 'G',
    expiryDate: '2035-01-01',
    individualReferenceNumber: 1,
    personalAttributes: { fullname: { value: 'BARRY H SPECIMEN' }, dateOfBirth: { value: '1974-08-12' } },
  };
  const record = (source: 'dvs' | 'aamva', body: unknown) =>
    fetch(`${readStack().simulators[source]}/records`, {
      method: 'PUT',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });

  test('are verified from text', async () => {
    await record('aamva', licence);
    const identity = await newIdentity(tenant.relyingService);
    expect((await identity.text(licence)).status).toBe(403);
    await identity.consent('GIV');
    const submitted = await identity.text(licence);
    expect(submitted).toMatchObject({ status: 200, body: { status: 'PROCESSING', type: 'DRIVING_LICENSE' } });
    expect(await identity.stable(submitted.body.id)).toMatchObject({ status: 'VERIFIED' });
    const full = await identity.get();
    expect(statusOf(full, submitted.body.id)).toMatchObject({
      score: 'LEVEL2',
      strength: 'LEVEL2',
      positiveIndicators: expect.arrayContaining([
        'GIV_ELIGIBILITY_OK',
        'GIV_VERIFICATION_VERIFIED',
        'SURNAME_COMPARE_OK',
      ]),
    });
    expect(full.globalStatus.levelOfAssurance).toBe('LOA1');
  });

  test('are verified from a health card', async () => {
    await record('dvs', card);
    const identity = await newIdentity(tenant.relyingService);
    await identity.consent('GIV');
    const submitted = await identity.healthCard(card);
    expect(submitted).toMatchObject({ status: 200, body: { type: 'MEDICARE' } });
    expect(await identity.stable(submitted.body.id)).toMatchObject({ status: 'VERIFIED', type: 'MEDICARE' });
    expect(statusOf(await identity.get(), submitted.body.id)).toMatchObject({ score: 'LEVEL1' });
  });

  test('are INVALID when the issuer has no such document', async () => {
    const identity = await newIdentity(tenant.relyingService);
    await identity.consent('GIV');
    const submitted = await identity.text({ ...licence, idDocumentNumber: 'T00000001' });
    expect(await identity.stable(submitted.body.id)).toMatchObject({ status: 'INVALID' });
  });

  test('are NOT_VERIFIED when the tenant does not have the feature', async () => {
    const plain = await newTenant('no issuing sources');
    const identity = await newIdentity(plain.relyingService);
    await identity.consent('GIV');
    const submitted = await identity.text(licence);
    expect(await identity.stable(submitted.body.id)).toMatchObject({ status: 'NOT_VERIFIED' });
    expect(statusOf(await identity.get(), submitted.body.id)).toMatchObject({
      unverifiedIndicators: expect.arrayContaining(['GIV_AVAILABILITY_UNVERIFIED', 'GIV_VERIFICATION_UNVERIFIED']),
    });
  });
});
