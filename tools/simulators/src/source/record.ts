/** A record as it was put: the body of endpoint 4 or 5. Nothing is required of it: a field that is absent is not compared. */
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
export const numberOf = (record: SourceRecord): string =>
  (isHealthCard(record) ? record.cardNumber : record.idDocumentNumber) ?? '';

export const stateOf = (record: SourceRecord): string =>
  (record.issuingState ?? '')
    .trim()
    .toUpperCase()
    .replace(/^(AUS?|USA?)-/, '');

/** What makes it the same document: a record put again replaces the former. Persons on one health card are told apart by their reference number. */
export const keyOf = (record: SourceRecord): string =>
  [
    typeOf(record),
    record.issuingCountry ?? '',
    stateOf(record),
    plainNumber(numberOf(record)),
    record.individualReferenceNumber ?? '',
  ].join('|');
