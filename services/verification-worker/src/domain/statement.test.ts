import type { AddressRequest, AttributesRequest, DocumentText, HealthCard } from '@assay/contracts';
import { describe, expect, test } from '@jest/globals';
import { compareStatements } from './agreement.ts';
import { comparedPerson } from './compared-person.ts';
import { withIssuerAnswer } from './confirmed-data.ts';
import { dataOfAddress, dataOfAttributes, dataOfHealthCard, dataOfText, type EvidenceData } from './evidence-data.ts';
import { compareStatement } from './statement.ts';

const value = (text: string) => ({ value: text });

/** A licence that its issuer confirmed field by field, including eye colour, height and address. */
const licence = (more: Partial<DocumentText['personalAttributes']> = {}): EvidenceData =>
  withIssuerAnswer(
    dataOfText({
      idDocumentType: 'DRIVING_LICENSE',
      idDocumentNumber: 'D1',
      issuingCountry: 'USA',
      personalAttributes: {
        surname: value('SMITH'),
        givenNames: [value('BARRY')],
        dateOfBirth: value('1980-01-01'),
        gender: { value: 'M' },
        eyeColor: value('BRO'),
        height: value('507'),
        ...more,
      },
      address: { streetDetails: { streetLines: ['1 HIGH ST'] }, city: 'ANNAPOLIS', state: 'MD', postcode: '21401' },
    }),
    {
      raised: [
        'GIV_VERIFICATION_VERIFIED',
        ...['SURNAME', 'FIRSTNAME', 'BIRTHDATE', 'GENDER', 'EYECOLOR', 'HEIGHT'].map((one) => `${one}_COMPARE_OK`),
        ...['STREET', 'CITY', 'STATE', 'POSTCODE'].map((one) => `ADDRESS_${one}_COMPARE_OK`),
      ],
    },
  );

const attributes = (stated: AttributesRequest) =>
  compareStatement(dataOfAttributes(stated), comparedPerson(licence())!);
const address = (stated: AddressRequest) => compareStatement(dataOfAddress(stated), comparedPerson(licence())!);

describe('stated attributes beside a confirmed document', () => {
  const named = { surname: value('Smith'), givenNames: [value('Barry')] };
  test.each<[string, AttributesRequest, string]>([
    ['the same names', named, 'ALL'],
    ['the names as a full name', { fullname: value('Barry Smith') }, 'ALL'],
    ['another full name', { fullname: value('John Citizen') }, 'CONTRADICTED'],
    ['a further given name, which the document does not have', { givenNames: [value('Barry'), value('Hugh')] }, 'SOME'],
    ['another gender', { ...named, gender: { value: 'F' } }, 'CONTRADICTED'],
    ['another eye colour', { ...named, eyeColor: value('RED') }, 'CONTRADICTED'],
    ['the eye colour alone, written out', { eyeColor: value('Brown') }, 'ALL'],
    ['another eye colour alone', { eyeColor: value('BLU') }, 'CONTRADICTED'],
    ['the height in centimetres', { height: value('170 cm') }, 'ALL'],
    ['a height near it', { height: value('172 cm') }, 'NONE'],
    ['another height', { height: value('190 cm') }, 'CONTRADICTED'],
  ])('%s: %s', (_, stated, result) => {
    expect(attributes(stated).statement.all).toBe(result);
  });

  test('are all verified if the result is ALL, otherwise only those that are the same', () => {
    expect(JSON.stringify(attributes({ ...named, eyeColor: value('BRO') }).data.attributesData)).not.toContain('false');
    const { data } = attributes({ givenNames: [value('Barry'), value('Hugh')] });
    expect(data.attributesData?.givenNames?.map(({ verified }) => verified)).toEqual([true, false]);
  });
});

test.each([
  ['with the surname', 'Barry Smith', 'NONE'],
  ['with another surname', 'Barry Citizen', 'CONTRADICTED'],
])('a full name %s that the document has without given names: %s is %s', (_, fullname, result) => {
  const barcode = { person: { surname: 'SMITH', cut: [] }, confirmed: ['surname'] as const };
  const raised = ['GIV_VERIFICATION_VERIFIED', 'SURNAME_COMPARE_OK', 'FIRSTNAME_COMPARE_FAILED'];
  const approximate = comparedPerson(
    withIssuerAnswer(licence(), { raised: [...raised, 'FIRSTNAME_FUZZY_COMPARE_OK'] }),
  );
  const stated = dataOfAttributes({ fullname: value(fullname) });
  for (const reference of [barcode, approximate!])
    expect(compareStatement(stated, reference).statement.all).toBe(result);
});

test.each([
  ['X', 'F', 'SOME'],
  ['X', 'X', 'ALL'],
  ['M', 'X', 'CONTRADICTED'],
] as const)('beside a document with the sex %s, which leaves it open if X, %s is %s', (gender, stated, result) => {
  const reference = { person: { surname: 'SMITH', gender }, confirmed: ['surname', 'gender'] as const };
  const asked = dataOfAttributes({ surname: value('Smith'), gender: { value: stated } });
  const { statement, data } = compareStatement(asked, reference);
  expect(statement.all).toBe(result);
  expect(data.attributesData?.gender?.verified).toBe(result === 'ALL');
});

test.each<[string, string, string, boolean]>([
  ['a birth of which the zone leaves the century open', '1924-08-12', 'SOME', false],
  ['the birth that the zone has', '2024-08-12', 'ALL', true],
  ['a birth on another day', '1924-08-13', 'CONTRADICTED', false],
])('%s: %s is %s', (_, stated, result, verified) => {
  const chip = { surname: 'ERIKSSON', dateOfBirth: '2024-08-12', zone: 'P<UTO' };
  const asked = dataOfAttributes({ surname: value('Eriksson'), dateOfBirth: value(stated) });
  const { statement, data } = compareStatement(asked, { person: chip, confirmed: ['surname', 'dateOfBirth'] });
  expect(statement.all).toBe(result);
  expect(data.attributesData?.dateOfBirth?.verified).toBe(verified);
});

describe('a stated address beside a confirmed document', () => {
  const home = { streetDetails: { streetLines: ['1 High Street'] }, city: 'Annapolis', postcode: '21401' };
  test.each<[string, AddressRequest, string, boolean]>([
    ['the same', home, 'ALL', true],
    ['in another state', { ...home, state: 'VA' }, 'CONTRADICTED', false],
    ['in the country of issue, which no issuer confirmed', { ...home, country: 'USA' }, 'SOME', false],
    ['in another country', { ...home, country: 'FRA' }, 'CONTRADICTED', false],
    ['a further ZIP code, which no source confirmed', { ...home, postcode: '21401-1234' }, 'SOME', false],
    ['its state by name', { ...home, state: 'Maryland' }, 'ALL', true],
    ['its state with the country', { ...home, state: 'US-MD' }, 'ALL', true],
    ['another state by name', { ...home, state: 'Maine' }, 'CONTRADICTED', false],
    ['a city alone', { city: 'Annapolis' }, 'ALL', true],
    ['another city alone', { city: 'Boston' }, 'CONTRADICTED', false],
    ['a city with a country', { city: 'Annapolis', country: 'USA' }, 'NONE', false],
  ])('%s', (_, stated, result, verified) => {
    const compared = address(stated);
    expect(compared.statement.all).toBe(result);
    expect(compared.data.addressData?.verified).toBe(verified);
  });

  test('in another country than the document has it is CONTRADICTED', () => {
    const person = { address: dataOfAddress({ ...home, country: 'USA' }).addressData! };
    expect(
      compareStatement(dataOfAddress({ ...home, country: 'FRA' }), { person, confirmed: ['street', 'country'] })
        .statement.all,
    ).toBe('CONTRADICTED');
  });
});

test.each<[string, AttributesRequest, string]>([
  ['behind the surname', { surname: value('Smith Jr') }, 'ALL'],
  ['left out', { surname: value('Smith') }, 'ALL'],
  ['another one', { surname: value('Smith III') }, 'CONTRADICTED'],
  ['in a full name', { fullname: value('Barry Smith Jr') }, 'ALL'],
  ['left out of a full name', { fullname: value('Barry Smith') }, 'ALL'],
])('a suffix that a barcode has apart from the surname, %s: %s', (_, stated, result) => {
  const { person, confirmed } = comparedPerson(licence())!;
  const reference = { person: { ...person, suffix: 'JR' }, confirmed };
  expect(compareStatement(dataOfAttributes(stated), reference).statement.all).toBe(result);
});

test('a full name that the issuing source was not asked about decides no agreement', () => {
  const card: HealthCard = {
    cardNumber: '2123456701',
    cardType: 'G',
    expiryDate: '2030-01-01',
    personalAttributes: { fullname: value('JOHN CITIZEN'), dateOfBirth: value('1980-01-01') },
  };
  const health = withIssuerAnswer(dataOfHealthCard(card), {
    raised: ['GIV_VERIFICATION_VERIFIED'],
    asked: ['fullName', 'dateOfBirth', 'number'],
  });
  const stated = licence({ fullname: value('JOHN CITIZEN') });
  expect(stated.idDocumentData?.personalAttributes?.fullname).toMatchObject({ verified: false });
  expect(
    compareStatements(
      { evidenceId: 'a', person: comparedPerson(stated)!.person },
      { evidenceId: 'b', person: comparedPerson(health)!.person },
    ),
  ).toMatchObject({ surname: 'DISAGREE', givenNames: 'DISAGREE', dateOfBirth: 'AGREE' });
});

describe('the name of a health card on several lines', () => {
  const answer = { raised: ['GIV_VERIFICATION_VERIFIED'], asked: ['fullName', 'fullName2', 'dateOfBirth', 'number'] };
  const health = (more: Partial<HealthCard>, partly: string[] = []) =>
    comparedPerson(
      withIssuerAnswer(
        dataOfHealthCard({
          cardNumber: '2123456701',
          cardType: 'G',
          expiryDate: '2030-01-01',
          personalAttributes: { fullname: value('MARIA LUZ'), dateOfBirth: value('1980-01-01') },
          ...more,
        }),
        { ...answer, partly },
      ),
    )!;
  const person = { surname: 'KELLER-ROSS', givenNames: ['MARIA', 'LUZ'], dateOfBirth: '1980-01-01' };
  const agreement = (other: ReturnType<typeof health>) =>
    compareStatements({ evidenceId: 'a', person }, { evidenceId: 'b', person: other.person });

  test('is one name: it agrees with a passport that has all of it', () => {
    expect(agreement(health({ fullname2: 'KELLER ROSS' }))).toMatchObject({ surname: 'AGREE', givenNames: 'AGREE' });
    expect(agreement(health({ fullname2: 'KELLER', fullname3: 'ROSS' }))).toMatchObject({ surname: 'AGREE' });
    expect(agreement(health({ fullname2: 'CITIZEN' }))).toMatchObject({ surname: 'DISAGREE' });
  });

  test('confirms no statement of its first line alone', () => {
    const stated = (fullname: string) => compareStatement(dataOfAttributes({ fullname: value(fullname) }), whole);
    const whole = health({ fullname2: 'KELLER ROSS' });
    expect(stated('Maria Luz Keller Ross').statement.all).toBe('ALL');
    expect(stated('Maria Luz').statement.all).toBe('NONE');
  });

  test('is not compared where one of them was not asked', () => {
    expect(agreement(health({ fullname2: '東' }, ['fullName']))).toMatchObject({ surname: 'UNKNOWN' });
  });
});

test.each([
  ['Jonathon Warren Trevor Papandropoulous', 'NONE'],
  ['Jonathon Warren Andrew Papandropoulous', 'CONTRADICTED'],
])('the full name %s beside a zone that had to cut it: %s', (fullname, result) => {
  const person = { surname: 'PAPANDROPOULOUS', givenNames: ['JONATHON', 'WARREN', 'TREV'], cut: true };
  const stated = dataOfAttributes({ fullname: value(fullname) });
  expect(compareStatement(stated, { person, confirmed: ['surname', 'givenName'] }).statement.all).toBe(result);
});
