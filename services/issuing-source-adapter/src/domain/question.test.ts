import type { DocumentText, HealthCard } from '@assay/contracts';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { SourceAnswer } from './answer.ts';
import { countryOf, valuesOf } from './document.ts';
import { foldName, foldText, plainNumber } from './fold.ts';
import { confirmedInPart, questionOf, shortfallOf } from './question.ts';
import type { QuestionField } from './source.ts';

const licence: DocumentText = {
  idDocumentType: 'DRIVING_LICENSE',
  idDocumentNumber: 'T64235789',
  issuingCountry: 'USA',
  personalAttributes: {
    dateOfBirth: { value: '1974-08-12' },
    givenNames: [{ value: 'BARRY' }, { value: 'HENRY' }, { value: 'JO' }],
    surname: { value: 'SPECIMEN' },
  },
};
const card: HealthCard = {
  cardType: 'G',
  cardNumber: '2951633051',
  expiryDate: '2031-04',
  individualReferenceNumber: 2,
  personalAttributes: { dateOfBirth: { value: '1974-08-12' }, fullname: { value: 'BARRY SPECIMEN' } },
} as HealthCard;

describe('the values of a document as a flat list', () => {
  test('contain the first given name alone, and the others together', () => {
    expect(valuesOf(licence)).toMatchObject({ givenName: 'BARRY', middleName: 'HENRY JO', surname: 'SPECIMEN' });
  });

  test('have no member for absent or blank values', () => {
    const { personalAttributes: person } = licence;
    const bare = { ...person, givenNames: [{ value: 'BARRY' }, { value: ' ' }] };
    expect(valuesOf({ ...licence, personalAttributes: bare })).toEqual({
      number: 'T64235789',
      dateOfBirth: '1974-08-12',
      givenName: 'BARRY',
      surname: 'SPECIMEN',
    });
  });

  test('contain the first two address lines only', () => {
    const address = { streetDetails: { streetLines: ['1 MAIN ST', 'APT 2', 'REAR'] }, city: 'RICHMOND' };
    expect(valuesOf({ ...licence, address })).toMatchObject({
      street1: '1 MAIN ST',
      street2: 'APT 2',
      city: 'RICHMOND',
    });
    expect(JSON.stringify(valuesOf({ ...licence, address }))).not.toContain('REAR');
  });

  test('of a health card have its reference as text, and Australia as its country', () => {
    expect(valuesOf(card)).toMatchObject({
      number: '2951633051',
      individualReference: '2',
      fullName: 'BARRY SPECIMEN',
    });
    expect([countryOf(card), countryOf(licence)]).toEqual(['AUS', 'USA']);
  });
});

describe('a value that a document lacks', () => {
  const question = questionOf({ country: 'USA', normalisation: 'AS_SUBMITTED' }, 'DRIVING_LICENSE', 'VA', licence);

  test('prevents the question if it is REQUIRED, and causes a warning if it is EXPECTED', () => {
    const rules = {
      number: { need: 'REQUIRED' },
      cardNumber: { need: 'REQUIRED' },
      gender: { need: 'EXPECTED' },
      height: { need: 'OPTIONAL' },
    } as const;
    expect(shortfallOf(rules, question)).toEqual({ missing: ['cardNumber'], doubtful: ['gender'] });
  });

  test('a value with an unusual form causes a warning and is sent; an absent one causes none', () => {
    const rules = { number: { pattern: '^\\d+$' }, cardNumber: { pattern: '^\\d+$' } };
    expect(shortfallOf(rules, question)).toEqual({ missing: [], doubtful: ['number'] });
    expect(question.values.number).toBe('T64235789');
  });
});

test('only the first five digits of a longer ZIP code are asked', () => {
  const asked = (postcode: string) =>
    questionOf({ country: 'USA', normalisation: 'AAMVA' }, 'DRIVING_LICENSE', 'VA', {
      ...licence,
      address: { postcode },
    });
  expect(asked('23219-1234')).toMatchObject({ partly: ['postcode'], values: { postcode: '23219' } });
  expect(asked('23219')).toMatchObject({ partly: [], values: { postcode: '23219' } });
});

describe('a height', () => {
  const asked = (value: string, normalisation: 'AAMVA' | 'AS_SUBMITTED' = 'AAMVA') =>
    questionOf({ country: 'USA', normalisation }, 'DRIVING_LICENSE', 'VA', {
      ...licence,
      personalAttributes: { ...licence.personalAttributes, height: { value } },
    });

  test.each(['170 cm', '171', '1,70 m'])('of %s is asked in inches, and confirmed only in part', (height) => {
    expect(asked(height)).toMatchObject({ values: { height: '507' }, partly: ['height'] });
  });

  test.each(['5\'07"', '507', '067 in'])('of %s is asked as it is', (height) => {
    expect(asked(height)).toMatchObject({ values: { height: '507' }, partly: [] });
  });

  test('is asked in centimetres if the source accepts them', () => {
    expect(asked('171', 'AS_SUBMITTED')).toMatchObject({ values: { height: '171' }, partly: [] });
  });
});

describe('of two lines of a street', () => {
  const asked = (second: string) =>
    questionOf({ country: 'USA', normalisation: 'AAMVA' }, 'DRIVING_LICENSE', 'VA', {
      ...licence,
      address: { streetDetails: { streetLines: ['1 MAIN ST', second] } },
    });
  const answer = (...fields: QuestionField[]): SourceAnswer => ({ result: 'VERIFIED', raised: [], asked: fields });

  test('a line that the source cannot represent is not asked, nor confirmed with the other', () => {
    expect(asked('APT 2').partly).toEqual([]);
    expect(asked('東').partly).toEqual(['street1']);
  });

  test('a surname is confirmed only in part where its suffix was not asked', () => {
    const surname = { value: 'Specimen Jr' };
    const document = { ...licence, personalAttributes: { ...licence.personalAttributes, surname } };
    const question = questionOf({ country: 'USA', normalisation: 'AAMVA' }, 'DRIVING_LICENSE', 'VA', document);
    expect(confirmedInPart(question, answer('surname', 'suffix'))).toEqual([]);
    expect(confirmedInPart(question, answer('surname'))).toEqual(['surname']);
  });

  test('one answer applies to the lines that were asked', () => {
    expect(confirmedInPart(asked('APT 2'), answer('street1', 'street2'))).toEqual([]);
    expect(confirmedInPart(asked('APT 2'), answer('street1'))).toEqual(['street1']);
    expect(confirmedInPart(asked('APT 2'), { result: 'VERIFIED', raised: [] })).toEqual([]);
  });
});

describe('of several lines of a full name', () => {
  const asked = (fullname2: string) =>
    questionOf({ country: 'AUS', normalisation: 'DVS' }, 'MEDICARE', undefined, {
      ...card,
      fullname2,
      fullname3: 'Jo',
    });
  const answer = (...fields: QuestionField[]): SourceAnswer => ({ result: 'VERIFIED', raised: [], asked: fields });

  test('none is asked if the source cannot represent one of them', () => {
    expect(asked('Keller').values).toMatchObject({ fullName: 'BARRY SPECIMEN', fullName2: 'KELLER', fullName3: 'JO' });
    expect(Object.keys(asked('東').values).filter((field) => field.startsWith('fullName'))).toEqual([]);
  });

  test('the name is confirmed only where all of them were asked', () => {
    expect(confirmedInPart(asked('Keller'), answer('fullName', 'fullName2', 'fullName3'))).toEqual([]);
    expect(confirmedInPart(asked('Keller'), answer('fullName', 'fullName2'))).toEqual(['fullName']);
  });
});

describe('a name in the form of issuers', () => {
  test('has plain letters, apostrophes, hyphens and single spaces, and does not change again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (name) => {
        const folded = foldName(name);
        expect(folded).toMatch(/^([A-Z]([A-Z' -]*[A-Z])?)?$/);
        expect(folded).not.toMatch(/ {2}| -|- /);
        expect(foldName(folded)).toBe(folded);
      }),
    );
  });

  test.each([
    ['Müller', 'MULLER'],
    ['d’Arc', "D'ARC"],
    ['Anne – Marie', 'ANNE-MARIE'],
    ["'t Hooft", 'T HOOFT'],
    ['O´Neill, Jr.', "O'NEILL JR"],
    ['王', ''],
  ])('%s is %j', (name, folded) => {
    expect(foldName(name)).toBe(folded);
  });

  test('an address keeps digits and signs; a number keeps only letters and digits', () => {
    expect(foldText('  12/3 Straße #4 & Co. ')).toBe('12/3 STRASSE #4 & CO');
    expect(foldText('5 King´s Road')).toBe("5 KING'S ROAD");
    expect(plainNumber(' t-6423.5789 ')).toBe('T64235789');
  });
});
