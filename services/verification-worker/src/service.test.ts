import {
  adjudicationDecided,
  type adjudicationRequested,
  type DataOf,
  evidenceDeleted,
  formatDateTime,
  type IdDocumentData,
} from '@assay/contracts';
import { type Engine, openEnginePool } from '@assay/engine';
import { waitFor } from '@assay/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { settingsWith } from './testing/case-builders.ts';
import { anIdentity, type Rig, specimen, startRig, submission } from './testing/rig.ts';

let engine: Engine;
let rig: Rig;
beforeAll(async () => {
  engine = await openEnginePool({ size: 1 });
  rig = await startRig(engine);
}, 60_000);
afterAll(async () => {
  await rig.close();
  await engine.close();
});

const portraitOf = async (who: 'same' | 'other') => ({
  type: 'PORTRAIT' as const,
  operation: 'PORTRAIT_CAPTURE' as const,
  images: { PORTRAIT: await specimen(`selfie-${who}.jpg`) },
});

describe('the main path', () => {
  test('a portrait waits for its document and follows it: passport VERIFIED, portrait VERIFIED, LOA2', async () => {
    const identity = anIdentity();
    const portrait = submission(identity, rig, await portraitOf('same'));
    await rig.send(portrait);
    expect(await rig.settled(portrait)).toMatchObject({
      status: 'NOT_VERIFIED',
      errors: [{ code: '1572' }],
      portraitQuality: true,
      // As in the proof's captureImages, where no channel is reported.
      portraitData: { source: 'OTHER' },
    });

    const passport = submission(identity, rig, { images: { FRONT: await specimen('passport.jpg') } });
    await rig.send(passport);
    const document = await rig.settled(passport);
    expect(document).toMatchObject({ status: 'VERIFIED', type: 'PASSPORT', score: 'LEVEL2', strength: 'LEVEL4' });
    const [last] = rig.evaluations(identity.identityId).slice(-1);
    expect(last!.evidences.map(({ evidenceId, status, changed }) => [evidenceId, status, changed])).toEqual([
      [portrait.data.evidenceId, 'VERIFIED', true],
      [passport.data.evidenceId, 'VERIFIED', true],
    ]);
    expect(last!.identity).toMatchObject({
      levelOfAssurance: 'LOA2',
      nameReferenceEvidenceId: passport.data.evidenceId,
      portraitReferenceEvidenceId: passport.data.evidenceId,
    });
    const { idDocumentData } = identity.open<{ idDocumentData: IdDocumentData }>('evidence-data', document.sealedData);
    expect(idDocumentData).toMatchObject({
      idDocumentType: 'PASSPORT',
      issuingCountry: 'UTO',
      personalAttributes: { surname: { verified: true } },
    });
    expect(rig.crops).toHaveLength(1);
    expect(document.proof.crops[0]!.originalMediaId).toBe(passport.data.media[0]!.mediaId);
  }, 60_000);
});

const DAY = formatDateTime(new Date());

describe('documents by images', () => {
  const look = async (names: { FRONT: string; BACK?: string }, more: Parameters<typeof submission>[2] = {}) => {
    const identity = anIdentity();
    const images = { FRONT: await specimen(names.FRONT), ...(names.BACK ? { BACK: await specimen(names.BACK) } : {}) };
    const event = submission(identity, rig, { images, ...more });
    await rig.send(event);
    return { identity, event };
  };

  test.each([
    ['an expired passport', { FRONT: 'passport-expired.jpg' }, 'INVALID', '1501'],
    ['an altered passport', { FRONT: 'passport-altered.jpg' }, 'NOT_VERIFIED', '1585'],
    ['a card without its back', { FRONT: 'identity-card-front.jpg' }, 'NOT_VERIFIED', '1508'],
  ])(
    '%s',
    async (_, names, status, code) => {
      const { event } = await look(names, {
        content: { captureDetails: { documentType: 'IDENTITY_CARD' } },
        type: 'IDENTITY_CARD',
      });
      const one = await rig.settled(event);
      expect([one.status, one.errors?.[0]?.code]).toEqual([status, code]);
    },
    60_000,
  );

  test('an identity card with both sides is VERIFIED, and its issuer raises it', async () => {
    const { identity, event } = await look(
      { FRONT: 'identity-card-front.jpg', BACK: 'identity-card-back.jpg' },
      { consents: [] },
    );
    const one = await rig.settled(event);
    expect(one).toMatchObject({ type: 'IDENTITY_CARD', status: 'VERIFIED', score: 'LEVEL2' });
    expect(one.unverifiedIndicators).toContain('GIV_VERIFICATION_UNVERIFIED');
    const path = rig.view(identity.identityId).identity!.upgradePaths.LOA2!;
    expect(path).toContainEqual([{ evidenceTypes: ['PORTRAIT'], score: 'LEVEL2' }]);
  }, 60_000);

  test('the portrait of another person is INVALID, and NOT_VERIFIED once the document is deleted', async () => {
    const { identity, event } = await look({ FRONT: 'passport.jpg' });
    await rig.settled(event, 'VERIFIED');
    const portrait = submission(identity, rig, await portraitOf('other'));
    await rig.send(portrait);
    const refused = await rig.settled(portrait);
    expect(refused).toMatchObject({
      status: 'INVALID',
      errors: [{ code: '1571' }],
      proof: { parent: event.data.evidenceId },
    });
    const matching = refused.proof.verificationDetails.find(
      ({ participantType }) => participantType === 'BIOMETRIC_MATCHING',
    );
    expect(matching).toMatchObject({ referenceId: event.data.evidenceId, candidateId: portrait.data.evidenceId });
    const { evidenceId, type, operation } = event.data;
    await rig.send(identity.event(evidenceDeleted, { evidenceId, type, operation, reason: 'DELETED', deletedAt: DAY }));
    expect(await rig.settled(portrait, 'NOT_VERIFIED')).toMatchObject({ changed: true });
  }, 60_000);

  test.each([
    ['ACCEPT', 'VERIFIED', 'LEVEL3', undefined],
    ['REJECT', 'INVALID', undefined, '1580'],
    ['EXPIRED', 'NOT_VERIFIED', undefined, '1585'],
  ] as const)(
    'operators decide about an altered passport: %s',
    async (decision, status, score, code) => {
      const settings = settingsWith({ adjudication: { enabled: true, fourEyes: true, expirySeconds: 60 } });
      const { identity, event } = await look({ FRONT: 'passport-altered.jpg' }, { settings });
      const waiting = await rig.settled(event);
      expect(waiting).toMatchObject({
        status: 'ADJUDICATION',
        isAdjudicable: true,
        changed: false,
        proof: { progress: 'PROCESSING' },
      });
      const [request] = await waitFor('the request', () => {
        const found = rig.events<DataOf<typeof adjudicationRequested>>(identity.identityId, 'adjudication.requested');
        return found.length > 0 && found;
      });
      expect(request!.data).toMatchObject({
        evidenceId: event.data.evidenceId,
        fourEyes: true,
        reasons: ['FIELDS_DISAGREE'],
      });
      expect(request!.data.media.map(({ label }) => label)).toEqual(['FRONT', 'CROP']);
      const { caseId, evidenceId } = request!.data;
      const step = {
        operatorId: 'operator-1',
        decision: decision === 'REJECT' ? ('REJECT' as const) : ('ACCEPT' as const),
        reasons: [],
        startTime: DAY,
        endTime: DAY,
      };
      await rig.send(
        identity.event(adjudicationDecided, {
          caseId,
          evidenceId,
          decision,
          reasons: decision === 'REJECT' ? ['DOCUMENT_IMAGE_MANIPULATION'] : [],
          decidedAt: DAY,
          details: decision === 'EXPIRED' ? [] : [step],
        }),
      );
      const decided = await rig.settled(event, status);
      expect([decided.score, decided.changed, decided.isAdjudicable]).toEqual([score, true, false]);
      if (code) expect(decided.errors!.map((error) => error.code)).toContain(code);
      if (decision === 'REJECT') expect(decided.warningIndicators).toContain('DOCUMENT_IMAGE_MANIPULATION_FAILED');
      const details = decided.proof.verificationDetails.find(
        ({ participantType }) => participantType === 'ADJUDICATION',
      );
      const reasons = decision === 'REJECT' ? ['DOCUMENT_IMAGE_MANIPULATION_FAILED'] : [];
      expect(details?.raisedIndicators).toEqual([expect.stringMatching('^DOCUMENT_ADJUDICATION_'), ...reasons]);
      expect(details?.verificationServices?.[0]?.adjudicationDetails).toMatchObject({
        id: caseId,
        globalStatus: decision,
      });
    },
    60_000,
  );
});
