import type { DocumentText, HealthCard } from '@assay/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openSources } from './clients/connectors.ts';
import { type AttemptAsked, createAttempts } from './testing/attempts.ts';
import { aLicence, credentials, type Simulators, startSimulators } from './testing/simulators.ts';

// The scope (specification, Supported scope of issuing source validation), repeated here, so that
// the tables are not tested against themselves.
const AUSTRALIAN = ['ACT', 'NSW', 'NT', 'QLD', 'SA', 'TAS', 'VIC', 'WA'];
const LICENCES =
  'AL AR AZ CO CT DC DE FL GA HI IA ID IL IN KS KY MA MD ME MI MO MS MT NC ND NE NJ NM NV OH OK OR RI SC SD TN TX VA VT WA WI WV WY'.split(
    ' ',
  );
const NO_IDENTITY_CARDS = ['NV', 'WI'];
const ELSEWHERE = ['AK', 'CA', 'LA', 'MN', 'NH', 'NY', 'PA', 'UT', 'PR', 'GU', 'ZZ'];
const NUMBERS: Record<string, string> = {
  SA: 'A12345',
  TAS: 'B123456',
  NSW: '12345678',
  QLD: '123456789',
  WA: '7654321',
};
const NEED_CARD_NUMBER = ['ACT', 'NSW', 'NT', 'SA', 'TAS', 'WA'];

let simulators: Simulators;
let attempt: ReturnType<typeof createAttempts>;
beforeAll(async () => {
  simulators = await startSimulators();
  const { dvs: dvsUrl, aamva: aamvaUrl } = simulators.urls;
  attempt = createAttempts(openSources({ dvsUrl, aamvaUrl, credentials, now: () => new Date() }));
});
afterAll(() => simulators.close());

const outcome = async (asked: AttemptAsked) => {
  const made = await attempt(asked);
  if (made.kind !== 'DONE') throw new Error(made.kind);
  return { result: made.outcome.result, raised: made.outcome.raised as string[], asked: made.service !== undefined };
};
const NOT_ELIGIBLE = {
  result: 'UNVERIFIED',
  raised: ['GIV_ELIGIBILITY_FAILED', 'GIV_VERIFICATION_UNVERIFIED'],
  asked: false,
};
const named = (document: DocumentText, surname: string): DocumentText => ({
  ...document,
  personalAttributes: { ...document.personalAttributes, surname: { value: surname } },
});

/**
 * An agreeing record verifies the document, another holder fails it, and eligibility is reported.
 */
const behavesAt = async (
  source: 'dvs' | 'aamva',
  asked: AttemptAsked & { document: DocumentText },
  eligibility: string,
) => {
  await simulators.record(source, asked.document);
  const same = await outcome(asked);
  expect(same).toMatchObject({ result: 'VERIFIED', asked: true });
  expect(same.raised).toEqual(
    expect.arrayContaining([eligibility, 'GIV_AVAILABILITY_OK', 'GIV_VERIFICATION_VERIFIED']),
  );
  const other = await outcome({ ...asked, document: named(asked.document, 'Somebody Else') });
  expect(other.raised).toEqual(expect.arrayContaining([eligibility, 'GIV_VERIFICATION_FAILED']));
  expect(other.result).toBe('FAILED');
};

describe('USA, driving licences', () => {
  test.each(LICENCES.filter((state) => state !== 'OK'))('%s', async (state) => {
    const document = aLicence('USA', state);
    await behavesAt('aamva', { document, type: 'DRIVING_LICENSE' }, 'GIV_ELIGIBILITY_OK');
    await behavesAt(
      'aamva',
      { document: aLicence('USA', state), type: 'DRIVING_LICENSE', mode: 'IMAGE' },
      'GIV_ELIGIBILITY_OK',
    );
  });
  test.each(ELSEWHERE)('%s is not eligible', async (state) => {
    expect(await outcome({ document: aLicence('USA', state), type: 'DRIVING_LICENSE' })).toEqual(NOT_ELIGIBLE);
  });
});

describe('USA, identity cards', () => {
  const card = (state: string) => aLicence('USA', state, { idDocumentType: 'IDENTITY_CARD' });
  test.each(LICENCES.filter((state) => state !== 'OK' && !NO_IDENTITY_CARDS.includes(state)))('%s', async (state) => {
    const eligibility = state === 'DE' ? 'GIV_ELIGIBILITY_WARNING' : 'GIV_ELIGIBILITY_OK';
    await behavesAt('aamva', { document: card(state), type: 'IDENTITY_CARD' }, eligibility);
  });
  test.each([...NO_IDENTITY_CARDS, ...ELSEWHERE])('%s is not eligible', async (state) => {
    expect(await outcome({ document: card(state), type: 'IDENTITY_CARD' })).toEqual(NOT_ELIGIBLE);
  });
});

describe('Oklahoma', () => {
  test.each(['DRIVING_LICENSE', 'IDENTITY_CARD'] as const)('%s: government users only', async (type) => {
    const document = aLicence('USA', 'OK', { idDocumentType: type });
    expect(await outcome({ document, type })).toEqual(NOT_ELIGIBLE);
    await behavesAt('aamva', { document, type, userCategory: 'GOVERNMENT' }, 'GIV_ELIGIBILITY_OK');
  });
});

test.each(['PASSPORT', 'RESIDENT_CARD', 'VISA'] as const)('USA, %s is not eligible', async (type) => {
  expect(await outcome({ document: aLicence('USA', 'TX', { idDocumentType: type }), type })).toEqual(NOT_ELIGIBLE);
});

describe('Australia, driving licences', () => {
  const licence = (state: string) =>
    aLicence('AUS', state, { idDocumentNumber: NUMBERS[state] ?? '44556677', cardNumber: '2100123456' });
  test.each(AUSTRALIAN)('%s', async (state) => {
    await behavesAt('dvs', { document: licence(state), type: 'DRIVING_LICENSE' }, 'GIV_ELIGIBILITY_OK');
    const { raised } = await outcome({ document: licence(state), type: 'DRIVING_LICENSE', mode: 'IMAGE' });
    expect(raised).toEqual(['GIV_ELIGIBILITY_OK', 'GIV_AVAILABILITY_OK', 'GIV_VERIFICATION_VERIFIED']);
  });
  test.each(AUSTRALIAN)('%s without its card number', async (state) => {
    const { cardNumber: _left, ...document } = licence(state);
    await simulators.record('dvs', document);
    const without = await outcome({ document, type: 'DRIVING_LICENSE' });
    if (NEED_CARD_NUMBER.includes(state))
      expect(without).toEqual({
        result: 'UNVERIFIED',
        raised: ['GIV_ELIGIBILITY_OK', 'GOV_DATA_FORMAT_FAILED', 'GIV_VERIFICATION_UNVERIFIED'],
        asked: false,
      });
    else expect(without.result).toBe('VERIFIED');
  });
  test('a number with an unusual form is sent with a warning: the source decides', async () => {
    const document = { ...licence('WA'), idDocumentNumber: '76543210' };
    await simulators.record('dvs', document);
    expect(await outcome({ document, type: 'DRIVING_LICENSE' })).toMatchObject({
      result: 'VERIFIED',
      raised: expect.arrayContaining(['GOV_DATA_FORMAT_WARNING']),
    });
  });
  test.each(['JBT', 'TX', ''])('%p is not eligible', async (issuingState) => {
    const document = { ...licence('VIC'), issuingState };
    expect(await outcome({ document, type: 'DRIVING_LICENSE' })).toEqual(NOT_ELIGIBLE);
  });
  test('a state may be written in small letters, or with its country', async () => {
    await simulators.record('dvs', licence('VIC'));
    for (const issuingState of ['vic', 'AU-VIC'])
      expect((await outcome({ document: { ...licence('VIC'), issuingState }, type: 'DRIVING_LICENSE' })).result).toBe(
        'VERIFIED',
      );
  });
});

describe('Australia, the other documents', () => {
  const { issuingState: _state, ...plain } = aLicence('AUS', '');
  const passport = { ...plain, idDocumentType: 'PASSPORT' as const, idDocumentNumber: 'PA1234567' };
  test('passport, which needs a gender', async () => {
    await behavesAt('dvs', { document: passport, type: 'PASSPORT' }, 'GIV_ELIGIBILITY_OK');
    const { gender: _gender, ...person } = passport.personalAttributes;
    const without = await outcome({ document: { ...passport, personalAttributes: person }, type: 'PASSPORT' });
    expect(without).toMatchObject({ asked: false, raised: expect.arrayContaining(['GOV_DATA_FORMAT_FAILED']) });
  });
  test.each(['RESIDENT_CARD', 'VISA'] as const)('%s', async (type) => {
    const document = { ...plain, idDocumentType: type, idDocumentNumber: `${type[0]}12345678` };
    await behavesAt('dvs', { document, type }, 'GIV_ELIGIBILITY_OK');
  });
  test.each(['PASSPORT', 'RESIDENT_CARD'] as const)('%s by its images is not eligible', async (type) => {
    expect(await outcome({ document: { ...passport, idDocumentType: type }, type, mode: 'IMAGE' })).toEqual(
      NOT_ELIGIBLE,
    );
  });
  test('identity card is not eligible', async () => {
    expect(
      await outcome({ document: { ...passport, idDocumentType: 'IDENTITY_CARD' }, type: 'IDENTITY_CARD' }),
    ).toEqual(NOT_ELIGIBLE);
  });
});

describe('Australia, health cards', () => {
  const card = (cardType: HealthCard['cardType'], more: Partial<HealthCard> = {}): HealthCard => ({
    cardNumber: `295065436${cardType.charCodeAt(0) % 10}`,
    cardType,
    expiryDate: '2029-08-31',
    individualReferenceNumber: 2,
    fullname2: 'Keller-Ross',
    personalAttributes: { fullname: { value: 'Maria Luz' }, dateOfBirth: { value: '1985-02-03' } },
    ...more,
  });
  const ask = (document: HealthCard) => outcome({ document, type: 'MEDICARE', mode: 'HEALTH_CARD' });
  test.each(['G', 'B', 'Y'] as const)(
    '%s: another day of the month matters on blue and yellow only',
    async (cardType) => {
      await simulators.record('dvs', card(cardType));
      expect((await ask(card(cardType))).result).toBe('VERIFIED');
      expect((await ask(card(cardType, { expiryDate: '2029-08-01' }))).result).toBe(
        cardType === 'G' ? 'VERIFIED' : 'FAILED',
      );
      expect((await ask(card(cardType, { expiryDate: '2029-09-30' }))).result).toBe('FAILED');
    },
  );
  test('the reference number is optional, and compared when it is there', async () => {
    await simulators.record('dvs', card('G'));
    const { individualReferenceNumber: _left, ...without } = card('G');
    expect((await ask(without)).result).toBe('VERIFIED');
    expect((await ask(card('G', { individualReferenceNumber: 3 }))).result).toBe('FAILED');
    expect((await ask({ ...without, cardNumber: `${without.cardNumber}2` })).result).toBe('VERIFIED');
  });
  test('name lines are one name', async () => {
    await simulators.record('dvs', card('Y'));
    const { fullname2: _left, ...one } = card('Y');
    const name = { ...one.personalAttributes, fullname: { value: 'MARIA LUZ KELLER ROSS' } };
    expect((await ask({ ...one, personalAttributes: name })).result).toBe('VERIFIED');
    expect((await ask(one)).result).toBe('FAILED');
  });
  test('of another country is not eligible', async () => {
    expect(await ask(card('G', { issuingCountry: 'NZL' }))).toEqual(NOT_ELIGIBLE);
  });
});

test.each(['FRA', 'UTO', 'CAN'])('documents of %s are not eligible', async (issuingCountry) => {
  const document = { ...aLicence('USA', 'TX'), issuingCountry };
  expect(await outcome({ document, type: 'DRIVING_LICENSE' })).toEqual(NOT_ELIGIBLE);
});
