import type {
  AddressRequest,
  AttributesRequest,
  DocumentData,
  DocumentText,
  HealthCard,
  Metadata,
} from '@assay/contracts';
import type { Submission } from './history.ts';
import { withoutEmpty } from './without-empty.ts';

const text = (field: { value: string } | undefined): string | undefined => field?.value;

const metadata = (fields: Record<string, string | number | undefined>): Metadata[] =>
  Object.entries(fields).flatMap(([key, value]) => (value === undefined ? [] : [{ key, value: String(value) }]));

const addressMetadata = (address: AddressRequest | undefined): Metadata[] => [
  ...(address?.streetDetails?.streetLines ?? []).map((value) => ({ key: 'streetLine', value })),
  ...metadata({
    city: address?.city,
    state: address?.state,
    postcode: address?.postcode,
    country: address?.country,
  }),
];

const ofDocument = (document: DocumentText): DocumentData => {
  const person = document.personalAttributes;
  return {
    documentNumber: document.idDocumentNumber,
    ...withoutEmpty({ expiryDate: document.expiryDate, issuingDate: document.issuingDate }),
    issuingCountry: document.issuingCountry,
    holderInformation: [
      withoutEmpty({
        dateOfBirth: text(person.dateOfBirth),
        fullname: text(person.fullname),
        gender: text(person.gender),
        givenNames: person.givenNames.map(({ value }) => value),
        surname: text(person.surname),
      }),
    ],
    metadata: [
      ...metadata({
        issuingState: document.issuingState,
        cardNumber: document.cardNumber,
        passportCountry: document.passportCountry,
        height: text(person.height),
        eyeColor: text(person.eyeColor),
      }),
      ...addressMetadata(document.address),
    ],
  };
};

const ofHealthCard = (card: HealthCard): DocumentData => ({
  documentNumber: card.cardNumber,
  expiryDate: card.expiryDate,
  ...withoutEmpty({ issuingCountry: card.issuingCountry }),
  holderInformation: [
    { dateOfBirth: card.personalAttributes.dateOfBirth.value, fullname: card.personalAttributes.fullname.value },
  ],
  metadata: metadata({
    cardType: card.cardType,
    individualReferenceNumber: card.individualReferenceNumber,
    fullname2: card.fullname2,
    fullname3: card.fullname3,
    fullname4: card.fullname4,
  }),
});

const ofAttributes = (attributes: AttributesRequest): DocumentData => ({
  holderInformation: [
    withoutEmpty({
      dateOfBirth: text(attributes.dateOfBirth),
      fullname: text(attributes.fullname),
      gender: text(attributes.gender),
      givenNames: attributes.givenNames?.map(({ value }) => value),
      surname: text(attributes.surname),
    }),
  ],
  metadata: metadata({ height: text(attributes.height), eyeColor: text(attributes.eyeColor) }),
});

/**
 * The data of an evidence as it was submitted. What the specification's Data has no field for
 * (state, card number, country of a visa's passport, address lines, height) is in its metadata, so
 * that nothing the person submitted is missing from the proof.
 */
export const submittedData = (submission: Submission): DocumentData | undefined => {
  const { documentText, healthCard, attributes, address } = submission;
  const data = documentText
    ? ofDocument(documentText)
    : healthCard
      ? ofHealthCard(healthCard)
      : attributes
        ? ofAttributes(attributes)
        : address
          ? { metadata: addressMetadata(address) }
          : {};
  const filled = withoutEmpty(data);
  return Object.keys(filled).length > 0 ? filled : undefined;
};
