import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { VerificationAndEvaluationDetails } from '@assay/contracts';
import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { gather, type HistoryRecord } from '../domain/history.ts';
import { publishedSchemas } from '../domain/published-schemas.ts';
import { gapsOf } from '../domain/readiness.ts';
import { TENANT } from '../testing/event-builder.ts';
import { longestFlow } from '../testing/longest-flow.ts';
import { planOf } from '../testing/plan-of.ts';
import { openHistory } from './open-history.ts';

const flow = longestFlow('elements', { videosInProof: true });
const plan = planOf(flow);
const elements = JSON.parse(plan.verificationAndEvaluationDetails.toString()) as VerificationAndEvaluationDetails[];
const elementsOf = (type: string, operation = 'ADD') =>
  elements.filter(
    ({ evidenceDetails, identityOperation }) => evidenceDetails?.type === type && identityOperation.type === operation,
  );

const deletionEvent = ({ identityId }: typeof flow, evidenceId: string) => ({
  id: 'deletion-of-the-chip',
  type: 'evidence.deleted',
  at: '2026-03-02T10:20:00.000Z',
  tenantId: TENANT,
  identityId,
  data: {
    evidenceId,
    type: 'PASSPORT',
    operation: 'EVIDENCE_NFC_VERIFICATION',
    reason: 'DELETED',
    deletedAt: '2026-03-02T10:20:00.000',
  },
});

const FILES = {
  proof: { ...plan.proof, signature: 'a.b.c' },
  identityDetails: flow.request.identity,
  verificationAndEvaluationDetails: elements,
};
const byHand = (name: string): object =>
  JSON.parse(readFileSync(join(import.meta.dirname, `../../../../tests/schemas/${name}.schema.json`), 'utf8'));

describe('the files of the longest flow', () => {
  test.each(Object.entries(FILES))('%s has the shape the specification gives it', (name, value) => {
    const validate = new Ajv2020({ allErrors: true, strict: false }).compile(byHand(name));
    validate(value);
    expect(validate.errors).toBeNull();
  });

  test.each(Object.entries(FILES))('%s has the published shape', (name, value) => {
    const published = publishedSchemas().get(`${name}.schema.json`)!;
    const validate = new Ajv2020({ allErrors: true, strict: false, validateFormats: false }).compile(published);
    validate(value);
    expect(validate.errors).toBeNull();
  });

  test('are the same bytes, whatever the order of the events', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(flow.events, { minLength: flow.events.length }), (events) => {
        const again = planOf({ ...flow, events });
        expect(again.verificationAndEvaluationDetails.equals(plan.verificationAndEvaluationDetails)).toBe(true);
        expect(again.proof).toEqual(plan.proof);
      }),
      { numRuns: 20 },
    );
  });
});

describe('an element', () => {
  test('exists once for each evidence and consent, and twice for deleted ones', () => {
    const counted = (type: 'ADD' | 'DELETE') =>
      elements.filter(({ identityOperation }) => identityOperation.type === type).length;
    expect([counted('ADD'), counted('DELETE')]).toEqual([15, 3]);
  });

  test('of a deletion contains nothing of what was deleted, that of the addition everything except images', () => {
    const [deletion] = elementsOf('DRIVING_LICENSE', 'DELETE');
    expect(deletion).toMatchObject({ verificationDetails: [], processingDetails: { method: 'DELETE' } });
    expect(Object.keys(deletion!.evidenceDetails!)).toEqual(['id', 'family', 'type']);
    expect(elementsOf('DRIVING_LICENSE')[0]!.evidenceDetails!.data).toMatchObject({
      documentNumber: 'T64235789',
      holderInformation: [{ surname: 'SPECIMEN' }],
      metadata: expect.arrayContaining([{ key: 'issuingState', value: 'VA' }]),
    });
    const replaced = elementsOf('PORTRAIT').find(
      ({ participantContextId }) => participantContextId === elementsOf('PORTRAIT', 'DELETE')[0]!.participantContextId,
    );
    expect(replaced!.evidenceDetails).not.toHaveProperty('captureImages');
  });

  test('of a live capture has the times of its own session, any other those of the transaction', () => {
    const timed = elements.filter(({ verificationDetails }) => verificationDetails?.length);
    expect(timed.some(({ sessionId }) => sessionId)).toBe(true);
    for (const { sessionId, processingDetails, verificationDetails } of timed)
      expect(verificationDetails![0]!.sessionCreationTime).toBe(
        sessionId ? processingDetails!.startDateTime : plan.proof.startDateTime,
      );
  });

  test('of a portrait depends on its reference, which names it as its child', () => {
    const [passport] = elementsOf('PASSPORT');
    const portrait = elementsOf('PORTRAIT').find(({ identityOperationParent }) => identityOperationParent);
    expect(portrait!.identityOperationParent).toBe(passport!.participantContextId);
    expect(passport!.identityOperationChild).toBe(portrait!.participantContextId);
  });

  test("of an adjudicated evidence carries the operator's comment", () => {
    const [decision] =
      elementsOf('IDENTITY_CARD')[0]!.verificationDetails![0]!.verificationServices![0]!.adjudicationDetails!
        .decisionsDetails!;
    expect(decision).toMatchObject({ operatorId: 'operator-1', comment: 'Compared with the reference card.' });
  });

  test('of a contact has its one-time code, and the first one the data stated at creation', () => {
    expect(elementsOf('EMAIL')[0]).toMatchObject({
      progress: 'DONE',
      contactDetails: {
        email: { value: 'specimen@mail.example', verified: true, otp: { status: 'DONE', timeout: 300 } },
      },
    });
    expect(elements[0]!.contactDetails).toMatchObject({
      username: { username: 'specimen' },
      landline: { language: 'en' },
    });
  });

  test('names every further file of one submission', () => {
    expect(elementsOf('ADDITIONAL_FILE')[0]!.additionalFile!.metadata).toContainEqual({
      key: 'furtherFileId',
      value: plan.proof.hashes.additionalFiles![1]!.id,
    });
  });
});

/** The paths, after `…/v1/`, of the calls in the metadata of an element. */
const callsIn = (element: VerificationAndEvaluationDetails | undefined, key: string): string[] =>
  (element?.evidenceDetails?.data?.metadata ?? [])
    .filter((one) => one.key === key)
    .map(({ value }) => (JSON.parse(value) as { uri: string }).uri.replace('/svc/v1/', ''));

describe('every call is in the proof', () => {
  test('after the call that began an element, with its operation', () => {
    expect(elementsOf('EMAIL')[0]!.processingDetails!.uri).toBe('/svc/v1/identities/x/contacts/email');
    expect(callsIn(elementsOf('EMAIL')[0], 'furtherCall')).toEqual(['identities/x/contacts/email/otp']);
    const [code] = elementsOf('EMAIL')[0]!.evidenceDetails!.data!.metadata!;
    expect(JSON.parse(code!.value)).toMatchObject({
      operation: 'EMAIL_OTP_VERIFICATION',
      method: 'POST',
      httpCode: 200,
    });
    const live = elements.find(({ identityOperation }) => identityOperation.name === 'ID_DOCUMENT_LIVE_CAPTURE');
    expect(live!.processingDetails!.uri).toMatch(/live-capture-session$/);
    expect(callsIn(live, 'furtherCall')).toEqual(['live-capture-sessions/s/frames', 'live-capture-sessions/s/end']);
  });

  test('in the first element of an evidence if it touched none', () => {
    const holders = elements.filter((element) => callsIn(element, 'identityCall').length > 0);
    expect(holders.map((element) => callsIn(element, 'identityCall'))).toEqual([['identities/x/resume']]);
    expect(elements.find(({ evidenceDetails }) => evidenceDetails)).toBe(holders[0]);
  });

  test('once, whatever was called', () => {
    const all = flow.events.filter(({ type }) => type === 'operation.recorded');
    const requests = all.map(({ data }) => (data as { rest: { submissionId: string } }).rest.submissionId);
    const whole = plan.verificationAndEvaluationDetails.toString();
    expect(requests.filter((id) => !whole.includes(id))).toEqual([]);
  });
});

describe('the files of a chip', () => {
  const files = new Map(['sod.bin', 'dg1.bin', 'dg2.bin', 'challenge.bin'].map((name) => [name, Buffer.from(name)]));
  const chipFlow = longestFlow('chip', { chip: files });
  const { proof, media, verificationAndEvaluationDetails } = planOf(chipFlow);
  const read = (JSON.parse(verificationAndEvaluationDetails.toString()) as VerificationAndEvaluationDetails[]).find(
    ({ identityOperation }) => identityOperation.name === 'EVIDENCE_NFC_VERIFICATION',
  )!;
  const inFolder = ({ additionalFiles = [] }: typeof proof.hashes) =>
    additionalFiles.filter(({ path }) => path.startsWith('chip/'));

  test('are in the folder of their evidence under their own names, and proof.json names each', () => {
    const paths = [...files.keys()].map((name) => `chip/${read.participantContextId}/${name}`);
    expect(inFolder(proof.hashes).map(({ path }) => path)).toEqual(paths);
    expect(media.map(({ path }) => path)).toEqual(expect.arrayContaining(paths));
    expect(read.sessionId).toBeDefined();
    expect(read.verificationDetails).toMatchObject([{ participantType: 'NFC_CHIP_VERIFICATION' }]);
    expect(callsIn(read, 'furtherCall')).toEqual(['nfc-sessions/s/chip-authentication', 'nfc-sessions/s/data']);
  });

  test('are no captures; the portrait is a crop of data group 2', () => {
    const portrait = inFolder(proof.hashes).find(({ path }) => path.endsWith('/dg2.bin'))!;
    expect(read.evidenceDetails!.photoCrops).toMatchObject([{ originalCaptureId: portrait.id }]);
    expect(read.evidenceDetails!.captureImages ?? []).toEqual([]);
    expect(proof.hashes.images!.map(({ id }) => id)).toContain(read.evidenceDetails!.photoCrops![0]!.id);
  });

  test('are absent when the evidence is deleted', () => {
    const deletion = deletionEvent(chipFlow, read.participantContextId);
    const after = planOf({ ...chipFlow, events: [...chipFlow.events, deletion] });
    expect(inFolder(after.proof.hashes)).toEqual([]);
    expect(after.media.map(({ path }) => path).filter((path) => path.startsWith('chip/'))).toEqual([]);
    const both = (
      JSON.parse(after.verificationAndEvaluationDetails.toString()) as VerificationAndEvaluationDetails[]
    ).filter(({ participantContextId }) => participantContextId === read.participantContextId);
    expect(both.map(({ identityOperation: { name, type } }) => [name, type])).toEqual([
      ['EVIDENCE_NFC_VERIFICATION', 'ADD'],
      ['EVIDENCE_NFC_VERIFICATION', 'DELETE'],
    ]);
    expect(both[0]!.evidenceDetails).not.toHaveProperty('photoCrops');
  });
});

test('videos are in the proof only if the tenant stores them', () => {
  expect(plan.proof.hashes.videos).toHaveLength(1);
  const without = planOf(longestFlow('elements'));
  expect(without.proof.hashes).not.toHaveProperty('videos');
  expect(without.verificationAndEvaluationDetails.toString()).not.toContain('"video"');
});

test('a proof is ready when the last event has arrived, and not before', () => {
  const records = flow.events.map(({ type, at, data }): HistoryRecord => ({ type, at, data }));
  expect(gapsOf(flow.request, gather(records))).toEqual([]);
  const without = (missing: HistoryRecord) => gapsOf(flow.request, gather(records.filter((each) => each !== missing)));
  // No proof reads the status. An evaluation that a newer one has replaced may be missing.
  const needed = records.filter(({ type }) => type !== 'identity.status-changed');
  const unmissed = needed.filter((missing) => without(missing).length === 0);
  expect([...new Set(unmissed.map(({ type }) => type))]).toEqual(['evidence.evaluated']);
});

test.each([
  ['LIVENESS_VIDEO', 'PORTRAIT', []],
  ['ID_DOCUMENT_LIVE_CAPTURE', 'ID_DOCUMENT', []],
  ['EVIDENCE_NFC_VERIFICATION', 'ID_DOCUMENT', []],
  ['ID_DOCUMENT_CAPTURE', 'ID_DOCUMENT', ['submission of an-opened-evidence-of-this-name']],
] as const)('a session of %s that was deleted while it was open is waited for no longer', (operation, type, gaps) => {
  const records = flow.events.map((event): HistoryRecord => ({ type: event.type, at: event.at, data: event.data }));
  const deletion = deletionEvent(flow, 'an-opened-evidence-of-this-name');
  const data = { ...deletion.data, operation, type };
  expect(gapsOf(flow.request, gather([...records, { ...deletion, data }]))).toEqual(gaps);
});

test('sealed parts open only with the key of the identity', () => {
  const records = flow.events.map(({ type, at, data }): HistoryRecord => ({ type, at, data }));
  const opened = { key: flow.key, tenantId: TENANT, identityId: flow.identityId };
  expect(gather(openHistory(records, opened)).callers[0]).toMatchObject({ ip: '192.0.2.17' });
  expect(() => openHistory(records, { ...opened, identityId: 'another' })).toThrow();
});
