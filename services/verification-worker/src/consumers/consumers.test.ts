import {
  adjudicationDecided,
  consentsChanged,
  contactChanged,
  type DataOf,
  type DocumentText,
  type EvaluatedEvidence,
  evidenceDeleted,
  formatDateTime,
  type IdDocumentData,
  identityClosed,
  identityCreated,
  issuingCheckCompleted,
  type issuingCheckRequested,
} from '@assay/contracts';
import { type Engine, EngineCrashed } from '@assay/engine';
import { shippedPolicies } from '@assay/policy';
import { newId } from '@assay/runtime';
import { waitFor } from '@assay/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { consentTo, settingsWith } from '../testing/case-builders.ts';
import { anIdentity, type Identity, type Rig, startRig, submission } from '../testing/rig.ts';

/** An engine for tests without images. Every image makes it crash twice, like a hostile file. */
const dyingEngine: Engine = {
  reader: { name: 'none', version: '0' },
  capacity: 2,
  pending: () => 0,
  document: async () => Promise.reject(new EngineCrashed('died twice')),
  portrait: async () => Promise.reject(new EngineCrashed('died twice')),
  compare: async () => Promise.reject(new EngineCrashed('died twice')),
  close: async () => undefined,
};

let rig: Rig;
beforeAll(async () => {
  rig = await startRig(dyingEngine);
});
afterAll(() => rig.close());

const DAY = formatDateTime(new Date());
const licence = (more: Partial<DocumentText> = {}): DocumentText => ({
  idDocumentType: 'DRIVING_LICENSE',
  idDocumentNumber: 'D1234567',
  issuingCountry: 'USA',
  issuingState: 'MD',
  expiryDate: '2039-01-31',
  personalAttributes: {
    dateOfBirth: { value: '1980-02-03' },
    givenNames: [{ value: 'Ada' }, { value: 'Maria' }],
    surname: { value: 'Müller' },
  },
  ...more,
});

const asText = (identity: Identity, document = licence(), more: Parameters<typeof submission>[2] = {}) =>
  submission(identity, rig, {
    type: document.idDocumentType,
    operation: 'ID_DOCUMENT',
    content: { documentText: document },
    ...more,
  });

type Asked = DataOf<typeof issuingCheckRequested>;
const asked = (identity: Identity, evidenceId: string) =>
  waitFor('the question to the issuing source', () =>
    rig
      .events<Asked>(identity.identityId, 'issuing-check.requested')
      .find(({ data }) => data.evidenceId === evidenceId),
  );

const answer = (
  identity: Identity,
  { checkId, evidenceId }: Asked,
  result: 'VERIFIED' | 'UNVERIFIED' | 'FAILED',
  raised: string[] = [],
) =>
  identity.event(issuingCheckCompleted, {
    checkId,
    evidenceId,
    result,
    raisedIndicators: [`GIV_VERIFICATION_${result}`, ...raised],
    askedFields: ['number', 'surname', 'givenName', 'middleName', 'fullName', 'dateOfBirth', 'expiryDate'],
    source: 'test',
    startDateTime: DAY,
    endDateTime: DAY,
    services: [{ serviceName: 'test', isTechnicalError: false, responseTimeMS: 7 }],
  });

const answered = async (
  identity: Identity,
  evidenceId: string,
  result: 'VERIFIED' | 'UNVERIFIED' | 'FAILED',
  raised: string[] = [],
) => {
  const { data } = await asked(identity, evidenceId);
  const event = answer(identity, data, result, raised);
  await rig.send(event);
  return { event, data };
};

describe('a document as text', () => {
  test('is sent to its issuer, and published once that has answered: VERIFIED if it says so', async () => {
    const identity = anIdentity();
    const event = asText(identity);
    await rig.send(event);
    const { data } = await asked(identity, event.data.evidenceId);
    expect(identity.open<DocumentText>('document', data.sealedDocument)).toEqual(licence());
    expect(data).toMatchObject({ mode: 'TEXT', userCategory: 'COMMERCIAL', type: 'DRIVING_LICENSE' });
    await rig.send(
      answer(identity, data, 'VERIFIED', [
        'SURNAME_COMPARE_OK',
        'FIRSTNAME_COMPARE_FAILED',
        'FIRSTNAME_FUZZY_COMPARE_OK',
      ]),
    );
    const verified = await rig.settled(event);
    expect(verified).toMatchObject({
      status: 'VERIFIED',
      score: 'LEVEL2',
      strength: 'LEVEL2',
      changed: true,
      evidenceRevision: 1,
    });
    expect(rig.evaluations(identity.identityId)).toHaveLength(1);
    expect(verified.errors).toBeUndefined();
    const shown = identity.open<{ idDocumentData: IdDocumentData }>('evidence-data', verified.sealedData);
    expect(shown.idDocumentData.personalAttributes).toMatchObject({
      surname: { value: 'Müller', verified: true },
      givenNames: [
        { value: 'Ada', verified: false },
        { value: 'Maria', verified: false },
      ],
    });
    expect(rig.view(identity.identityId).identity).toMatchObject({
      levelOfAssurance: 'LOA1',
      nameReferenceEvidenceId: event.data.evidenceId,
    });
    const [evaluated] = rig.evaluations(identity.identityId).slice(-1);
    expect(evaluated!.evidences[0]!.proof).toMatchObject({
      progress: 'DONE',
      evaluationDetails: { updateOnIdentitySuccess: true, evidences: [{ externallyVerified: true }] },
    });
  });

  test.each([
    ['FAILED', 'INVALID', '1582'],
    ['UNVERIFIED', 'NOT_VERIFIED', '1583'],
  ] as const)('ends when the answer is %s as %s', async (result, status, code) => {
    const identity = anIdentity();
    const event = asText(identity);
    await rig.send(event);
    await answered(identity, event.data.evidenceId, result);
    expect(await rig.settled(event)).toMatchObject({ status, errors: [{ code }] });
  });

  test('follows a late answer, but not after a conclusive one', async () => {
    const identity = anIdentity();
    const event = asText(identity);
    await rig.send(event);
    const { data } = await answered(identity, event.data.evidenceId, 'UNVERIFIED');
    await rig.settled(event);
    await rig.send(answer(identity, data, 'VERIFIED'));
    expect(await rig.settled(event, 'VERIFIED')).toMatchObject({
      positiveIndicators: ['DOC_EXPIRATION_DATE_OK', 'GIV_VERIFICATION_VERIFIED'],
    });
    await rig.send(answer(identity, data, 'FAILED'));
    const other = asText(identity, licence({ idDocumentNumber: 'E7654321' }), {
      settings: settingsWith({ issuingSources: { enabled: false, userCategory: 'COMMERCIAL' } }),
    });
    await rig.send(other);
    await rig.settled(other);
    expect(rig.status(identity.identityId, event.data.evidenceId)).toBe('VERIFIED');
  });

  test('is never sent to an issuer if the tenant has no issuing sources', async () => {
    const identity = anIdentity();
    const event = asText(identity, licence(), {
      settings: settingsWith({ issuingSources: { enabled: false, userCategory: 'COMMERCIAL' } }),
    });
    await rig.send(event);
    expect(await rig.settled(event)).toMatchObject({
      status: 'NOT_VERIFIED',
      unverifiedIndicators: [
        'DOC_EXPIRATION_DATE_UNVERIFIED',
        'GIV_AVAILABILITY_UNVERIFIED',
        'GIV_VERIFICATION_UNVERIFIED',
      ],
    });
    expect(rig.events(identity.identityId, 'issuing-check.requested')).toEqual([]);
  });

  test('that has expired is INVALID without a question', async () => {
    const identity = anIdentity();
    const event = asText(identity, licence({ expiryDate: '2020-01-31' }));
    await rig.send(event);
    expect(await rig.settled(event)).toMatchObject({ status: 'INVALID', errors: [{ code: '1501' }] });
  });
});

describe('messages that come twice, late or in another order', () => {
  test('a duplicate changes nothing, and reissued work publishes the present state again', async () => {
    const identity = anIdentity();
    const event = asText(identity);
    await rig.send(event);
    await answered(identity, event.data.evidenceId, 'VERIFIED');
    const verified = await rig.settled(event);
    const before = rig.evaluations(identity.identityId).length;
    await rig.send(event);
    await rig.send({ ...event, id: newId(), data: { ...event.data, reissued: true } });
    await waitFor('the state to be published again', () => rig.evaluations(identity.identityId).length > before);
    const again = rig.evaluations(identity.identityId).slice(before);
    expect(again.map(({ evidences }) => evidences)).toEqual([[verified]]);
    // Readers wait for an evaluation that considers what they know, and the repetition may come
    // first.
    expect(again.map(({ basis }) => basis)).toEqual([{ deletions: 0, consentsRevision: expect.any(Number) }]);
  });

  test('work reissued while the source is silent asks again under the same id, and finally ends', async () => {
    const identity = anIdentity();
    const event = asText(identity);
    await rig.send(event);
    const { data } = await asked(identity, event.data.evidenceId);
    const again = () => ({ ...event, id: newId(), data: { ...event.data, reissued: true } });
    await rig.send(again());
    await waitFor(
      'the question again',
      () => rig.events<Asked>(identity.identityId, 'issuing-check.requested').length === 2,
    );
    const questions = rig.events<Asked>(identity.identityId, 'issuing-check.requested');
    expect(questions[1]!.data).toEqual(data);
    await rig.send({ ...again(), data: { ...event.data, endWith: 'PROCESSING_FAILED' } });
    expect(await rig.settled(event)).toMatchObject({ status: 'NOT_VERIFIED', proof: { progress: 'ERROR' } });
  });

  test('an evidence that is given up before anybody looked at it is verified, and the event that waited changes nothing', async () => {
    const identity = anIdentity();
    const event = asText(identity);
    await rig.send({ ...event, id: newId(), data: { ...event.data, reissued: true, endWith: 'PROCESSING_FAILED' } });
    await answered(identity, event.data.evidenceId, 'VERIFIED');
    const verified = await rig.settled(event, 'VERIFIED');
    await rig.send(event);
    await rig.send({ ...event, id: newId(), data: { ...event.data, reissued: true } });
    await waitFor('the state again', () => rig.evaluations(identity.identityId).length > 1);
    expect(rig.evaluations(identity.identityId).at(-1)!.evidences).toEqual([verified]);
  });

  test('an evidence that is given up and cannot be verified ends', async () => {
    const identity = anIdentity();
    const text = asText(identity, licence(), { endWith: 'PROCESSING_FAILED' });
    const unreadable = { ...text, data: { ...text.data, sealedSubmission: anIdentity().seal('submission', {}) } };
    await rig.send(unreadable);
    expect(await rig.settled(unreadable)).toMatchObject({ status: 'NOT_VERIFIED', errors: [{ code: '5001' }] });
    const { evidenceId } = text.data;
    expect(rig.warnings).toContainEqual(expect.objectContaining({ msg: 'evidence.given-up', evidenceId }));
  });

  test('a question carries the consents to it as they are when it is asked', async () => {
    const identity = anIdentity();
    const event = asText(identity);
    const given = event.data.consents.filter(({ type }) => type === 'GIV');
    await rig.send(event);
    expect((await asked(identity, event.data.evidenceId)).data.consents).toEqual(given);
    const refusal = { consentId: newId(), approved: false, type: 'GIV' as const };
    const change = { type: 'ADD' as const, consents: [refusal] };
    const consents = [...event.data.consents, refusal];
    await rig.send(identity.event(consentsChanged, { consentsRevision: 9, consents, change, operationId: newId() }));
    await waitFor('the refusal', async () => (await rig.cases.find(identity.identityId))?.consents.revision === 9);
    await rig.send({ ...event, id: newId(), data: { ...event.data, reissued: true } });
    const questions = () => rig.events<Asked>(identity.identityId, 'issuing-check.requested');
    await waitFor('the question again', () => questions().length === 2);
    expect(questions()[1]!.data.consents).toEqual([...given, refusal]);
  });

  test('an evidence whose deletion arrives first never appears', async () => {
    const identity = anIdentity();
    const event = asText(identity);
    const { evidenceId, type, operation } = event.data;
    await rig.send(identity.event(evidenceDeleted, { evidenceId, type, operation, reason: 'DELETED', deletedAt: DAY }));
    await waitFor('the deletion', async () =>
      (await rig.cases.find(identity.identityId))?.deleted.includes(evidenceId),
    );
    await rig.send(event);
    const next = asText(identity);
    await rig.send(next);
    await asked(identity, next.data.evidenceId);
    expect(rig.status(identity.identityId, evidenceId)).toBeUndefined();
  });

  test('no late message restores anything of a closed identity', async () => {
    const identity = anIdentity();
    const event = asText(identity);
    await rig.send(event);
    const { data } = await asked(identity, event.data.evidenceId);
    const forgetAt = formatDateTime(new Date(Date.now() + 3600_000));
    await rig.send(identity.event(identityClosed, { reason: 'DELETED', closedAt: DAY, forgetAt }));
    await waitFor('the tombstone', async () => (await rig.cases.find(identity.identityId))?.closed);
    const before = rig.evaluations(identity.identityId).length;
    await rig.send(answer(identity, data, 'VERIFIED'));
    await rig.send(asText(identity));
    const other = anIdentity();
    const marker = asText(other);
    await rig.send(marker);
    await asked(other, marker.data.evidenceId);
    const left = await rig.cases.find(identity.identityId);
    expect(left).toEqual({
      _id: identity.identityId,
      tenantId: identity.tenantId,
      closed: true,
      forgetAt: new Date(`${forgetAt}Z`),
      revision: expect.any(Number),
    });
    expect(rig.evaluations(identity.identityId)).toHaveLength(before);
  });
});

describe('what cannot be processed', () => {
  test('an image that crashes the engine ends NOT_VERIFIED', async () => {
    const identity = anIdentity();
    const event = submission(identity, rig, { images: { FRONT: Buffer.from('hostile') } });
    await rig.send(event);
    expect(await rig.settled(event)).toMatchObject({
      status: 'NOT_VERIFIED',
      errors: [{ code: '5001' }],
      proof: {
        progress: 'BLOCKED',
        verificationDetails: [{ participantType: 'IMAGE_OCR', participantState: 'REJECTED' }],
      },
    });
  });

  test('a message that can never be processed becomes a dead letter and leaves a stable status', async () => {
    const identity = anIdentity();
    const text = asText(identity);
    const event = { ...text, data: { ...text.data, sealedSubmission: anIdentity().seal('submission', {}) } };
    await rig.send(event);
    expect(await rig.settled(event)).toMatchObject({
      status: 'NOT_VERIFIED',
      errors: [{ code: '5001' }],
      proof: { progress: 'ERROR' },
    });
  });

  test('a live capture session that timed out ends NOT_VERIFIED', async () => {
    const identity = anIdentity();
    const event = submission(identity, rig, {
      type: 'PORTRAIT',
      operation: 'LIVENESS_VIDEO',
      endWith: 'SESSION_TIMEOUT',
    });
    await rig.send(event);
    expect(await rig.settled(event)).toMatchObject({ status: 'NOT_VERIFIED', errors: [{ code: '1590' }] });
  });
});

describe('evidence of one person', () => {
  const verified = async (identity: Identity, document: DocumentText, more: Parameters<typeof submission>[2] = {}) => {
    const event = asText(identity, document, more);
    await rig.send(event);
    await answered(identity, event.data.evidenceId, 'VERIFIED');
    await rig.settled(event, 'VERIFIED');
    return event;
  };
  const passport = (more: Partial<DocumentText['personalAttributes']> = {}) =>
    licence({
      idDocumentType: 'PASSPORT',
      idDocumentNumber: 'P7654321',
      personalAttributes: { ...licence().personalAttributes, ...more },
    });
  const level = (identity: Identity) => rig.view(identity.identityId).identity?.levelOfAssurance;

  test('two documents that agree raise the level, in whatever spelling', async () => {
    const identity = anIdentity();
    await verified(identity, licence());
    await verified(identity, passport({ surname: { value: 'MUELLER' }, givenNames: [{ value: 'ADA' }] }));
    expect(level(identity)).toBe('LOA2');
  });

  test('a second document of another person, or the same one again, does not', async () => {
    const identity = anIdentity();
    await verified(identity, licence());
    const other = await verified(identity, passport({ dateOfBirth: { value: '1990-01-01' } }));
    await verified(identity, licence());
    expect(level(identity)).toBe('LOA1');
    const { proof } = rig.view(identity.identityId).evidences.get(other.data.evidenceId)!;
    expect(proof.evaluationDetails.evidences[0]!.attributesReferenceAndConsistency).toMatchObject({
      isReference: false,
      mismatchedAttributes: ['dateOfBirth'],
    });
  });

  test('statements agree with the document, until it is deleted', async () => {
    const identity = anIdentity();
    const document = await verified(identity, licence());
    const stated = submission(identity, rig, {
      type: 'ATTRIBUTES',
      operation: 'ATTRIBUTES',
      content: { attributes: { surname: { value: 'MUELLER' }, dateOfBirth: { value: '1980-02-03' } } },
    });
    await rig.send(stated);
    const one = await rig.settled(stated, 'VERIFIED');
    expect(one).toMatchObject({ score: 'LEVEL1', proof: { attributesReferenceId: document.data.evidenceId } });
    expect(identity.open('evidence-data', one.sealedData)).toMatchObject({
      attributesData: { surname: { verified: true } },
    });
    const { evidenceId, type, operation } = document.data;
    await rig.send(identity.event(evidenceDeleted, { evidenceId, type, operation, reason: 'DELETED', deletedAt: DAY }));
    const without = await rig.settled(stated, 'NOT_VERIFIED');
    expect(without).toMatchObject({ changed: true, errors: [{ code: '1572' }] });
    expect(identity.open('evidence-data', without.sealedData)).toMatchObject({
      attributesData: { surname: { verified: false } },
    });
    expect(level(identity)).toBe('LOA0');
  });

  test("withdrawing consent sets the issuer's answer aside", async () => {
    const identity = anIdentity();
    const event = await verified(identity, licence());
    const consents = consentTo('PORTRAIT');
    const change = { type: 'DELETE' as const, consents: consentTo('GIV') };
    await rig.send(identity.event(consentsChanged, { consentsRevision: 3, consents, change, operationId: newId() }));
    const one: EvaluatedEvidence = await rig.settled(event, 'NOT_VERIFIED');
    expect(one).toMatchObject({
      changed: true,
      errors: [{ code: '3001' }, { code: '1583' }],
    });
  });

  test('a contact whose code was answered is an evidence', async () => {
    const identity = anIdentity();
    const evidenceId = newId();
    const contact = (verifiedNow: boolean, contactRevision: number) =>
      identity.event(contactChanged, {
        evidenceId,
        channel: 'EMAIL',
        contactRevision,
        otp: { status: verifiedNow ? 'DONE' : 'PENDING', creationTime: DAY, timeout: 300 },
        verified: verifiedNow,
        submitDateTime: DAY,
        sealedContact: identity.seal('contact', { value: 'a@example.org' }),
      });
    await rig.send(contact(false, 1));
    const event = contact(true, 2);
    await rig.send(event);
    expect(await rig.settled(event)).toMatchObject({ type: 'EMAIL', status: 'VERIFIED', score: 'LEVEL1' });
  });

  test('an identity is evaluated by the policy of its creation', async () => {
    const identity = anIdentity();
    const { name, version } = shippedPolicies().named('strict')!;
    const settings = settingsWith({ policy: { name, version } });
    await rig.send(identity.event(identityCreated, { creationDateTime: DAY, tenantRole: 'RELYING_SERVICE', settings }));
    await waitFor('the creation', async () => (await rig.cases.find(identity.identityId))?.createdUnder);
    await verified(identity, licence());
    expect(rig.evaluations(identity.identityId).at(-1)!.policy).toEqual({ name: 'strict', version });
  });

  test('a decision that no one requested has no effect', async () => {
    const identity = anIdentity();
    const event = await verified(identity, licence());
    await rig.send(
      identity.event(adjudicationDecided, {
        caseId: newId(),
        evidenceId: event.data.evidenceId,
        decision: 'REJECT',
        reasons: [],
        decidedAt: DAY,
        details: [],
      }),
    );
    await verified(identity, passport());
    expect(rig.status(identity.identityId, event.data.evidenceId)).toBe('VERIFIED');
  });
});
