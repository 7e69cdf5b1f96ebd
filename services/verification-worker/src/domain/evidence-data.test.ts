import type { DocumentText, HealthCard } from '@assay/contracts';
import { describe, expect, test } from '@jest/globals';
import { dataOfAddress, dataOfAttributes, dataOfHealthCard, dataOfText } from './evidence-data.ts';

const attributes = {
  surname: { value: 'Doe' },
  givenNames: [{ value: 'Jane' }, { value: 'Mary' }],
  dateOfBirth: { value: '1980-01-01' },
};

const text: DocumentText = {
  idDocumentType: 'DRIVING_LICENSE',
  idDocumentNumber: 'D123',
  issuingCountry: 'USA',
  issuingState: 'MD',
  expiryDate: '2030-01-01',
  personalAttributes: attributes,
  address: { streetDetails: { streetLines: ['1 High St', 'Floor 2', 'Door 3'] }, city: 'Annapolis', postcode: '21401' },
};

const card: HealthCard = {
  cardNumber: '2123456701',
  cardType: 'G',
  expiryDate: '2030-01-01',
  individualReferenceNumber: 1,
  personalAttributes: { fullname: { value: 'Jane Doe' }, dateOfBirth: { value: '1980-01-01' } },
};

/** Every member `verified` at any depth of a value. */
const verifiedIn = (value: unknown): unknown[] => {
  const found: unknown[] = [];
  JSON.stringify(value, (key, inner) => {
    if (key === 'verified') found.push(inner);
    return inner;
  });
  return found;
};

test.each([
  ['a document as text', dataOfText(text)],
  ['a health card', dataOfHealthCard(card)],
  ['attributes', dataOfAttributes(attributes)],
  ['an address', dataOfAddress(text.address!)],
])('nothing that is only stated is verified: %s', (_, data) => {
  expect(verifiedIn(data).length).toBeGreaterThan(0);
  expect(verifiedIn(data)).not.toContain(true);
});

describe('a document as text', () => {
  const { idDocumentData, proof, person } = dataOfText(text);

  test('has no street where its address names none', () => {
    const without = dataOfText({ ...text, address: { streetDetails: {}, city: 'ANNAPOLIS' } });
    expect(without.idDocumentData?.address).toEqual({ city: 'ANNAPOLIS', verified: false });
  });

  test('is shown with what was submitted, and nothing that was not', () => {
    expect(idDocumentData).toMatchObject({
      idDocumentType: 'DRIVING_LICENSE',
      idDocumentNumber: 'D123',
      issuingState: 'MD',
    });
    expect(idDocumentData).not.toHaveProperty('issuingDate');
    expect(idDocumentData).not.toHaveProperty('cardNumber');
  });

  test('uses the first two lines of its street', () => {
    expect(idDocumentData?.address?.streetDetails?.streetLines).toEqual(['1 High St', 'Floor 2']);
    expect(person?.address?.streetDetails?.streetLines).toEqual(['1 High St', 'Floor 2']);
  });

  test('states a person and a document to compare with others', () => {
    expect(person).toMatchObject({
      surname: 'Doe',
      givenNames: ['Jane', 'Mary'],
      dateOfBirth: '1980-01-01',
      document: { type: 'DRIVING_LICENSE', number: 'D123', country: 'USA' },
    });
  });

  test('is in the proof with its holder', () => {
    expect(proof?.data).toMatchObject({
      documentNumber: 'D123',
      expiryDate: '2030-01-01',
      holderInformation: [{ surname: 'Doe', givenNames: ['Jane', 'Mary'], dateOfBirth: '1980-01-01' }],
    });
  });
});

describe('a health card', () => {
  test('is a document of Australia unless it says otherwise', () => {
    expect(dataOfHealthCard(card).person?.document).toEqual({ type: 'MEDICARE', number: '2123456701', country: 'AUS' });
    expect(dataOfHealthCard({ ...card, cardNumber: '2123 45670 1/1' }).person?.document?.number).toBe('2123456701');
    expect(dataOfHealthCard({ ...card, cardNumber: '２１２３４５６７０１' }).person?.document?.number).toBe(
      '2123456701',
    );
    expect(dataOfHealthCard({ ...card, issuingCountry: 'NZL' }).proof?.data?.issuingCountry).toBe('NZL');
    expect(dataOfHealthCard(card).idDocumentData).not.toHaveProperty('issuingCountry');
  });

  test('has only the first line of its name in the person', () => {
    const data = dataOfHealthCard({ ...card, fullname2: 'John Doe' });
    expect(data.idDocumentData).toMatchObject({ fullname2: 'John Doe', individualReferenceNumber: 1 });
    expect(JSON.stringify(data.person)).not.toContain('John');
  });
});

test('attributes and an address state a person without a document', () => {
  expect(dataOfAttributes(attributes).person).not.toHaveProperty('document');
  expect(dataOfAddress(text.address!).person).toEqual({ address: dataOfAddress(text.address!).addressData });
});
