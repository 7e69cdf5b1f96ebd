import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspectProof, readKeys } from '@assay/client';
import type { IdDocumentData, VerificationAndEvaluationDetails } from '@assay/contracts';
import { apiWith, newIdentity, newTenant, readStack, type Tenant, waitFor } from '@assay/testing';
import { beforeAll, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { everything, type Identity, licence } from './setup/longest-flow.ts';

/*
 * The longest flow: every evidence type that the service accepts, one deleted, one replaced, one
 * re-evaluated, one adjudicated. The identity is paused and resumed once, and continues a closed
 * one. The archive must match schemas that were written by hand from the specification.
 */

let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant('long flow', { adjudication: { enabled: true }, issuingSources: { enabled: true } });
});

const schema = (name: string): object =>
  JSON.parse(readFileSync(join(import.meta.dirname, `schemas/${name}.schema.json`), 'utf8'));

/** Other tests keep the gateway busy meanwhile: it may answer 503. */
const fetched = (path: string): Promise<string> =>
  waitFor(path, async () => {
    const reply = await fetch(`${readStack().baseUrl}${path}`);
    return reply.ok && reply.text();
  });

const published = async (name: string): Promise<object> => JSON.parse(await fetched(`/schemas/${name}.schema.json`));

/**
 * Opens an archive. It must verify with the published keys, and its three files must match the
 * schemas written by hand and those that the service publishes.
 */
const checked = async (bytes: Buffer) => {
  const keys = readKeys(await fetched('/.well-known/jwks.json'));
  const { report, contents } = await inspectProof(bytes, keys);
  expect(report.reasons).toEqual([]);
  const files = Object.fromEntries(
    Object.entries(contents!.json).map(([name, file]) => [name.replace('.json', ''), JSON.parse(file.toString())]),
  );
  for (const [name, value] of Object.entries(files)) {
    for (const shape of [schema(name), await published(name)]) {
      const validate = new Ajv2020({ allErrors: true, strict: false, validateFormats: false }).compile(shape);
      validate(value);
      expect([name, validate.errors]).toEqual([name, null]);
    }
  }
  return { report, ...files } as {
    report: typeof report;
    proof: {
      proofId: string;
      previousProofId?: string;
      startDateTime: string;
      hashes: Record<string, { id: string }[]>;
      ips: string[];
    };
    identityDetails: {
      consents: unknown[];
      idDocuments: { evidenceId: string; idDocumentData: IdDocumentData }[];
      portrait: { evidenceId: string };
    };
    verificationAndEvaluationDetails: VerificationAndEvaluationDetails[];
  };
};

const closedBefore = async (): Promise<string> => {
  const former = await newIdentity(tenant.relyingService);
  const { bytes } = await former.proof();
  return (await checked(bytes)).proof.proofId;
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

test('the archive of the longest flow is complete and as specified', async () => {
  const previousProofId = await closedBefore();
  const identity = await newIdentity(tenant.relyingService, {
    context: [
      { key: 'BUSINESS_ID', value: 'B-long' },
      { key: 'PREVIOUS_PROOF_ID', value: previousProofId },
    ],
  });
  const ids = await everything(tenant, identity);
  await pauseAndResume(identity);
  await waitFor('the end of processing', async () => (await identity.get()).globalStatus.status === 'EXPECTING_INPUT');
  const answer = await identity.proof();
  expect(answer.status).toBe(200);
  const archive = await checked(answer.bytes);
  const elements = archive.verificationAndEvaluationDetails;
  const elementOf = (id: string, type: 'ADD' | 'DELETE' = 'ADD') =>
    elements.find((element) => element.participantContextId === id && element.identityOperation.type === type)!;

  expect(archive.proof.previousProofId).toBe(previousProofId);
  expect(archive.report.proof?.levelOfAssurance).toMatch(/^LOA[2-6]$/);
  expect(elements.every(({ businessId }) => businessId === 'B-long')).toBe(true);
  expect(elements.filter(({ identityOperation }) => identityOperation.type === 'DELETE')).toHaveLength(3);
  // The passport came first, when higher levels could still be reached.
  expect(elementOf(ids.passport).evaluationDetails!.loaAndUpgradePath!.upgradePaths!.length).toBeGreaterThan(0);
  expect(elementOf(ids.replaced, 'DELETE').evidenceDetails).toMatchObject({ family: 'IDENTIFICATION' });
  expect(elementOf(ids.replaced).evidenceDetails).not.toHaveProperty('captureImages');
  expect(elementOf(ids.deleted).evidenceDetails!.data).toMatchObject({ documentNumber: licence.idDocumentNumber });
  expect(elementOf(ids.deleted).evidenceDetails!.data!.metadata).toContainEqual({ key: 'issuingState', value: 'VA' });
  expect(elementOf(ids.card).evidenceDetails!.data!.metadata).toContainEqual({ key: 'cardType', value: 'G' });
  const participants = elements.flatMap(({ verificationDetails }) => verificationDetails ?? []);
  for (const { sessionId, processingDetails, verificationDetails } of elements)
    for (const { sessionCreationTime } of verificationDetails ?? [])
      expect(sessionCreationTime).toBe(sessionId ? processingDetails!.startDateTime : archive.proof.startDateTime);
  const readers = participants.filter(({ participantType }) => participantType === 'IMAGE_OCR');
  for (const { mainOcrService } of readers) expect(mainOcrService).toMatch(/^assay-reading \d+\.\d+\.\d+$/);
  expect(readers).toHaveLength(4);
  const shown = archive.identityDetails.idDocuments.find(
    ({ evidenceId }) => evidenceId === ids.licence,
  )!.idDocumentData;
  const metadata = elementOf(ids.licence).evidenceDetails!.data!.metadata!;
  expect(shown.address!.streetDetails!.streetLines.length).toBeGreaterThan(0);
  for (const value of shown.address!.streetDetails!.streetLines)
    expect(metadata).toContainEqual({ key: 'streetLine', value });
  expect(metadata).toContainEqual({ key: 'postcode', value: shown.address!.postcode });
  expect(metadata).toContainEqual({ key: 'issuingState', value: shown.issuingState });
  expect(elementOf(ids.portrait).identityOperationParent).toBe(
    archive.identityDetails.portrait &&
      elementOf(ids.portrait).verificationDetails!.find(
        ({ participantType }) => participantType === 'BIOMETRIC_MATCHING',
      )!.linkedIdentityOperation,
  );
  expect(elementOf(ids.adjudicated).verificationDetails!.map(({ participantType }) => participantType)).toContain(
    'ADJUDICATION',
  );
  expect(JSON.stringify(elementOf(ids.adjudicated))).toContain('Compared by eye.');
  expect(elementOf(ids.files).additionalFile!.metadata).toContainEqual({ key: 'kind', value: 'note' });
  expect(elementOf(ids.live).sessionId).toEqual(expect.any(String));
  const whole = JSON.stringify(elements);
  for (const call of ['/contacts/email/otp', '/frames', '/end', '/resume']) expect(whole).toContain(`${call}\\",`);
  const contact = elements.find(({ evidenceDetails }) => evidenceDetails?.family === 'CONTACT');
  expect(contact!.contactDetails!.email).toMatchObject({ verified: true, otp: { status: 'DONE' } });
  expect(archive.proof.hashes.additionalFiles).toHaveLength(1);
  expect(archive.proof.ips).toEqual(['127.0.0.1']);
}, 300_000);
