import {
  type AddressData,
  type AddressRequest,
  type AttributesData,
  type AttributesRequest,
  type DocumentText,
  type FieldPlace,
  type HealthCard,
  type IdDocumentData,
  type OriginLanguageData,
  type DocumentData as ProofData,
  plainLetters,
  present,
} from '@assay/contracts';
import type { Field } from './confirmation.ts';
import type { StatedPerson } from './stated-person.ts';

/**
 * The data of one evidence in replies and in the proof: personal data, sealed wherever it is
 * stored. `verified` marks what counts as confirmed once the evidence is VERIFIED.
 */
export interface EvidenceData {
  idDocumentData?: IdDocumentData;
  attributesData?: AttributesData;
  addressData?: AddressData;
  proof?: { data?: ProofData; originLanguageData?: OriginLanguageData };
  /** The differences between the print and the machine-readable part of the document. */
  places?: FieldPlace[];
  person?: StatedPerson;
  /**
   * The person is stated by a client, not read: only values that an issuing source confirmed are
   * compared with others.
   */
  selfStated?: true;
  /** The confirmed values: by check digits, a barcode or the issuing source. */
  confirmed?: Field[];
  /** Once the issuing source has confirmed the document: what is confirmed without it. */
  confirmedWithoutIssuer?: Field[];
}

/** What replies show of an evidence. */
export const shownOf = ({ idDocumentData, attributesData, addressData }: EvidenceData) => ({
  ...present({ idDocumentData, attributesData, addressData }),
});

/**
 * What operators see of a document: the values that were read, the printed values beside them, and
 * the differences.
 */
export const operatorFields = ({ idDocumentData = {}, proof, places }: EvidenceData): Record<string, unknown> => ({
  ...idDocumentData,
  ...present({ printed: proof?.originLanguageData }),
  ...(places?.length ? { places } : {}),
});

type Value = { value: string };
const value = ({ value: text }: Value) => ({ value: text, verified: false });
const optional = <K extends string>(key: K, given: Value | undefined) =>
  (given ? { [key]: value(given) } : {}) as Partial<Record<K, ReturnType<typeof value>>>;

const addressOf = (address: AddressRequest | undefined): AddressData | undefined => {
  if (!address) return undefined;
  const { city, state, postcode, country } = address;
  const streetLines = address.streetDetails?.streetLines;
  return {
    // Only the first two lines are used (specification, Limits).
    ...(streetLines && { streetDetails: { streetLines: streetLines.slice(0, 2), verified: false } }),
    ...present({ postcode, city, state, country }),
    verified: false,
  };
};

const attributesOf = (stated: AttributesRequest): AttributesData => ({
  ...present({ givenNames: stated.givenNames?.map(value) }),
  ...optional('surname', stated.surname),
  ...optional('fullname', stated.fullname),
  ...optional('dateOfBirth', stated.dateOfBirth),
  ...optional('gender', stated.gender),
  ...optional('eyeColor', stated.eyeColor),
  ...optional('height', stated.height),
});

const personOf = (attributes: AttributesData, address?: AddressData): StatedPerson =>
  present({
    surname: attributes.surname?.value,
    givenNames: attributes.givenNames?.map((name) => name.value),
    fullname: attributes.fullname?.value,
    dateOfBirth: attributes.dateOfBirth?.value,
    gender: attributes.gender?.value,
    eyeColor: attributes.eyeColor?.value,
    height: attributes.height?.value,
    address,
  });

const holderOf = (person: StatedPerson): NonNullable<ProofData['holderInformation']> => [
  present({
    surname: person.surname,
    givenNames: person.givenNames,
    fullname: person.fullname,
    dateOfBirth: person.dateOfBirth,
    gender: person.gender,
  }),
];

/** Data of a document submitted as text (endpoint 4). */
export const dataOfText = (text: DocumentText): EvidenceData => {
  const address = addressOf(text.address);
  const attributes = attributesOf(text.personalAttributes);
  const person: StatedPerson = {
    ...personOf(attributes, address),
    document: { type: text.idDocumentType, number: text.idDocumentNumber, country: text.issuingCountry },
  };
  const dates = present({ issuingDate: text.issuingDate, expiryDate: text.expiryDate });
  return {
    idDocumentData: {
      idDocumentType: text.idDocumentType,
      idDocumentNumber: text.idDocumentNumber,
      issuingCountry: text.issuingCountry,
      ...present({ issuingState: text.issuingState }),
      ...dates,
      personalAttributes: attributes,
      ...present({ address, cardNumber: text.cardNumber }),
    },
    proof: {
      data: {
        documentNumber: text.idDocumentNumber,
        issuingCountry: text.issuingCountry,
        ...dates,
        holderInformation: holderOf(person),
      },
    },
    person,
    selfStated: true,
  };
};

/** The ten digits of the number of a health card; the reference number may follow them. */
const cardNumberOf = ({ cardNumber }: HealthCard): string =>
  plainLetters(cardNumber)
    .replace(/[^0-9A-Za-z]/g, '')
    .slice(0, 10);

/** Data of an Australian health card, as submitted (endpoint 5). */
export const dataOfHealthCard = (card: HealthCard): EvidenceData => {
  const attributes = attributesOf(card.personalAttributes);
  const person: StatedPerson = {
    ...personOf(attributes),
    document: { type: 'MEDICARE', number: cardNumberOf(card), country: card.issuingCountry ?? 'AUS' },
  };
  return {
    idDocumentData: {
      idDocumentType: 'MEDICARE',
      idDocumentNumber: card.cardNumber,
      cardNumber: card.cardNumber,
      cardType: card.cardType,
      ...present({ issuingCountry: card.issuingCountry }),
      expiryDate: card.expiryDate,
      ...present({
        individualReferenceNumber: card.individualReferenceNumber,
        fullname2: card.fullname2,
        fullname3: card.fullname3,
        fullname4: card.fullname4,
      }),
      personalAttributes: attributes,
    },
    proof: {
      data: {
        documentNumber: card.cardNumber,
        expiryDate: card.expiryDate,
        issuingCountry: card.issuingCountry ?? 'AUS',
        holderInformation: holderOf(person),
      },
    },
    person,
    selfStated: true,
  };
};

export const dataOfAttributes = (stated: AttributesRequest): EvidenceData => {
  const attributesData = attributesOf(stated);
  const person = personOf(attributesData);
  return { attributesData, person, proof: { data: { holderInformation: holderOf(person) } } };
};

export const dataOfAddress = (stated: AddressRequest): EvidenceData => {
  const addressData = addressOf(stated) ?? {};
  return { addressData, person: { address: addressData } };
};
