import type { DocumentText, HealthCard } from '@assay/contracts';
import type { QuestionField } from './source.ts';

/**
 * The document of a question: text, a health card, or values read from images in the shape of text.
 */
export type CheckedDocument = DocumentText | HealthCard;

/** The values of a document by the field names of a question; absent ones are left out. */
export type Values = Partial<Record<QuestionField, string>>;

export const isHealthCard = (document: CheckedDocument): document is HealthCard => 'cardType' in document;

/** The issuing country; a health card without one is Australian, for there is no other. */
export const countryOf = (document: CheckedDocument): string => document.issuingCountry ?? 'AUS';

const withoutEmpty = (values: Record<string, string | undefined>): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value.trim() !== ''));

const ofHealthCard = (card: HealthCard): Values =>
  withoutEmpty({
    number: card.cardNumber,
    cardType: card.cardType,
    individualReference: card.individualReferenceNumber?.toString(),
    expiryDate: card.expiryDate,
    dateOfBirth: card.personalAttributes.dateOfBirth.value,
    fullName: card.personalAttributes.fullname.value,
    fullName2: card.fullname2,
    fullName3: card.fullname3,
    fullName4: card.fullname4,
  });

const ofText = (document: DocumentText): Values => {
  const { personalAttributes: person, address } = document;
  const [given, ...middle] = person.givenNames.map(({ value }) => value);
  const [street1, street2] = address?.streetDetails?.streetLines ?? [];
  return withoutEmpty({
    number: document.idDocumentNumber,
    cardNumber: document.cardNumber,
    passportCountry: document.passportCountry,
    issuingDate: document.issuingDate,
    expiryDate: document.expiryDate,
    dateOfBirth: person.dateOfBirth.value,
    givenName: given,
    middleName: middle.join(' '),
    surname: person.surname.value,
    fullName: person.fullname?.value,
    gender: person.gender?.value,
    height: person.height?.value,
    eyeColor: person.eyeColor?.value,
    street1,
    street2,
    city: address?.city,
    state: address?.state,
    postcode: address?.postcode,
  });
};

/**
 * The values of a document, without nesting. Only the first two address lines are used (endpoint
 * 4).
 */
export const valuesOf = (document: CheckedDocument): Values =>
  isHealthCard(document) ? ofHealthCard(document) : ofText(document);
