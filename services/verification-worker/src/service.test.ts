import type { IdDocumentData } from '@assay/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Engine } from './engine/engine.ts';
import { openEnginePool } from './engine/pool.ts';
import { anIdentity, type Rig, specimen, startRig, submission } from './test-rig.ts';

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
