import { readFile } from 'node:fs/promises';
import { CHIP_FAULTS, type ChipPlan, type SoftwareChip } from '@assay/chip/software';
import type { IdDocumentData } from '@assay/contracts';
import { type Engine, openEnginePool } from '@assay/engine';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { consentTo } from '../testing/case-builders.ts';
import { bringChip, issue, PASSPORT, type Reading, trustIssuer } from '../testing/chips.ts';
import { anIdentity, type Identity, type Rig, startRig, submission } from '../testing/rig.ts';

let engine: Engine;
let rig: Rig;
let portrait: Buffer;
/** How often the decoder of portraits fails from now on. */
let decoderFailures = 0;
beforeAll(async () => {
  engine = await openEnginePool({ size: 1 });
  rig = await startRig(engine, undefined, (process) => ({
    ...process,
    check: async (...asked) => {
      const checked = await process.check(...asked);
      if (decoderFailures === 0) return checked;
      decoderFailures -= 1;
      return { ...checked, portrait: 'FAILED' };
    },
  }));
  portrait = await readFile(new URL('../../../../specimens/selfie-same.jpg', import.meta.url));
  await trustIssuer(rig);
}, 60_000);
afterAll(async () => {
  await rig.close();
  await engine.close();
});

/** Submits what a reader reads from a chip. */
const bring = (identity: Identity, chip: SoftwareChip, reading?: Reading) => bringChip(rig, identity, chip, reading);
const settledOf = async (plan: Partial<ChipPlan>, reading: Reading = {}) => {
  const identity = anIdentity();
  return rig.settled(await bring(identity, issue(plan), reading));
};
const raised = (one: { positiveIndicators: string[]; warningIndicators: string[]; unverifiedIndicators: string[] }) => [
  ...one.positiveIndicators,
  ...one.warningIndicators,
  ...one.unverifiedIndicators,
];

describe('a chip', () => {
  test('that its issuer signed is VERIFIED at LEVEL3, and its data are covered by the hash', async () => {
    const identity = anIdentity();
    const one = await rig.settled(await bring(identity, issue()));
    expect(one).toMatchObject({ status: 'VERIFIED', type: 'PASSPORT', score: 'LEVEL3', strength: 'LEVEL4' });
    expect(raised(one)).toEqual(
      expect.arrayContaining([
        'PASSIVE_AUTHENTICATION_CHECK_OK',
        'DATA_GROUP1_CHECK_OK',
        'ACTIVE_AUTHENTICATION_CHECK_WARNING',
        'TERMINAL_AUTHENTICATION_CHECK_UNVERIFIED',
      ]),
    );
    const { idDocumentData } = identity.open<{ idDocumentData: IdDocumentData }>('evidence-data', one.sealedData);
    expect(idDocumentData).toMatchObject({
      idDocumentType: 'PASSPORT',
      idDocumentNumber: 'L898902C3',
      issuingCountry: 'UTO',
      expiryDate: '2032-04-15',
      personalAttributes: {
        surname: { value: 'ERIKSSON', verified: true },
        givenNames: [
          { value: 'ANNA', verified: true },
          { value: 'MARIA', verified: true },
        ],
        dateOfBirth: { value: '1974-08-12', verified: true },
      },
    });
  });

  test.each(['TD1', 'TD2'] as const)('of an identity card with a zone of the form %s', async (format) => {
    const identity = anIdentity();
    const one = await rig.settled(await bring(identity, issue({ format }), { answers: ['ACTIVE'] }));
    expect(one).toMatchObject({ status: 'VERIFIED', type: 'IDENTITY_CARD', score: 'LEVEL4' });
    const { idDocumentData } = identity.open<{ idDocumentData: IdDocumentData }>('evidence-data', one.sealedData);
    expect(idDocumentData).toMatchObject({
      ...{ idDocumentNumber: 'L898902C3', issuingCountry: 'UTO', expiryDate: '2032-04-15' },
      personalAttributes: {
        surname: { value: 'ERIKSSON', verified: true },
        givenNames: [{ value: 'ANNA' }, { value: 'MARIA' }],
        dateOfBirth: { value: '1974-08-12', verified: true },
        gender: { value: 'F' },
      },
    });
  });

  test.each([
    [{ activeAuthentication: 'ECDSA' }, 'ACTIVE'],
    [{ activeAuthentication: 'RSA' }, 'ACTIVE'],
    [{ chipAuthentication: 'ECDH' }, 'CHIP'],
  ] as const)('that proves itself (%j) is LEVEL4', async (plan, answer) => {
    const one = await settledOf(plan, { answers: [answer] });
    expect(one).toMatchObject({ status: 'VERIFIED', score: 'LEVEL4' });
    expect(raised(one)).toContain(`${answer}_AUTHENTICATION_CHECK_OK`);
  });

  const FAULTS: Record<(typeof CHIP_FAULTS)[number], readonly [string, string, string]> = {
    'dg-altered': ['PASSIVE_AUTHENTICATION_HASH_CHECK_FAILED', 'INVALID', '1504'],
    'wrong-signer': ['PASOD_SIGNATURE_CHECK_FAILED', 'INVALID', '1504'],
    'unknown-csca': ['PASSIVE_AUTHENTICATION_DOCUMENT_SIGNER_CHECK_UNVERIFIED', 'NOT_VERIFIED', '1584'],
    cloned: ['ACTIVE_AUTHENTICATION_CHECK_FAILED', 'INVALID', '1504'],
    'expired-signer': ['PASSIVE_AUTHENTICATION_DOCUMENT_SIGNER_CHECK_FAILED', 'INVALID', '1504'],
  };
  test.each(CHIP_FAULTS)('with the fault %s reports it', async (fault) => {
    const [indicator, status, code] = FAULTS[fault];
    const one = await settledOf({ fault }, { answers: ['ACTIVE'] });
    expect(one.status).toBe(status);
    expect(raised(one)).toContain(indicator);
    expect(one.errors?.map((error) => error.code)).toContain(code);
  });

  test('that expired, or cannot be read, or whose reader gave up', async () => {
    const expired = await settledOf({ passport: { ...PASSPORT, dateOfExpiry: '2020-04-15' } });
    expect(expired).toMatchObject({ status: 'INVALID', errors: [{ code: '1501' }] });
    const cut = await settledOf({}, { altered: { sod: Buffer.from('3080', 'hex') } });
    expect(cut).toMatchObject({ status: 'NOT_VERIFIED', errors: [{ code: '1500', field: 'documentSecurityObject' }] });
    const gaveUp = await settledOf(
      {},
      { more: { content: { chip: { challenge: '', errors: [{ code: 'TAG_LOST' }] } } } },
    );
    expect(gaveUp).toMatchObject({ status: 'NOT_VERIFIED', errors: [{ code: '1616' }] });
  });

  test('is the portrait reference if the person consented to it', async () => {
    const identity = anIdentity();
    const selfie = submission(identity, rig, {
      type: 'PORTRAIT',
      operation: 'PORTRAIT_CAPTURE',
      images: { PORTRAIT: await readFile(new URL('../../../../specimens/selfie-same.jpg', import.meta.url)) },
    });
    const chip = issue({ portrait });
    const one = await rig.settled(await bring(identity, chip, { answers: ['ACTIVE'] }));
    expect(one).toMatchObject({ status: 'VERIFIED', score: 'LEVEL4' });
    expect(one.proof.crops).toHaveLength(1);
    await rig.send(selfie);
    expect((await rig.settled(selfie)).proof.parent).toBe(one.evidenceId);
    const without = await rig.settled(await bring(anIdentity(), chip, { more: { consents: consentTo('GIV') } }));
    expect(without).toMatchObject({ status: 'VERIFIED', score: 'LEVEL3' });
    expect(without.proof.crops).toHaveLength(0);
  });

  test('whose portrait the decoder failed at is checked again, and nothing is published about it meanwhile', async () => {
    decoderFailures = 2;
    const identity = anIdentity();
    const one = await rig.settled(await bring(identity, issue({ portrait }), { answers: ['ACTIVE'] }));
    expect(decoderFailures).toBe(0);
    expect(one).toMatchObject({ status: 'VERIFIED', score: 'LEVEL4' });
    expect(one.errors).toBeUndefined();
    expect(one.proof.crops).toHaveLength(1);
    expect(rig.evaluations(identity.identityId).flatMap(({ evidences }) => evidences)).toHaveLength(1);
  });
});
