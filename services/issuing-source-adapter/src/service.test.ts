import { formatDateTime } from '@assay/contracts';
import { waitFor } from '@assay/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createReplicas } from './store/replicas.ts';
import { type Rig, startRig } from './testing/rig.ts';
import { aLicence } from './testing/simulators.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.close());

const raised = (indicators: string[], ending: RegExp) => indicators.filter((name) => ending.test(name)).sort();

describe('a check of an American licence', () => {
  test('is VERIFIED when the record agrees, with a comparison for every element that was compared', async () => {
    const licence = aLicence('USA', 'TX', {
      address: {
        streetDetails: { streetLines: ['12 Oak St', 'Apt 4'] },
        city: 'Austin',
        state: 'TX',
        postcode: '73301',
      },
    });
    await rig.simulators.record('aamva', licence);
    const answer = await rig.check({ document: licence, type: 'DRIVING_LICENSE' });
    expect(answer).toMatchObject({ result: 'VERIFIED', source: 'AAMVA_DLDV' });
    expect(raised(answer.raisedIndicators, /_(OK|VERIFIED)$/)).toEqual([
      'ADDRESS_CITY_COMPARE_OK',
      'ADDRESS_POSTCODE_COMPARE_OK',
      'ADDRESS_STATE_COMPARE_OK',
      'ADDRESS_STREET_COMPARE_OK',
      'BIRTHDATE_COMPARE_OK',
      'EXPIRYDATE_COMPARE_OK',
      'FIRSTNAME_COMPARE_OK',
      'GENDER_COMPARE_OK',
      'GIV_AVAILABILITY_OK',
      'GIV_ELIGIBILITY_OK',
      'GIV_VERIFICATION_VERIFIED',
      'IDDOCUMENT_NUMBER_COMPARE_OK',
      'IDDOCUMENT_TYPE_COMPARE_OK',
      'MIDDLENAME_COMPARE_OK',
      'MIDDLENAME_INITIAL_COMPARE_OK',
      'SURNAME_COMPARE_OK',
    ]);
    expect(raised(answer.raisedIndicators, /_FAILED$/)).toEqual([]);
    // The worker, which marks the confirmed values, requests the key itself: no event contains it.
    expect(rig.published.at(-1)).not.toHaveProperty('key');
    expect(answer.services).toHaveLength(1);
    expect(answer.services[0]).toMatchObject({ serviceName: 'AAMVA_DLDV', isTechnicalError: false });
  });

  test('is FAILED when the administration knows no such document', async () => {
    const answer = await rig.check({ document: aLicence('USA', 'OH'), type: 'DRIVING_LICENSE' });
    expect(answer.result).toBe('FAILED');
    expect(answer.raisedIndicators).toEqual(
      expect.arrayContaining([
        'GIV_VERIFICATION_FAILED',
        'IDDOCUMENT_NUMBER_COMPARE_FAILED',
        'SURNAME_COMPARE_UNVERIFIED',
      ]),
    );
  });

  test('is UNVERIFIED when the administration has the number of a document of another type', async () => {
    const licence = aLicence('USA', 'MI');
    await rig.simulators.record('aamva', licence);
    const card = { ...licence, idDocumentType: 'IDENTITY_CARD' as const };
    const answer = await rig.check({ document: card, type: 'IDENTITY_CARD' });
    expect(answer.result).toBe('UNVERIFIED');
    expect(answer.raisedIndicators).toEqual(
      expect.arrayContaining(['IDDOCUMENT_TYPE_COMPARE_FAILED', 'IDDOCUMENT_NUMBER_COMPARE_OK', 'SURNAME_COMPARE_OK']),
    );
  });

  test('is VERIFIED by an approximate name where the exact one differs', async () => {
    const licence = aLicence('USA', 'GA');
    await rig.simulators.record('aamva', licence);
    const person = { ...licence.personalAttributes, surname: { value: 'Kelller' } };
    const answer = await rig.check({ document: { ...licence, personalAttributes: person }, type: 'DRIVING_LICENSE' });
    expect(answer.result).toBe('VERIFIED');
    expect(answer.raisedIndicators).toEqual(
      expect.arrayContaining(['SURNAME_COMPARE_FAILED', 'SURNAME_FUZZY_COMPARE_OK', 'FIRSTNAME_COMPARE_OK']),
    );
    expect(answer.raisedIndicators).not.toContain('FIRSTNAME_FUZZY_COMPARE_OK');
  });
});

describe('a check at the Australian verification system', () => {
  test('is VERIFIED, FAILED or left open as its code says', async () => {
    const licence = aLicence('AUS', 'NSW', { cardNumber: '2100123456' });
    await rig.simulators.record('dvs', licence);
    expect((await rig.check({ document: licence, type: 'DRIVING_LICENSE' })).result).toBe('VERIFIED');
    const other = { ...licence, personalAttributes: { ...licence.personalAttributes, surname: { value: 'Other' } } };
    expect((await rig.check({ document: other, type: 'DRIVING_LICENSE' })).raisedIndicators).toContain(
      'GIV_VERIFICATION_FAILED',
    );
    const { cardNumber: _cardNumber, ...withoutCard } = licence;
    const open = await rig.check({ document: withoutCard, type: 'DRIVING_LICENSE' });
    expect(open.result).toBe('UNVERIFIED');
    expect(open.raisedIndicators.sort()).toEqual([
      'GIV_ELIGIBILITY_OK',
      'GIV_VERIFICATION_UNVERIFIED',
      'GOV_DATA_FORMAT_FAILED',
    ]);
  });

  test('takes a green health card by month and a blue one by day', async () => {
    const card = {
      cardNumber: '2428 77813 2',
      cardType: 'G' as const,
      expiryDate: '2029-08-31',
      individualReferenceNumber: 1,
      personalAttributes: { fullname: { value: 'Maria L Keller' }, dateOfBirth: { value: '1985-02-03' } },
    };
    for (const cardType of ['G', 'B'] as const)
      await rig.simulators.record('dvs', { ...card, cardType, cardNumber: `242877813${cardType === 'G' ? 2 : 3}1` });
    const ask = (cardType: 'G' | 'B') =>
      rig.check({
        document: { ...card, cardType, cardNumber: `242877813${cardType === 'G' ? 2 : 3}1`, expiryDate: '2029-08-01' },
        type: 'MEDICARE',
        mode: 'HEALTH_CARD',
      });
    expect((await ask('G')).result).toBe('VERIFIED');
    expect((await ask('B')).result).toBe('FAILED');
  });
});

describe('the record of a check', () => {
  test('answers a repeated request without asking the source again', async () => {
    const licence = aLicence('USA', 'AZ');
    await rig.simulators.record('aamva', licence);
    const identity = rig.newIdentity();
    const { checkId } = await rig.request({ document: licence, type: 'DRIVING_LICENSE', identity });
    await rig.answerTo(checkId);
    await rig.request({ document: licence, type: 'DRIVING_LICENSE', identity, checkId });
    await waitFor('both answers', () => rig.results(checkId).length === 2);
    expect(rig.results(checkId)[1]).toMatchObject({ result: 'VERIFIED' });
    expect((await rig.simulators.counts('aamva')).byDocument[licence.idDocumentNumber]).toBe(1);
  });

  test('two requests at once cause one question', async () => {
    const licence = aLicence('USA', 'IN');
    await rig.simulators.record('aamva', licence);
    const identity = rig.newIdentity();
    const { checkId } = await rig.request({ document: licence, type: 'DRIVING_LICENSE', identity });
    await rig.request({ document: licence, type: 'DRIVING_LICENSE', identity, checkId });
    await waitFor('both answers', () => rig.results(checkId).length === 2);
    expect((await rig.simulators.counts('aamva')).byDocument[licence.idDocumentNumber]).toBe(1);
  });

  test('contains nothing readable of the person, and is deleted with the identity', async () => {
    const licence = aLicence('USA', 'FL');
    await rig.simulators.record('aamva', licence);
    const { checkId, identityId } = await rig.request({ document: licence, type: 'DRIVING_LICENSE' });
    await rig.answerTo(checkId);
    expect(JSON.stringify(await rig.stored(checkId))).not.toMatch(
      new RegExp(`Keller|${licence.idDocumentNumber}|1985`, 'i'),
    );
    await rig.publish('identity.closed', identityId, {
      reason: 'DELETED',
      closedAt: formatDateTime(new Date()),
      forgetAt: formatDateTime(new Date(Date.now() + 60_000)),
    });
    await waitFor('the check to go', async () => (await rig.stored(checkId)) === null);
  });

  test('is not begun for a closed identity', async () => {
    const identity = rig.newIdentity();
    await rig.publish('identity.closed', identity.identityId, {
      reason: 'DELETED',
      closedAt: formatDateTime(new Date()),
      forgetAt: formatDateTime(new Date(Date.now() + 60_000)),
    });
    const stones = rig.mongodb.connection.collection('tombstones');
    await waitFor('the tombstone', async () => (await stones.findOne({ _id: identity.identityId as never })) !== null);
    const { checkId } = await rig.request({ document: aLicence('USA', 'FL'), type: 'DRIVING_LICENSE', identity });
    const after = await rig.check({ document: aLicence('USA', 'FL'), type: 'DRIVING_LICENSE' });
    expect(after.result).toBe('FAILED');
    expect([rig.results(checkId), await rig.stored(checkId)]).toEqual([[], null]);
  });
});

test('replicas count the living ones: one more after a start, one less after a stop or a death', async () => {
  let at = new Date();
  const open = () => createReplicas(rig.mongodb.connection.useDb(`${rig.mongodb.connection.name}_2`), () => at);
  const [first, second, third] = [open(), open(), open()];
  const counts = async () => {
    for (const each of [first, second]) await each.round();
    return [first.count(), second.count()];
  };
  await counts();
  expect(await counts()).toEqual([2, 2]);
  await third.round();
  expect(await counts()).toEqual([3, 3]);
  await third.leave();
  expect(await counts()).toEqual([2, 2]);
  at = new Date(at.getTime() + 26_000);
  await first.round();
  expect(first.count()).toBe(1);
});
