import { present } from '@assay/contracts';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { comparedPerson } from './compared-person.ts';
import { CONFIRMABLE, type Field, type IssuerAnswer, wasConfirmed } from './confirmation.ts';
import { unconfirmed, withIssuerAnswer } from './confirmed-data.ts';
import { dataOfText, type EvidenceData } from './evidence-data.ts';

const value = (text: string) => ({ value: text, verified: false });

/** Data of a text document, with every value that a source can be asked about. */
const data = (): EvidenceData => ({
  idDocumentData: {
    idDocumentType: 'DRIVING_LICENSE',
    personalAttributes: {
      surname: value('DOE'),
      givenNames: [value('JANE'), value('MARY')],
      dateOfBirth: value('1980-01-01'),
      gender: value('F'),
      eyeColor: value('BRO'),
      height: value('507'),
    },
    address: {
      streetDetails: { streetLines: ['1 HIGH ST'], verified: false },
      city: 'ANNAPOLIS',
      postcode: '21401',
      verified: false,
    },
  },
});

const ASKED = ['surname', 'givenName', 'middleName', 'dateOfBirth', 'number'];
/** A source that answers by field is asked about every value. */
const ASKED_BY_FIELD = [...ASKED, 'gender', 'eyeColor', 'height', 'street1', 'city', 'postcode'];

const confirmedBy = (raised: string[]) => {
  const asked = raised.some((indicator) => indicator.includes('_COMPARE_')) ? ASKED_BY_FIELD : ASKED;
  const { personalAttributes = {}, address } = withIssuerAnswer(data(), { raised, asked }).idDocumentData!;
  const { givenNames = [], ...others } = personalAttributes;
  return [
    ...Object.entries(others).flatMap(([name, one]) => ((one as { verified?: boolean }).verified ? [name] : [])),
    ...givenNames.flatMap((one, at) => (one.verified ? [`givenNames.${at}`] : [])),
    ...(address?.streetDetails?.verified ? ['street'] : []),
    ...(address?.verified ? ['address'] : []),
  ].sort();
};

test('a value that the source confirmed only in part is not confirmed', () => {
  const byField = { raised: ['GIV_VERIFICATION_VERIFIED', 'SURNAME_COMPARE_OK'], partly: ['surname'] };
  expect(wasConfirmed(byField, 'surname')).toBe(false);
  expect(wasConfirmed({ ...byField, partly: [] }, 'surname')).toBe(true);
});

describe('an issuing source confirms', () => {
  test.each<[string, string[], string[]]>([
    ['nothing when it did not verify', ['GIV_VERIFICATION_FAILED', 'SURNAME_COMPARE_OK'], []],
    ['nothing when it was not asked', [], []],
    [
      'what it was asked, when it answers for all at once',
      ['GIV_VERIFICATION_VERIFIED'],
      ['dateOfBirth', 'givenNames.0', 'givenNames.1', 'surname'],
    ],
    [
      'only the fields that it compared and found the same',
      ['GIV_VERIFICATION_VERIFIED', 'SURNAME_COMPARE_OK', 'FIRSTNAME_COMPARE_OK', 'HEIGHT_COMPARE_FAILED'],
      ['givenNames.0', 'surname'],
    ],
    [
      'eye colour and height by comparison',
      ['GIV_VERIFICATION_VERIFIED', 'EYECOLOR_COMPARE_OK', 'HEIGHT_COMPARE_OK'],
      ['eyeColor', 'height'],
    ],
    [
      'a street without its place',
      ['GIV_VERIFICATION_VERIFIED', 'ADDRESS_STREET_COMPARE_OK', 'ADDRESS_CITY_COMPARE_OK'],
      ['street'],
    ],
    [
      'an address by street, city and postcode',
      [
        'GIV_VERIFICATION_VERIFIED',
        'ADDRESS_STREET_COMPARE_OK',
        'ADDRESS_CITY_COMPARE_OK',
        'ADDRESS_POSTCODE_COMPARE_OK',
      ],
      ['address', 'street'],
    ],
    [
      'no address by its place alone',
      ['GIV_VERIFICATION_VERIFIED', 'ADDRESS_CITY_COMPARE_OK', 'ADDRESS_POSTCODE_COMPARE_OK'],
      [],
    ],
  ])('%s', (_, raised, confirmed) => {
    expect(confirmedBy(raised)).toEqual(confirmed);
  });

  test('values without changing them, and does not touch data of another kind', () => {
    const answered = withIssuerAnswer(data(), { raised: ['GIV_VERIFICATION_VERIFIED'], asked: ASKED });
    expect(answered.idDocumentData?.personalAttributes?.surname).toEqual({ value: 'DOE', verified: true });
    const address: EvidenceData = { addressData: { city: 'ANNAPOLIS', verified: false } };
    expect(withIssuerAnswer(address, { raised: ['GIV_VERIFICATION_VERIFIED'] })).toBe(address);
  });
});

describe('an address', () => {
  const OK = ['STREET', 'CITY', 'POSTCODE'].map((part) => `ADDRESS_${part}_COMPARE_OK`);
  const addressAfter = (more: string[], state = 'MD', before?: Field[]) => {
    const { idDocumentData } = data();
    const stated: EvidenceData = {
      idDocumentData: { ...idDocumentData, address: { ...idDocumentData!.address!, state } },
      ...present({ confirmed: before }),
    };
    return withIssuerAnswer(stated, { raised: ['GIV_VERIFICATION_VERIFIED', ...OK, ...more] }).idDocumentData!.address!
      .verified;
  };

  test.each<[string, string[], boolean]>([
    ['is verified where each of its parts is', ['ADDRESS_STATE_COMPARE_OK'], true],
    ['is not where the source denied the state', ['ADDRESS_STATE_COMPARE_FAILED'], false],
    ['is not where the source said nothing of the state', ['ADDRESS_STATE_COMPARE_UNVERIFIED'], false],
  ])('%s', (_, raised, verified) => expect(addressAfter(raised)).toBe(verified));

  test('that a barcode confirms is no longer verified once the source denies a part of it', () => {
    const all: Field[] = ['street', 'city', 'state', 'postcode'];
    expect(addressAfter(['ADDRESS_STATE_COMPARE_UNVERIFIED'], 'MD', all)).toBe(true);
    expect(addressAfter(['ADDRESS_STATE_COMPARE_FAILED'], 'MD', all)).toBe(false);
  });
});

describe('any source, any fields, any answer', () => {
  const COMPARISONS: Record<Field, string> = {
    surname: 'SURNAME',
    givenName: 'FIRSTNAME',
    middleName: 'MIDDLENAME',
    fullname: 'FULLNAME',
    dateOfBirth: 'BIRTHDATE',
    gender: 'GENDER',
    eyeColor: 'EYECOLOR',
    height: 'HEIGHT',
    street: 'ADDRESS_STREET',
    city: 'ADDRESS_CITY',
    state: 'ADDRESS_STATE',
    postcode: 'ADDRESS_POSTCODE',
    country: 'ADDRESS_COUNTRY',
  };
  const QUESTIONS: Record<Field, string> = {
    ...(Object.fromEntries(CONFIRMABLE.map((field) => [field, field])) as Record<Field, string>),
    fullname: 'fullName',
    street: 'street1',
    country: 'addressCountry',
  };
  const some = fc.subarray(CONFIRMABLE);
  const aResult = fc.constantFrom('VERIFIED', 'FAILED', 'UNVERIFIED');
  /** A source with one answer for everything, or a source that answers by field. */
  const anAnswer = fc.oneof(
    fc.record({ result: aResult, asked: some }).map(({ result, asked }) => ({
      answer: { raised: [`GIV_VERIFICATION_${result}`], asked: asked.map((field) => QUESTIONS[field]) },
      said: new Set(result === 'VERIFIED' ? asked : []),
    })),
    fc
      .record({
        result: aResult,
        fields: fc.array(fc.constantFrom('OK', 'FAILED', 'UNVERIFIED', 'FUZZY'), { minLength: 13, maxLength: 13 }),
      })
      .map(({ result, fields }) => ({
        answer: {
          raised: [
            `GIV_VERIFICATION_${result}`,
            ...CONFIRMABLE.map((field, at) =>
              fields[at] === 'FUZZY'
                ? `${COMPARISONS[field]}_FUZZY_COMPARE_OK`
                : `${COMPARISONS[field]}_COMPARE_${fields[at]}`,
            ),
          ],
        },
        said: new Set(result === 'VERIFIED' ? CONFIRMABLE.filter((_, at) => fields[at] === 'OK') : []),
      })),
  );
  const ADDRESS = ['street', 'city', 'state', 'postcode', 'country'] as const;
  const COMPARED = ['surname', 'fullname', 'dateOfBirth', 'gender', 'eyeColor', 'height'] as const;
  const documentWith = (stated: readonly Field[]): EvidenceData => {
    const has = (field: Field) => stated.includes(field);
    const one = (field: Field) => (has(field) ? { [field]: value(field) } : {});
    const names = [...(has('givenName') ? ['JOHN'] : []), ...(has('givenName') && has('middleName') ? ['PAUL'] : [])];
    return dataOfText({
      idDocumentType: 'DRIVING_LICENSE',
      idDocumentNumber: 'D1',
      issuingCountry: 'AUS',
      personalAttributes: {
        ...one('surname'),
        ...(names.length > 0 ? { givenNames: names.map(value) } : {}),
        ...one('fullname'),
        ...one('dateOfBirth'),
        ...one('gender'),
        ...one('eyeColor'),
        ...one('height'),
      } as never,
      address: {
        ...(has('street') && { streetDetails: { streetLines: ['1 HIGH ST'] } }),
        ...(has('city') && { city: 'SYDNEY' }),
        ...(has('state') && { state: 'NSW' }),
        ...(has('postcode') && { postcode: '2000' }),
        ...(has('country') && { country: 'AUS' }),
      },
    });
  };

  test('that a source calls the same was asked, where the answer says what was', () => {
    const raised = ['GIV_VERIFICATION_VERIFIED', 'GENDER_COMPARE_OK', 'SURNAME_COMPARE_OK'];
    expect(wasConfirmed({ raised, asked: ['surname'] }, 'surname')).toBe(true);
    expect(wasConfirmed({ raised, asked: ['surname'] }, 'gender')).toBe(false);
    expect(wasConfirmed({ raised, asked: ['surname', 'dateOfBirth'] }, 'dateOfBirth')).toBe(false);
  });

  test('calls verified, and compares with others, only values that were asked and confirmed', () => {
    fc.assert(
      fc.property(anAnswer, some, ({ answer, said }, stated) => {
        const after = withIssuerAnswer(documentWith(stated), answer);
        const { personalAttributes = {}, address } = after.idDocumentData!;
        const { givenNames = [], ...others } = personalAttributes;
        const { person } = comparedPerson(after)!;
        const parts = ADDRESS.filter((part) => stated.includes(part));
        const isCompared = (field: Field) => stated.includes(field) && said.has(field);
        // One comparison for all: a comparison in Jest takes longer than the rule takes for
        // everything.
        expect({
          confirmed: CONFIRMABLE.map((field) => wasConfirmed(answer as IssuerAnswer, field)),
          shown: Object.entries(others).map(([field, one]) => [field, one.verified]),
          names: givenNames.map(({ verified }) => verified),
          address: address?.verified,
          compared: COMPARED.filter((field) => person[field] !== undefined),
          givenNames: person.givenNames !== undefined,
        }).toStrictEqual({
          confirmed: CONFIRMABLE.map((field) => said.has(field)),
          shown: Object.keys(others).map((field) => [field, said.has(field as Field)]),
          names: givenNames.map((_, at) => said.has(at === 0 ? 'givenName' : 'middleName')),
          address: parts.length > 0 && parts.every((part) => said.has(part)),
          compared: COMPARED.filter(isCompared),
          givenNames: isCompared('givenName'),
        });
      }),
      { numRuns: 10_000 },
    );
  });
});

test('while the evidence is not VERIFIED nothing in it is shown as verified, at any depth', () => {
  const answered = withIssuerAnswer(data(), { raised: ['GIV_VERIFICATION_VERIFIED'], asked: ASKED });
  expect(JSON.stringify(unconfirmed(answered))).not.toContain('true');
  expect(unconfirmed(answered).idDocumentData).toEqual(data().idDocumentData);
  expect(JSON.stringify(answered)).toContain('"verified":true');
});
