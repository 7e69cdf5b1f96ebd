import { type newIdentity, readStack, specimen, type Tenant, waitFor } from '@assay/testing';
import { expect } from '@jest/globals';

export type Identity = Awaited<ReturnType<typeof newIdentity>>;

export const licence = {
  idDocumentType: 'DRIVING_LICENSE',
  idDocumentNumber: 'T64235781',
  issuingCountry: 'USA',
  issuingState: 'VA',
  expiryDate: '2035-08-12',
  personalAttributes: {
    dateOfBirth: { value: '1974-08-12' },
    givenNames: [{ value: 'BARRY' }],
    surname: { value: 'SPECIMEN' },
  },
};
const card = {
  cardNumber: '2951638471',
  cardType: 'G',
  expiryDate: '2035-01-01',
  personalAttributes: { fullname: { value: 'BARRY SPECIMEN' }, dateOfBirth: { value: '1974-08-12' } },
};

const decide = async (tenant: Tenant, evidenceId: string): Promise<void> => {
  const found = await waitFor('the case', async () => {
    const { body } = await tenant.operator.get('/operator/v1/cases?state=OPEN');
    return body.items.find((each: { evidenceId: string }) => each.evidenceId === evidenceId);
  });
  await tenant.operator.post(`/operator/v1/cases/${found.caseId}/claim`);
  const decision = { decision: 'ACCEPT', reasons: [], comment: 'Compared by eye.' };
  expect((await tenant.operator.post(`/operator/v1/cases/${found.caseId}/decision`, decision)).status).toBe(200);
};

const verifyEmail = async (tenant: Tenant, identity: Identity): Promise<void> => {
  await identity.consent('EMAIL_OTP');
  const address = `${identity.id}@mail.example`;
  await tenant.relyingService.post(`${identity.at}/contacts/email`, { value: address });
  const code = await waitFor('the code', async () => {
    const messages = await (
      await fetch(`${readStack().mailcatcher}/messages?to=${encodeURIComponent(address)}`)
    ).text();
    return /\b(\d{6})\b/.exec(messages.replaceAll(address, ''))?.[1];
  });
  const verified = await tenant.relyingService.post(`${identity.at}/contacts/email/otp`, { otp: code });
  expect(verified.status).toBe(200);
};

const liveDocument = async (tenant: Tenant, identity: Identity): Promise<string> => {
  const { body } = await tenant.relyingService.post(`${identity.at}/id-documents/live-capture-session`, {
    idDocumentType: 'PASSPORT',
  });
  const path = `/svc/v1/live-capture-sessions/${body.sessionId}`;
  await tenant.relyingService.upload(`${path}/frames`, { Frame: specimen('passport.jpg'), side: 'FRONT' });
  await tenant.relyingService.post(`${path}/end`);
  await identity.stable(body.id, 60_000);
  return body.id;
};

/** Submits every evidence type that the service accepts, for one identity. */
export const everything = async (tenant: Tenant, identity: Identity) => {
  const post = async (path: string, body: unknown): Promise<string> => {
    const answer = await tenant.relyingService.post(`${identity.at}/${path}`, body);
    expect(answer.status).toBe(200);
    return answer.body.id;
  };
  const upload = async (path: string, parts: Record<string, Buffer | string>): Promise<string> => {
    const answer = await tenant.relyingService.upload(`${identity.at}/${path}`, parts);
    expect(answer.status).toBe(200);
    return answer.body.id;
  };
  await identity.consent('PORTRAIT', 'GIV');
  const [first] = (await identity.consent('MOBILE')).body;
  await tenant.relyingService.delete(`${identity.at}/consents/${first.consentId}`);
  const replaced = (await identity.portrait(specimen('selfie-same.jpg'))).body.id as string;
  await identity.becomes(replaced, 'NOT_VERIFIED', 60_000);
  const portrait = (await identity.portrait(specimen('selfie-same.jpg'))).body.id as string;
  await identity.becomes(portrait, 'NOT_VERIFIED', 60_000);
  const passport = (await identity.document(specimen('passport.jpg'))).body.id as string;
  await identity.becomes(passport, 'VERIFIED', 60_000);
  await identity.becomes(portrait, 'VERIFIED', 60_000);
  const adjudicated = (await identity.document(specimen('passport-altered.jpg'))).body.id as string;
  await identity.becomes(adjudicated, 'ADJUDICATION', 60_000);
  await decide(tenant, adjudicated);
  await identity.becomes(adjudicated, 'VERIFIED', 60_000);
  const pictures = await identity.document(specimen('us-licence-front.jpg'), specimen('us-licence-back.jpg'));
  await identity.stable(pictures.body.id, 60_000);
  const deleted = await post('id-documents', licence);
  await identity.stable(deleted, 60_000);
  await tenant.relyingService.delete(`${identity.at}/evidences/${deleted}`);
  const healthCard = await post('id-document/aus/medicare', card);
  const stated = [
    await post('attributes', { surname: { value: 'SPECIMEN' }, givenNames: [{ value: 'BARRY' }] }),
    await post('addresses', { streetDetails: { streetLines: ['1 SPECIMEN STREET'] }, city: 'UTOPIA' }),
    healthCard,
    await upload('portrait-reference', { Portrait: specimen('selfie-same.jpg') }),
  ];
  for (const id of stated) await identity.stable(id, 60_000);
  const files = await upload('additional-files', {
    File: Buffer.from('a synthetic note'),
    Metadata: JSON.stringify([{ key: 'kind', value: 'note' }]),
  });
  await verifyEmail(tenant, identity);
  const live = await liveDocument(tenant, identity);
  return {
    replaced,
    portrait,
    passport,
    adjudicated,
    deleted,
    licence: pictures.body.id as string,
    card: healthCard,
    files,
    live,
  };
};
