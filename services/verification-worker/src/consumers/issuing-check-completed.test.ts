import {
  type AddressData,
  type Consent,
  consentsChanged,
  type EvaluatedEvidence,
  evidenceDeleted,
  formatDateTime,
  type IdDocumentData,
  issuingCheckCompleted,
} from '@assay/contracts';
import { newId } from '@assay/runtime';
import { waitFor } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { CaseEvidence } from '../domain/case.ts';
import { withIssuerAnswer } from '../domain/confirmed-data.ts';
import type { EvidenceData } from '../domain/evidence-data.ts';
import { sealedViews } from '../flows/run-participants.ts';
import { beginCase } from '../store/cases.ts';
import { agreement, consentTo, documentImage, participant, statement } from '../testing/case-builders.ts';
import { idleEngine } from '../testing/idle-engine.ts';
import { anIdentity, type Identity, type Rig, startRig, submission } from '../testing/rig.ts';

/* An issuer's confirmation is set aside and restored, with what depends on it. */

let rig: Rig;
beforeAll(async () => {
  rig = await startRig(idleEngine);
});
afterAll(() => rig.close());

const DAY = formatDateTime(new Date());
const [GIV] = consentTo('GIV') as [Consent];
const CARD = 'evidence-of-the-card-000';
const CHECK = 'check-of-the-card-000000';
const HOME_ID = 'evidence-of-the-home-000';
const HOME = { streetDetails: { streetLines: ['1 High St'] }, city: 'Berlin', postcode: '10115' };
const ADDRESS: AddressData = { ...HOME, streetDetails: { ...HOME.streetDetails, verified: false }, verified: false };

/**
 * A card whose machine-readable zone covers the names and the date of birth, but nothing else that
 * is printed.
 */
const READ: EvidenceData = {
  idDocumentData: {
    idDocumentType: 'IDENTITY_CARD',
    personalAttributes: {
      surname: { value: 'SPECIMEN', verified: true },
      givenNames: [{ value: 'ERIKA', verified: true }],
      dateOfBirth: { value: '1980-02-03', verified: true },
      height: { value: '170', verified: false },
    },
    address: ADDRESS,
  },
  confirmed: ['surname', 'givenName', 'dateOfBirth'],
  person: { surname: 'SPECIMEN', givenNames: ['ERIKA'], dateOfBirth: '1980-02-03', height: '170', address: ADDRESS },
};
const RAISED = [
  'GIV_VERIFICATION_VERIFIED',
  ...['SURNAME', 'FIRSTNAME', 'BIRTHDATE', 'HEIGHT'].map((one) => `${one}_COMPARE_OK`),
  ...['STREET', 'CITY', 'POSTCODE'].map((one) => `ADDRESS_${one}_COMPARE_OK`),
];

const sealerOf = ({ seal, open }: Identity) => ({ seal, open });
const asStored = (identity: Identity, data: EvidenceData, more: Partial<CaseEvidence>): CaseEvidence => ({
  ...documentImage(CARD, { issuer: 'NONE' }),
  sealed: sealedViews(sealerOf(identity), data),
  crops: [],
  media: [],
  ...more,
});

/** A case with these evidences, as a worker left it. */
const begin = async ({ identityId, tenantId }: Identity, evidences: CaseEvidence[], agreements: unknown[] = []) => {
  const begun = beginCase(identityId, tenantId);
  await rig.cases.write(begun, { ...begun, evidences, agreements: agreements as typeof begun.agreements }, newId(), []);
};

const one = (identity: Identity, evidenceId: string, is: (one: EvaluatedEvidence) => boolean) =>
  waitFor('the evidence to be published', () => {
    const found = rig.view(identity.identityId).evidences.get(evidenceId);
    return found && is(found) ? found : undefined;
  });
const scored = (score: string) => (found: EvaluatedEvidence) => found.score === score;
const ended = (status: string) => (found: EvaluatedEvidence) => found.status === status;

const documentShown = (identity: Identity, { sealedData }: EvaluatedEvidence) => {
  const shown = identity.open<{ idDocumentData: IdDocumentData }>('evidence-data', sealedData);
  const { personalAttributes: { surname, height } = {}, address } = shown.idDocumentData;
  return { surname: surname?.verified, height: height?.verified, address: address?.verified };
};
const addressShown = (identity: Identity, { sealedData }: EvaluatedEvidence) =>
  identity.open<{ addressData: AddressData }>('evidence-data', sealedData).addressData.verified;

const withConsents = (identity: Identity, consentsRevision: number, consents: Consent[], deleted: Consent[] = []) =>
  rig.send(
    identity.event(consentsChanged, {
      consentsRevision,
      consents,
      change: deleted.length > 0 ? { type: 'DELETE', consents: deleted } : { type: 'ADD', consents },
      operationId: newId(),
    }),
  );
const withdraw = (identity: Identity) => withConsents(identity, 3, consentTo('PORTRAIT'), [GIV]);
const giveAnew = (identity: Identity) =>
  withConsents(identity, 4, [...consentTo('PORTRAIT'), { ...GIV, consentId: newId() }]);

const answer = (identity: Identity) =>
  rig.send(
    identity.event(issuingCheckCompleted, {
      checkId: CHECK,
      evidenceId: CARD,
      result: 'VERIFIED',
      raisedIndicators: RAISED,
      source: 'test',
      startDateTime: DAY,
      endDateTime: DAY,
      services: [],
    }),
  );

const stateHome = async (identity: Identity): Promise<string> => {
  const event = submission(identity, rig, { type: 'ADDRESS', operation: 'ATTRIBUTES', content: { address: HOME } });
  await rig.send(event);
  return event.data.evidenceId;
};

const stored = async ({ identityId }: Identity, evidenceId: string) =>
  (await rig.cases.find(identityId))!.evidences.find((found) => found.evidenceId === evidenceId)!;

test('what only the issuer confirmed is set aside with the consent, with the statement that depends on it', async () => {
  const identity = anIdentity();
  await begin(identity, [asStored(identity, READ, { awaitingIssuer: true, checkId: CHECK })]);
  await answer(identity);
  const confirmed = await one(identity, CARD, scored('LEVEL3'));
  expect(documentShown(identity, confirmed)).toEqual({ surname: true, height: true, address: true });
  const homeId = await stateHome(identity);
  const agreed = await one(identity, homeId, ended('VERIFIED'));
  expect(addressShown(identity, agreed)).toBe(true);

  await withdraw(identity);
  const aside = await one(identity, CARD, scored('LEVEL2'));
  expect(documentShown(identity, aside)).toEqual({ surname: true, height: false, address: false });
  expect(aside.unverifiedIndicators).toContain('GIV_VERIFICATION_UNVERIFIED');
  const unagreed = await one(identity, homeId, ended('NOT_VERIFIED'));
  expect(addressShown(identity, unagreed)).toBe(false);
  // A statement that is made meanwhile has the same result.
  const laterId = await stateHome(identity);
  await one(identity, laterId, ended('NOT_VERIFIED'));

  await giveAnew(identity);
  const again = await one(identity, CARD, scored('LEVEL3'));
  expect(again.sealedData).toBe(confirmed.sealedData);
  expect((await one(identity, homeId, ended('VERIFIED'))).sealedData).toBe(agreed.sealedData);
  expect(addressShown(identity, await one(identity, laterId, ended('VERIFIED')))).toBe(true);
});

test('a deleted document leaves no result of a statement behind', async () => {
  const identity = anIdentity();
  await begin(identity, [asStored(identity, READ, { awaitingIssuer: true, checkId: CHECK })]);
  await answer(identity);
  const homeId = await stateHome(identity);
  await one(identity, homeId, ended('VERIFIED'));
  expect((await stored(identity, homeId)).sealed.withoutIssuer?.agreed).toHaveProperty(CARD);
  const deleted = { evidenceId: CARD, type: 'IDENTITY_CARD', operation: 'ID_DOCUMENT_CAPTURE' } as const;
  await rig.send(identity.event(evidenceDeleted, { ...deleted, reason: 'DELETED', deletedAt: DAY }));
  await one(identity, homeId, ended('NOT_VERIFIED'));
  const { agreed, withoutIssuer } = (await stored(identity, homeId)).sealed;
  expect([agreed, withoutIssuer]).toEqual([{}, { agreed: {} }]);
});

test('a case of a former version can be read: without the consent nothing of its document is confirmed', async () => {
  const identity = anIdentity();
  const { confirmedWithoutIssuer: _left, ...former } = withIssuerAnswer(READ, { raised: RAISED });
  const { participants } = documentImage(CARD, { issuer: 'NONE' });
  const card = asStored(identity, former, {
    participants: [...participants, participant('GOV_VERIFICATION', RAISED)],
  });
  expect(card.sealed).not.toHaveProperty('withoutIssuer');
  const stated = { addressData: ADDRESS, person: { address: ADDRESS } };
  const view = identity.seal('evidence-data', { addressData: { ...ADDRESS, verified: true } });
  const home: CaseEvidence = {
    ...asStored(identity, stated, {}),
    ...statement(HOME_ID, 'address'),
    sealed: { ...sealedViews(sealerOf(identity), stated), agreed: { [CARD]: view } },
  };
  await begin(identity, [card, home], [agreement(CARD, HOME_ID, 'AGREE')]);
  await rig.mongodb.connection
    .collection('cases')
    .updateOne({ _id: identity.identityId as never }, { $set: { schemaVersion: 3 } });

  await withdraw(identity);
  const aside = await one(identity, CARD, scored('LEVEL2'));
  expect(documentShown(identity, aside)).toEqual({ surname: false, height: false, address: false });
  await one(identity, HOME_ID, ended('NOT_VERIFIED'));
  await one(identity, await stateHome(identity), ended('NOT_VERIFIED'));

  await giveAnew(identity);
  const again = await one(identity, CARD, scored('LEVEL3'));
  expect(documentShown(identity, again)).toEqual({ surname: true, height: true, address: true });
  expect((await one(identity, HOME_ID, ended('VERIFIED'))).sealedData).toBe(view);
});
