import { type Static, Type } from 'typebox';

const text = Type.Optional(Type.String());
const said = Type.Optional(Type.Object({ value: text }));

/**
 * A record as it is put: the body of endpoint 4 or 5. Nothing is required of it: a field that is
 * absent is not compared.
 */
export const RecordSchema = Type.Object({
  idDocumentType: text,
  idDocumentNumber: text,
  issuingCountry: text,
  issuingState: text,
  issuingDate: text,
  expiryDate: text,
  cardNumber: text,
  cardType: text,
  individualReferenceNumber: Type.Optional(Type.Number()),
  fullname2: text,
  fullname3: text,
  fullname4: text,
  passportCountry: text,
  personalAttributes: Type.Optional(
    Type.Object({
      dateOfBirth: said,
      givenNames: Type.Optional(Type.Array(Type.Object({ value: text }))),
      surname: said,
      fullname: said,
      gender: said,
      height: said,
      eyeColor: said,
    }),
  ),
  address: Type.Optional(
    Type.Object({
      streetDetails: Type.Optional(Type.Object({ streetLines: Type.Optional(Type.Array(Type.String())) })),
      city: text,
      state: text,
      postcode: text,
    }),
  ),
});
export type SourceRecord = Static<typeof RecordSchema>;

/** A document number without the signs people put between its characters. */
export const plainNumber = (number: string): string => number.toUpperCase().replace(/[^A-Z0-9]/g, '');

const isHealthCard = (record: SourceRecord): boolean => record.cardType !== undefined && !record.idDocumentType;

/** MEDICARE for a health card, else the type it says. */
export const typeOf = (record: SourceRecord): string =>
  isHealthCard(record) ? 'MEDICARE' : (record.idDocumentType ?? '');

/** The number as it was put. */
export const spelledNumberOf = (record: SourceRecord): string =>
  (isHealthCard(record) ? record.cardNumber : record.idDocumentNumber) ?? '';

// Eleven digits are a health card's number with the individual reference number printed behind it.
const CARD_AND_REFERENCE = /^(\d{10})(\d)$/;

/**
 * The number without the signs between its characters; of a health card without the reference
 * number.
 */
export const numberOf = (record: SourceRecord): string => {
  const number = plainNumber(spelledNumberOf(record));
  return isHealthCard(record) ? number.replace(CARD_AND_REFERENCE, '$1') : number;
};

/** Which person of a health card: the reference number, in its field or behind the card number. */
export const referenceOf = (record: SourceRecord): string | undefined =>
  record.individualReferenceNumber?.toString() ?? CARD_AND_REFERENCE.exec(plainNumber(spelledNumberOf(record)))?.[2];

export const stateOf = (record: SourceRecord): string =>
  (record.issuingState ?? '')
    .trim()
    .toUpperCase()
    .replace(/^(AUS?|USA?)-/, '');

/**
 * What makes it the same document: a record put again replaces the former. Persons on one health
 * card differ by their reference number.
 */
export const keyOf = (record: SourceRecord): string =>
  [
    typeOf(record),
    record.issuingCountry ?? '',
    stateOf(record),
    numberOf(record),
    isHealthCard(record) ? (referenceOf(record) ?? '') : '',
  ].join('|');
