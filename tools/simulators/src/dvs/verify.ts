import { folded } from '../matching/fold.ts';
import type { Book } from '../source/book.ts';
import { magicReply } from '../source/magic.ts';
import {
  numberOf,
  plainNumber,
  referenceOf,
  type SourceRecord,
  spelledNumberOf,
  stateOf,
  typeOf,
} from '../source/record.ts';

/** `verificationDocument` of a request, every value as it came. */
export type AskedDocument = Readonly<Record<string, string | undefined>> & { type: string };
export type ResultCode = 'Y' | 'N' | 'D' | 'S';

const RECORD_TYPES: Readonly<Record<string, string>> = {
  DriverLicenceRequest: 'DRIVING_LICENSE',
  PassportRequest: 'PASSPORT',
  VisaRequest: 'VISA',
  ImmiCardRequest: 'RESIDENT_CARD',
  MedicareRequest: 'MEDICARE',
};

const NUMBERS: Readonly<Record<string, string>> = {
  DriverLicenceRequest: 'licenceNumber',
  PassportRequest: 'travelDocumentNumber',
  VisaRequest: 'passportNumber',
  ImmiCardRequest: 'immiCardNumber',
  MedicareRequest: 'cardNumber',
};

const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  DriverLicenceRequest: ['licenceNumber', 'stateOfIssue', 'familyName', 'birthDate'],
  PassportRequest: ['travelDocumentNumber', 'familyName', 'birthDate', 'gender'],
  VisaRequest: ['passportNumber', 'familyName', 'birthDate'],
  ImmiCardRequest: ['immiCardNumber', 'familyName', 'birthDate'],
  MedicareRequest: ['cardNumber', 'cardType', 'cardExpiry', 'fullName1', 'birthDate'],
};
const NEED_CARD_NUMBER: readonly string[] = ['NSW', 'ACT', 'SA', 'TAS', 'NT', 'WA'];

export const askedNumber = (asked: AskedDocument): string => asked[NUMBERS[asked.type] ?? ''] ?? '';

const isComplete = (asked: AskedDocument): boolean =>
  (REQUIRED[asked.type] ?? ['type']).every((name) => asked[name]) &&
  (asked.type !== 'DriverLicenceRequest' ||
    !NEED_CARD_NUMBER.includes(asked.stateOfIssue ?? '') ||
    Boolean(asked.cardNumber));

/** True also when either side does not have the value: it is not compared then. */
const agrees = (
  asked: string | undefined,
  recorded: string | undefined,
  form: (text: string) => string = (text) => text,
) => asked === undefined || recorded === undefined || form(asked) === form(recorded);

const names = (record: SourceRecord) => (record.personalAttributes?.givenNames ?? []).map(({ value }) => value ?? '');

/** A green card shows month and year, the others the day too. */
const agreesOnCardExpiry = (asked: string | undefined, recorded: string | undefined): boolean => {
  const printed = recorded?.split('-').reverse();
  return agrees(asked, asked?.split('/').length === 2 ? printed?.slice(1).join('/') : printed?.join('/'));
};

const sameHealthCard = (asked: AskedDocument, record: SourceRecord): boolean =>
  agrees(asked.cardType, record.cardType) &&
  agreesOnCardExpiry(asked.cardExpiry, record.expiryDate) &&
  agrees(asked.individualReferenceNumber, referenceOf(record)) &&
  agrees(
    [asked.fullName1, asked.fullName2, asked.fullName3, asked.fullName4].join(' '),
    [record.personalAttributes?.fullname?.value, record.fullname2, record.fullname3, record.fullname4].join(' '),
    folded,
  );

/** Visas name Germany as its passports do, and a record may. */
const alpha3 = (code: string): string => (code === 'D' ? 'DEU' : code);

const sameDocument = (asked: AskedDocument, record: SourceRecord): boolean => {
  const person = record.personalAttributes;
  const [given, ...middle] = names(record);
  return (
    agrees(asked.givenName, given, folded) &&
    agrees(asked.middleName, middle.length > 0 ? middle.join(' ') : undefined, folded) &&
    agrees(asked.familyName, person?.surname?.value, folded) &&
    agrees(asked.gender, person?.gender?.value) &&
    agrees(asked.expiryDate ?? asked.cardExpiry, record.expiryDate) &&
    agrees(asked.cardNumber, record.cardNumber, plainNumber) &&
    agrees(asked.countryOfIssue, record.passportCountry, alpha3)
  );
};

const isOf = (asked: AskedDocument, record: SourceRecord): boolean =>
  typeOf(record) === RECORD_TYPES[asked.type] &&
  agrees(asked.stateOfIssue, stateOf(record) || undefined) &&
  agrees(asked.birthDate, record.personalAttributes?.dateOfBirth?.value) &&
  (asked.type === 'MedicareRequest' ? sameHealthCard(asked, record) : sameDocument(asked, record));

const magicCode = (number: string): ResultCode | undefined => {
  switch (magicReply(number)) {
    case undefined:
      return undefined;
    case 'NO_MATCH':
      return 'N';
    case 'DOCUMENT_ERROR':
      return 'D';
    case 'SYSTEM_ERROR':
    case 'UNAVAILABLE':
    case 'TIMEOUT':
      return 'S';
    default:
      return 'Y';
  }
};

/**
 * Y when a record agrees in everything that was asked, D when the request lacks what its document
 * needs, else N: it says nothing of single fields.
 */
export const verify = (book: Book, asked: AskedDocument): { code: ResultCode; spelled: string } => {
  const number = plainNumber(askedNumber(asked));
  const records = book.under(number).filter((record) => numberOf(record) === number);
  const spelled = records[0] ? spelledNumberOf(records[0]) : askedNumber(asked);
  if (!isComplete(asked)) return { code: 'D', spelled };
  const magic = records.length === 0 ? magicCode(number) : undefined;
  return { code: magic ?? (records.some((record) => isOf(asked, record)) ? 'Y' : 'N'), spelled };
};
