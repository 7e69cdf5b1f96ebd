/**
 * A record as it was put: the body of endpoint 4 or 5. Nothing is required of it: a field that is
 * absent is not compared.
 */
export interface SourceRecord {
  idDocumentType?: string;
  idDocumentNumber?: string;
  issuingCountry?: string;
  issuingState?: string;
  issuingDate?: string;
  expiryDate?: string;
  cardNumber?: string;
  cardType?: string;
  individualReferenceNumber?: number;
  fullname2?: string;
  fullname3?: string;
  fullname4?: string;
  passportCountry?: string;
  personalAttributes?: {
    dateOfBirth?: { value?: string };
    givenNames?: { value?: string }[];
    surname?: { value?: string };
    fullname?: { value?: string };
    gender?: { value?: string };
    height?: { value?: string };
    eyeColor?: { value?: string };
  };
  address?: {
    streetDetails?: { streetLines?: string[] };
    city?: string;
    state?: string;
    postcode?: string;
  };
}

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
