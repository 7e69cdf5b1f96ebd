import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspectProof, readKeys } from '@assay/client';
import type { VerificationAndEvaluationDetails } from '@assay/contracts';
import { apiWith, newIdentity, newTenant, readStack, specimen, type Tenant, waitFor } from '@assay/testing';
import { beforeAll, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';

/*
 * The longest flow: every evidence type the service takes in, one deleted, one replaced, one re-evaluated, one adjudicated, paused and resumed once,
 * continuing a closed identity. Its archive is checked against schemas written by hand from the specification.
 */

const licence = {
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

let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant('long flow', { adjudication: { enabled: true }, issuingSources: { enabled: true } });
});

type Identity = Awaited<ReturnType<typeof newIdentity>>;

const schema = (name: string): object =>
  JSON.parse(readFileSync(join(import.meta.dirname, `schemas/${name}.schema.json`), 'utf8'));

/** An archive, verified with the published keys, its three files valid against the schemas written by hand. */
const checked = async (bytes: Buffer) => {
  const keys = readKeys(await (await fetch(`${readStack().baseUrl}/.well-known/jwks.json`)).text());
  const { report, contents } = await inspectProof(bytes, keys);
  expect(report.reasons).toEqual([]);
  const files = Object.fromEntries(
    Object.entries(contents!.json).map(([name, file]) => [name.replace('.json', ''), JSON.parse(file.toString())]),
  );
  for (const [name, value] of Object.entries(files)) {
    const validate = new Ajv2020({ allErrors: true, strict: false }).compile(schema(name));
    validate(value);
    expect([name, validate.errors]).toEqual([name, null]);
  }
  return { report, ...files } as {
    report: typeof report;
    proof: { proofId: string; previousProofId?: string; hashes: Record<string, { id: string }[]>; ips: string[] };
    identityDetails: { consents: unknown[]; idDocuments: { evidenceId: string }[]; portrait: { evidenceId: string } };
    verificationAndEvaluationDetails: VerificationAndEvaluationDetails[];
  };
};

const closedBefore = async (): Promise<string> => {
  const former = await newIdentity(tenant.relyingService);
  const { bytes } = await former.proof();
  return (await checked(bytes)).proof.proofId;
};

const decide = async (evidenceId: string): Promise<void> => {
  const found = await waitFor('the case', async () => {
    const { body } = await tenant.operator.get('/operator/v1/cases?state=OPEN');
    return body.items.find((each: { evidenceId: string }) => each.evidenceId === evidenceId);
  });
  await tenant.operator.post(`/operator/v1/cases/${found.caseId}/claim`);
  const decision = { decision: 'ACCEPT', reasons: [], comment: 'Compared by eye.' };
  expect((await tenant.operator.post(`/operator/v1/cases/${found.caseId}/decision`, decision)).status).toBe(200);
};

const verifyEmail = async (identity: Identity): Promise<void> => {
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

const liveDocument = async (identity: Identity): Promise<string> => {
  const { body } = await tenant.relyingService.post(`${identity.at}/id-documents/live-capture-session`, {
    idDocumentType: 'PASSPORT',
  });
  const path = `/svc/v1/live-capture-sessions/${body.sessionId}`;
  await tenant.relyingService.upload(`${path}/frames`, { Frame: specimen('passport.jpg'), side: 'FRONT' });
  await tenant.relyingService.post(`${path}/end`);
  await identity.stable(body.id, 60_000);
  return body.id;
};

const pauseAndResume = async (identity: Identity): Promise<void> => {
  const admin = apiWith(readStack().baseUrl, readStack().keys.admin);
  const change = (settings: object) => admin.patch(`/admin/v1/tenants/${tenant.tenantId}`, { settings });
  await change({ transactionLifetimeSeconds: 1, pauseResume: { enabled: true, pauseDurationSeconds: 600 } });
  await identity.consent('ADDRESS');
  await waitFor('PAUSED', async () => (await identity.get()).globalStatus?.status === 'PAUSED', 20_000);
  await change({ transactionLifetimeSeconds: 1800 });
  expect((await tenant.relyingService.post(`${identity.at}/resume`)).status).toBe(200);
};

/** Everything the service takes in, on one identity. */
const everything = async (identity: Identity) => {
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
  await decide(adjudicated);
  await identity.becomes(adjudicated, 'VERIFIED', 60_000);
  const deleted = await post('id-documents', licence);
  await identity.stable(deleted, 60_000);
  await tenant.relyingService.delete(`${identity.at}/evidences/${deleted}`);
  const stated = [
    await post('attributes', { surname: { value: 'SPECIMEN' }, givenNames: [{ value: 'BARRY' }] }),
    await post('addresses', { streetDetails: { streetLines: ['1 SPECIMEN STREET'] }, city: 'UTOPIA' }),
    await post('id-document/aus/medicare', card),
    await upload('portrait-reference', { Portrait: specimen('selfie-same.jpg') }),
  ];
  for (const id of stated) await identity.stable(id, 60_000);
  const files = await upload('additional-files', {
    File: Buffer.from('a synthetic note'),
    Metadata: JSON.stringify([{ key: 'kind', value: 'note' }]),
  });
  await verifyEmail(identity);
  const live = await liveDocument(identity);
  return { replaced, portrait, passport, adjudicated, deleted, files, live };
};

test('the archive of the longest flow is complete and as specified', async () => {
  const previousProofId = await closedBefore();
  const identity = await newIdentity(tenant.relyingService, {
    context: [
      { key: 'BUSINESS_ID', value: 'B-long' },
      { key: 'PREVIOUS_PROOF_ID', value: previousProofId },
    ],
  });
  const ids = await everything(identity);
  await pauseAndResume(identity);
  await waitFor('the end of processing', async () => (await identity.get()).globalStatus.status === 'EXPECTING_INPUT');
  const answer = await identity.proof();
  expect(answer.status).toBe(200);
  const archive = await checked(answer.bytes);
  const elements = archive.verificationAndEvaluationDetails;
  const of = (id: string, type: 'ADD' | 'DELETE' = 'ADD') =>
    elements.find((element) => element.participantContextId === id && element.identityOperation.type === type)!;

  expect(archive.proof.previousProofId).toBe(previousProofId);
  expect(archive.report.proof?.levelOfAssurance).toMatch(/^LOA[2-6]$/);
  expect(elements.every(({ businessId }) => businessId === 'B-long')).toBe(true);
  expect(elements.filter(({ identityOperation }) => identityOperation.type === 'DELETE')).toHaveLength(3);
  expect(of(ids.replaced, 'DELETE').evidenceDetails).toMatchObject({ family: 'IDENTIFICATION' });
  expect(of(ids.replaced).evidenceDetails).not.toHaveProperty('captureImages');
  expect(of(ids.deleted).evidenceDetails!.data).toMatchObject({ documentNumber: licence.idDocumentNumber });
  expect(of(ids.portrait).identityOperationParent).toBe(
    archive.identityDetails.portrait &&
      of(ids.portrait).verificationDetails!.find(({ participantType }) => participantType === 'BIOMETRIC_MATCHING')!
        .linkedIdentityOperation,
  );
  const participants = of(ids.adjudicated).verificationDetails!.map(({ participantType }) => participantType);
  expect(participants).toContain('ADJUDICATION');
  expect(JSON.stringify(of(ids.adjudicated))).toContain('Compared by eye.');
  expect(of(ids.files).additionalFile!.metadata).toContainEqual({ key: 'kind', value: 'note' });
  expect(of(ids.live).sessionId).toEqual(expect.any(String));
  const contact = elements.find(({ evidenceDetails }) => evidenceDetails?.family === 'CONTACT');
  expect(contact!.contactDetails!.email).toMatchObject({ verified: true, otp: { status: 'DONE' } });
  expect(archive.proof.hashes.additionalFiles).toHaveLength(1);
  expect(archive.proof.ips).toEqual(['127.0.0.1']);
}, 300_000);
