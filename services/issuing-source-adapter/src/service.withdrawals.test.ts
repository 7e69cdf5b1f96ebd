import { type Consent, formatDateTime } from '@assay/contracts';
import { newId } from '@assay/runtime';
import { waitFor } from '@assay/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Asked, aConsent, type Rig, startRig } from './testing/rig.ts';
import { aLicence } from './testing/simulators.ts';

/*
 * After a person withdraws something, the issuer is no longer asked about it, and nothing of it is
 * stored.
 */

let rig: Rig;
beforeAll(async () => {
  rig = await startRig({ attempts: 2, questionMs: 2500 });
});
afterAll(() => rig.close());
beforeEach(() => rig.simulators.behave('aamva', { mode: 'ok' }));

const deletion = (evidenceId: string) => ({
  evidenceId,
  type: 'DRIVING_LICENSE',
  operation: 'ID_DOCUMENT',
  reason: 'DELETED',
  deletedAt: formatDateTime(new Date()),
});
const withdrawal = (consent: Consent) => {
  const refusal = aConsent({ approved: false });
  return {
    consentsRevision: 2,
    consents: [consent, refusal],
    change: { type: 'ADD', consents: [refusal] },
    operationId: newId(),
  };
};
const withdrawals = (identityId: string) =>
  rig.mongodb.connection.collection('withdrawals').findOne({ _id: identityId as never });
const heardOf = (identityId: string) => waitFor('the withdrawal', async () => (await withdrawals(identityId)) !== null);

/** A licence that the issuer knows, in a state of its own. */
const aKnownLicence = async (state: string) => {
  const licence = aLicence('USA', state);
  await rig.simulators.record('aamva', licence);
  return licence;
};
type Licence = Awaited<ReturnType<typeof aKnownLicence>>;
const askedAbout = async ({ idDocumentNumber }: Licence): Promise<number> =>
  (await rig.simulators.counts('aamva')).byDocument[idDocumentNumber] ?? 0;

/**
 * Waits for the answer to a later check. By then everything that the first one causes has happened.
 */
const othersAreAnswered = async (state: string): Promise<void> => {
  const licence = await aKnownLicence(state);
  await rig.check({ document: licence, type: 'DRIVING_LICENSE' });
};
const request = (licence: Licence, more: Partial<Asked> = {}) =>
  rig.request({ document: licence, type: 'DRIVING_LICENSE', ...more });

/** A check whose source is down, and that is asked again every second. */
const aPendingCheck = async (licence: Licence, more: Partial<Asked> = {}) => {
  const jurisdictions = [licence.issuingState];
  await rig.simulators.behave('aamva', { mode: 'outage', rate: 1, jurisdictions });
  const requested = await request(licence, { recheckAfterSeconds: 1, ...more });
  expect(await rig.answerTo(requested.checkId)).toMatchObject({ result: 'UNVERIFIED' });
  return requested;
};

const isNotAskedAgain = async (checkId: string): Promise<void> => {
  await rig.simulators.behave('aamva', { mode: 'ok' });
  const other = await aKnownLicence('NJ');
  // The same sweep asks this check again, after the same time as the first.
  await rig.simulators.behave('aamva', { mode: 'outage', rate: 1, jurisdictions: ['NJ'] });
  const { checkId: later } = await request(other, { recheckAfterSeconds: 1 });
  await rig.answerTo(later);
  await rig.simulators.behave('aamva', { mode: 'ok' });
  await waitFor('the late answer to another check', () => rig.results(later).some(({ late }) => late));
  expect(rig.results(checkId).filter(({ late }) => late)).toEqual([]);
};

describe('evidence that was deleted', () => {
  test('while its source is down: it is not asked again, and the check is deleted', async () => {
    const licence = await aKnownLicence('VA');
    const { checkId, identityId, evidenceId } = await aPendingCheck(licence);
    await rig.publish('evidence.deleted', identityId, deletion(evidenceId));
    await waitFor('the check to go', async () => (await rig.stored(checkId)) === null);
    await isNotAskedAgain(checkId);
  });

  test('before its request comes: no source is asked, however often it comes', async () => {
    const licence = await aKnownLicence('KS');
    const identity = rig.newIdentity();
    const [checkId, evidenceId] = [newId(), newId()];
    await rig.publish('evidence.deleted', identity.identityId, deletion(evidenceId));
    await rig.publish('evidence.deleted', identity.identityId, deletion(evidenceId));
    await heardOf(identity.identityId);
    for (let times = 0; times < 2; times += 1) await request(licence, { identity, checkId, evidenceId });
    await othersAreAnswered('TX');
    expect([await askedAbout(licence), rig.results(checkId), await rig.stored(checkId)]).toEqual([0, [], null]);
    // The source is still asked about the person's other evidence.
    await request(licence, { identity, checkId });
    expect(await rig.answerTo(checkId)).toMatchObject({ result: 'VERIFIED' });
  });

  test('while the question is on its way: the answer is dropped, and no repeated request restores it', async () => {
    const licence = await aKnownLicence('CO');
    await rig.simulators.behave('aamva', { mode: 'slow', rate: 1, delayMs: 1200, jurisdictions: ['CO'] });
    const identity = rig.newIdentity();
    const { checkId, evidenceId } = await request(licence, { identity });
    await waitFor('the question', async () => (await askedAbout(licence)) === 1);
    await rig.publish('evidence.deleted', identity.identityId, deletion(evidenceId));
    await waitFor('the check to go', async () => (await rig.stored(checkId)) === null);
    await request(licence, { identity, checkId, evidenceId });
    await othersAreAnswered('CO');
    await othersAreAnswered('CO');
    expect([await askedAbout(licence), rig.results(checkId), await rig.stored(checkId)]).toEqual([1, [], null]);
  });
});

describe('a consent that was withdrawn', () => {
  const isForgotten = async (checkId: string): Promise<boolean> => {
    const stored = await rig.stored(checkId);
    return stored?.state === 'ENDED' && !stored.recheckAt && !stored.sealedDocument && !stored.sealedExchange;
  };

  test('while the source is down: it is not asked again, and nothing of the question is stored', async () => {
    const licence = await aKnownLicence('VA');
    const consent = aConsent();
    const { checkId, identityId } = await aPendingCheck(licence, { consents: [consent] });
    await rig.publish('consents.changed', identityId, withdrawal(consent));
    await rig.publish('consents.changed', identityId, withdrawal(consent));
    await waitFor('the question to go', () => isForgotten(checkId));
    await isNotAskedAgain(checkId);
    // The evidence ended long ago, so nothing more is published about it.
    expect(rig.results(checkId)).toHaveLength(1);
  });

  test.each([
    ['under the consent', [aConsent()]],
    ['of a former version', null],
  ])(
    'before a request %s comes: no source is asked, and the check ends without an answer',
    async (_which, consents) => {
      const licence = await aKnownLicence('KS');
      const identity = rig.newIdentity();
      await rig.publish('consents.changed', identity.identityId, withdrawal(consents?.[0] ?? aConsent()));
      await heardOf(identity.identityId);
      const { checkId } = await request(licence, { identity, consents });
      const answer = await rig.answerTo(checkId);
      expect(answer).toMatchObject({ result: 'UNVERIFIED', raisedIndicators: ['GIV_VERIFICATION_UNVERIFIED'] });
      await request(licence, { identity, checkId, consents });
      await waitFor('the same answer', () => rig.results(checkId).length === 2);
      expect([await askedAbout(licence), await isForgotten(checkId)]).toEqual([0, true]);
    },
  );

  test('while the question is on its way: the answer is dropped', async () => {
    const licence = await aKnownLicence('CO');
    await rig.simulators.behave('aamva', { mode: 'slow', rate: 1, delayMs: 1200, jurisdictions: ['CO'] });
    const consent = aConsent();
    const { checkId, identityId } = await request(licence, { consents: [consent] });
    await waitFor('the question', async () => (await askedAbout(licence)) === 1);
    await rig.publish('consents.changed', identityId, withdrawal(consent));
    await rig.answerTo(checkId);
    await othersAreAnswered('CO');
    await othersAreAnswered('CO');
    for (const { raisedIndicators } of rig.results(checkId))
      expect(raisedIndicators).toEqual(['GIV_VERIFICATION_UNVERIFIED']);
    expect(await isForgotten(checkId)).toBe(true);
  });

  test('that ends with a day permits no question after it', async () => {
    const licence = await aKnownLicence('MD');
    const { checkId } = await request(licence, { consents: [aConsent({ validityPeriod: { to: '2026-01-01' } })] });
    expect(await rig.answerTo(checkId)).toMatchObject({ result: 'UNVERIFIED' });
    expect(await askedAbout(licence)).toBe(0);
  });

  test('of another kind changes nothing', async () => {
    const licence = await aKnownLicence('VA');
    const consent = aConsent();
    const portrait = aConsent({ type: 'PORTRAIT', approved: false });
    const { checkId, identityId } = await aPendingCheck(licence, { consents: [consent] });
    await rig.publish('consents.changed', identityId, {
      ...withdrawal(consent),
      consents: [consent, portrait],
      change: { type: 'ADD', consents: [portrait] },
    });
    await rig.simulators.behave('aamva', { mode: 'ok' });
    await waitFor('the late answer', () => rig.results(checkId).length === 2);
    expect(rig.results(checkId)[1]).toMatchObject({ result: 'VERIFIED', late: true });
    expect(await withdrawals(identityId)).toBeNull();
  });
});

test('withdrawals are deleted with the identity, and none is stored for a closed one', async () => {
  const { identityId } = rig.newIdentity();
  await rig.publish('evidence.deleted', identityId, deletion(newId()));
  await heardOf(identityId);
  await rig.publish('identity.closed', identityId, {
    reason: 'DELETED',
    closedAt: formatDateTime(new Date()),
    forgetAt: formatDateTime(new Date(Date.now() + 60_000)),
  });
  await waitFor('it to go', async () => (await withdrawals(identityId)) === null);
  await rig.publish('evidence.deleted', identityId, deletion(newId()));
  await rig.publish('consents.changed', identityId, withdrawal(aConsent()));
  const other = rig.newIdentity();
  await rig.publish('evidence.deleted', other.identityId, deletion(newId()));
  await heardOf(other.identityId);
  await waitFor('nothing to be left', async () => (await withdrawals(identityId)) === null);
});

test('a withdrawal that cannot be stored at once is stored later', async () => {
  const { identityId } = rig.newIdentity();
  const evidenceId = newId();
  const collection = rig.mongodb.connection.collection('withdrawals');
  // The database refuses the write, because the field has another type.
  await collection.insertOne({ _id: identityId as never, deletedEvidences: 'no list' });
  await rig.publish('evidence.deleted', identityId, deletion(evidenceId));
  await rig.publish('evidence.deleted', rig.newIdentity().identityId, deletion(newId()));
  await collection.deleteOne({ _id: identityId as never });
  await waitFor('it', async () => (await withdrawals(identityId))?.deletedEvidences?.includes(evidenceId));
});
