import { waitFor } from '@assay/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { UNITED_STATES } from './domain/scope/united-states.ts';
import { type Rig, startRig } from './testing/rig.ts';
import { aLicence } from './testing/simulators.ts';

const INCONCLUSIVE = ['GIV_AVAILABILITY_FAILED', 'GIV_ELIGIBILITY_OK', 'GIV_VERIFICATION_UNVERIFIED'];

describe('a source in trouble', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig({ attempts: 2, questionMs: 2500 });
  });
  afterAll(() => rig.close());

  test.each([
    ['outage', 'VA', {}],
    ['malformed', 'KS', {}],
    ['late', 'KY', { delayMs: 4000, wrong: true }],
  ])(
    '%s: the check ends inconclusive, is counted once, and no other jurisdiction is affected',
    async (mode, state, more) => {
      const [licence, neighbour] = [aLicence('USA', state), aLicence('USA', 'TX')];
      await rig.simulators.record('aamva', licence);
      await rig.simulators.record('aamva', neighbour);
      await rig.simulators.behave('aamva', { mode, rate: 1, jurisdictions: [state], ...more });
      const [troubled, healthy] = await Promise.all([
        rig.check({ document: licence, type: 'DRIVING_LICENSE' }),
        rig.check({ document: neighbour, type: 'DRIVING_LICENSE' }),
      ]);
      expect(troubled).toMatchObject({ result: 'UNVERIFIED', source: 'AAMVA_DLDV' });
      expect(troubled.raisedIndicators.sort()).toEqual(INCONCLUSIVE);
      expect(troubled.services.map(({ isTechnicalError }) => isTechnicalError)).toEqual([true, true]);
      expect(healthy.result).toBe('VERIFIED');
      const { byDocument } = await rig.simulators.counts('aamva');
      expect([byDocument[licence.idDocumentNumber], byDocument[neighbour.idDocumentNumber]]).toEqual([1, 1]);
    },
  );

  test('an answer that comes at the second attempt counts, and the question was counted once', async () => {
    const licence = aLicence('USA', 'MD');
    await rig.simulators.record('aamva', licence);
    await rig.simulators.behave('aamva', { mode: 'outage', rate: 1, jurisdictions: ['MD'] });
    const { checkId } = await rig.request({ document: licence, type: 'DRIVING_LICENSE' });
    await waitFor('the first attempt', async () => (await rig.stored(checkId))?.attempts === 1);
    await rig.simulators.behave('aamva', { mode: 'ok' });
    expect(await rig.answerTo(checkId)).toMatchObject({ result: 'VERIFIED' });
    expect((await rig.simulators.counts('aamva')).byDocument[licence.idDocumentNumber]).toBe(1);
  });

  test('a check whose process died is taken over when its lease ends', async () => {
    const licence = aLicence('USA', 'CO');
    await rig.simulators.record('aamva', licence);
    await rig.simulators.behave('aamva', { mode: 'slow', rate: 1, delayMs: 800, jurisdictions: ['CO'] });
    const { checkId } = await rig.request({ document: licence, type: 'DRIVING_LICENSE' });
    const checks = rig.mongodb.connection.collection('checks');
    await waitFor('the lease', async () => (await rig.stored(checkId))?.leaseId);
    // As if another process were asking, which has died.
    const leaseUntil = new Date(Date.now() + 1500);
    await checks.updateOne({ _id: checkId as never }, { $set: { leaseId: 'of the dead', leaseUntil } });
    expect(await rig.answerTo(checkId, 25_000)).toMatchObject({ result: 'VERIFIED' });
    expect((await rig.simulators.counts('aamva')).byDocument[licence.idDocumentNumber]).toBe(1);
  });

  test('is asked again later if the tenant wants that, and the answer is marked as late', async () => {
    const licence = aLicence('AUS', 'VIC');
    await rig.simulators.record('dvs', licence);
    await rig.simulators.behave('dvs', { mode: 'outage', rate: 1 });
    const { checkId } = await rig.request({ document: licence, type: 'DRIVING_LICENSE', recheckAfterSeconds: 1 });
    expect(await rig.answerTo(checkId)).toMatchObject({ result: 'UNVERIFIED' });
    await rig.simulators.behave('dvs', { mode: 'ok' });
    await waitFor('the late answer', () => rig.results(checkId).length === 2);
    expect(rig.results(checkId)[1]).toMatchObject({ result: 'VERIFIED', late: true });
    expect((await rig.stored(checkId))?.recheckAt).toBeUndefined();
  });

  test('is not asked again for an identity that has closed', async () => {
    const licence = aLicence('AUS', 'NSW', { cardNumber: '2100123456' });
    await rig.simulators.behave('dvs', { mode: 'outage', rate: 1 });
    const { checkId, identityId } = await rig.request({
      document: licence,
      type: 'DRIVING_LICENSE',
      recheckAfterSeconds: 1,
    });
    await rig.answerTo(checkId);
    rig.closed.add(identityId);
    await waitFor('the check to go', async () => (await rig.stored(checkId)) === null);
    expect(rig.results(checkId)).toHaveLength(1);
  });
});

describe('maintenance', () => {
  // Every day from 00:00 to 00:10 UTC. The clock of this adapter starts some seconds before the end
  // of the window.
  const night = { timeZone: 'UTC', from: '00:00', minutes: 10 };
  let begin = Date.now();
  const now = () => new Date(Date.UTC(2026, 4, 4, 0, 9, 57) + Date.now() - begin);
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig(
      { budgetMs: 1500 },
      { sources: [{ ...UNITED_STATES, windows: [night] }], maintenanceWindows: true, now },
    );
  });
  afterAll(() => rig.close());

  test('leaves the check inconclusive, and the question is asked when it is over', async () => {
    const licence = aLicence('USA', 'NC');
    await rig.simulators.record('aamva', licence);
    begin = Date.now();
    const { checkId } = await rig.request({ document: licence, type: 'DRIVING_LICENSE' });
    expect((await rig.answerTo(checkId)).raisedIndicators.sort()).toEqual(INCONCLUSIVE);
    expect((await rig.simulators.counts('aamva')).count).toBe(0);
    await waitFor('the late answer', () => rig.results(checkId).length === 2, 20_000);
    expect(rig.results(checkId)[1]).toMatchObject({ result: 'VERIFIED', late: true });
  });
});
