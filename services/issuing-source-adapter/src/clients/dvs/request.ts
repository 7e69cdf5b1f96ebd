import type { EvidenceType } from '@assay/contracts';
import { table } from '@assay/contracts/table';
import type { Values } from '../../domain/document.ts';
import type { Question } from '../../domain/question.ts';
import type { QuestionField } from '../../domain/source.ts';

type Fields = Record<string, string | undefined>;

// The verification service's country list has Germany as passports print it.
const PASSPORT_COUNTRIES = table<string>({ DEU: 'D' });

/** 2027-05-31 as 31/05/2027, and 2027-05 (a green card) as 05/2027. */
const printed = (date: string | undefined): string | undefined => date?.split('-').reverse().join('/');

const person = ({ givenName, middleName, surname, dateOfBirth }: Values): Fields => ({
  givenName,
  middleName,
  familyName: surname,
  birthDate: dateOfBirth,
});

const DOCUMENTS: Partial<Record<EvidenceType, (values: Values, jurisdiction: string | undefined) => Fields>> = {
  DRIVING_LICENSE: (values, stateOfIssue) => ({
    type: 'DriverLicenceRequest',
    ...person(values),
    licenceNumber: values.number,
    cardNumber: values.cardNumber,
    stateOfIssue,
    expiryDate: values.expiryDate,
  }),
  PASSPORT: (values) => ({
    type: 'PassportRequest',
    ...person(values),
    gender: values.gender,
    travelDocumentNumber: values.number,
    expiryDate: values.expiryDate,
  }),
  VISA: (values) => ({
    type: 'VisaRequest',
    ...person(values),
    passportNumber: values.number,
    countryOfIssue: PASSPORT_COUNTRIES[values.passportCountry ?? ''] ?? values.passportCountry,
  }),
  RESIDENT_CARD: (values) => ({
    type: 'ImmiCardRequest',
    ...person(values),
    immiCardNumber: values.number,
    cardExpiry: values.expiryDate,
  }),
  MEDICARE: (values) => ({
    type: 'MedicareRequest',
    cardNumber: values.number,
    individualReferenceNumber: values.individualReference,
    cardType: values.cardType,
    cardExpiry: printed(values.expiryDate),
    fullName1: values.fullName,
    fullName2: values.fullName2,
    fullName3: values.fullName3,
    fullName4: values.fullName4,
    birthDate: values.dateOfBirth,
  }),
};

const PERSON = ['givenName', 'middleName', 'surname', 'dateOfBirth'] as const;

/** The values each request asks about; a request can hold no other. */
const ASKED: Partial<Record<EvidenceType, readonly QuestionField[]>> = {
  DRIVING_LICENSE: [...PERSON, 'number', 'cardNumber', 'expiryDate'],
  PASSPORT: [...PERSON, 'gender', 'number', 'expiryDate'],
  VISA: [...PERSON, 'number', 'passportCountry'],
  RESIDENT_CARD: [...PERSON, 'number', 'expiryDate'],
  MEDICARE: [
    'number',
    'individualReference',
    'cardType',
    'expiryDate',
    'fullName',
    'fullName2',
    'fullName3',
    'fullName4',
    'dateOfBirth',
  ],
};

/** The values of a question that the verification service is asked about. */
export const askedOfDvs = ({ type, values }: Question): QuestionField[] =>
  (ASKED[type] ?? []).filter((field) => values[field] !== undefined);

/** The body of one verification request; absent values are left out. */
export const dvsRequest = (checkId: string, originatingAgencyCode: string, question: Question): string => {
  const document = DOCUMENTS[question.type];
  if (!document) throw new Error(`the document verification system has no request for ${question.type}`);
  const values: Values = Object.fromEntries(askedOfDvs(question).map((field) => [field, question.values[field]]));
  return JSON.stringify({
    originatingAgencyCode,
    verificationRequestNumber: checkId,
    consentObtained: true,
    verificationDocument: document(values, question.jurisdiction),
  });
};
