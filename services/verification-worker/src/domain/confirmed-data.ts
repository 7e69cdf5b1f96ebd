import type { AddressData, AttributesData } from '@assay/contracts';
import type { EvidenceData } from './evidence-data.ts';

type Named = Exclude<keyof AttributesData, 'givenNames'>;

/** Which value a comparison of the issuing source is about. */
const COMPARED: readonly (readonly [string, Named])[] = [
  ['SURNAME', 'surname'],
  ['FULLNAME', 'fullname'],
  ['BIRTHDATE', 'dateOfBirth'],
  ['GENDER', 'gender'],
  ['EYECOLOR', 'eyeColor'],
  ['HEIGHT', 'height'],
];

/** What a source that gives one answer for everything it was asked has confirmed. */
const ASKED = ['SURNAME', 'FIRSTNAME', 'MIDDLENAME', 'FULLNAME', 'BIRTHDATE', 'GENDER'];

/** Names of the fields that an issuing source confirmed: those it compared, or all it was asked where it gives no answer by field. */
const confirmedBy = (raised: readonly string[]): ((field: string) => boolean) => {
  if (!raised.includes('GIV_VERIFICATION_VERIFIED')) return () => false;
  if (!raised.some((indicator) => indicator.includes('_COMPARE_'))) return (field) => ASKED.includes(field);
  return (field) => raised.includes(`${field}_COMPARE_OK`);
};

const attributesWith = (attributes: AttributesData, confirmed: (field: string) => boolean): AttributesData => {
  const result: AttributesData = { ...attributes };
  for (const [field, key] of COMPARED) {
    const stated = attributes[key];
    if (stated && confirmed(field)) result[key] = { ...stated, verified: true };
  }
  if (attributes.givenNames)
    result.givenNames = attributes.givenNames.map((name, at) =>
      confirmed(at === 0 ? 'FIRSTNAME' : 'MIDDLENAME') ? { ...name, verified: true } : name,
    );
  return result;
};

const addressWith = (address: AddressData, confirmed: (field: string) => boolean): AddressData => {
  const street = confirmed('ADDRESS_STREET');
  const place = confirmed('ADDRESS_CITY') && confirmed('ADDRESS_POSTCODE');
  return {
    ...address,
    ...(address.streetDetails && street ? { streetDetails: { ...address.streetDetails, verified: true } } : {}),
    ...(street && place ? { verified: true } : {}),
  };
};

/** The data of a document after its issuing source has answered. */
export const withIssuerAnswer = (data: EvidenceData, raised: readonly string[]): EvidenceData => {
  const { idDocumentData } = data;
  if (!idDocumentData) return data;
  const confirmed = confirmedBy(raised);
  const { personalAttributes, address } = idDocumentData;
  return {
    ...data,
    idDocumentData: {
      ...idDocumentData,
      ...(personalAttributes && { personalAttributes: attributesWith(personalAttributes, confirmed) }),
      ...(address && { address: addressWith(address, confirmed) }),
    },
  };
};

const STATED = ['SURNAME', 'FIRSTNAME', 'MIDDLENAME', 'FULLNAME', 'BIRTHDATE'];

/** A statement that agrees with the verified document: its names and date of birth, or its address, are confirmed by it. */
export const asAgreed = (data: EvidenceData): EvidenceData => ({
  ...data,
  ...(data.attributesData && {
    attributesData: attributesWith(data.attributesData, (field) => STATED.includes(field)),
  }),
  ...(data.addressData && { addressData: addressWith(data.addressData, () => true) }),
});

/** What is shown while the evidence is not VERIFIED: nothing counts as verified. */
export const unconfirmed = <T>(shown: T): T =>
  JSON.parse(JSON.stringify(shown), (key, inner: unknown) => (key === 'verified' ? false : inner)) as T;
