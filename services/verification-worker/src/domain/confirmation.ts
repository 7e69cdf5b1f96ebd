import type { AddressData, AttributesData } from '@assay/contracts';

/**
 * The values a source can confirm: its comparison by field, and the name of the value in a question
 * with one answer for all.
 */
const FIELDS = {
  surname: ['SURNAME', 'surname'],
  givenName: ['FIRSTNAME', 'givenName'],
  middleName: ['MIDDLENAME', 'middleName'],
  fullname: ['FULLNAME', 'fullName'],
  dateOfBirth: ['BIRTHDATE', 'dateOfBirth'],
  gender: ['GENDER', 'gender'],
  eyeColor: ['EYECOLOR', 'eyeColor'],
  height: ['HEIGHT', 'height'],
  street: ['ADDRESS_STREET', 'street1'],
  city: ['ADDRESS_CITY', 'city'],
  state: ['ADDRESS_STATE', 'state'],
  postcode: ['ADDRESS_POSTCODE', 'postcode'],
  country: ['ADDRESS_COUNTRY', 'addressCountry'],
} as const;
export type Field = keyof typeof FIELDS;
export const CONFIRMABLE = Object.keys(FIELDS) as Field[];

/** What a source can be asked: a document's own values too, which no reply calls verified. */
const ASKABLE = { ...FIELDS, expiryDate: ['EXPIRYDATE', 'expiryDate'] } as const;

/**
 * What a source said: what it raised, and which values its one answer is about where it gives no
 * answers by field. Of those in `partly` it confirmed a part only.
 */
export interface IssuerAnswer {
  raised: readonly string[];
  asked?: readonly string[] | undefined;
  partly?: readonly string[] | undefined;
}

/**
 * Was this very value asked, and confirmed? Everything that says `verified` or "agrees" of a value
 * that an issuing source answered for goes through here. An approximate match is no confirmation of
 * the value.
 */
export const wasConfirmed = (
  { raised, asked = [], partly = [] }: IssuerAnswer,
  field: keyof typeof ASKABLE,
): boolean => {
  if (!raised.includes('GIV_VERIFICATION_VERIFIED')) return false;
  const [comparison, question] = ASKABLE[field];
  const byField = raised.some((indicator) => indicator.includes('_COMPARE_'));
  if (partly.includes(question)) return false;
  return byField ? raised.includes(`${comparison}_COMPARE_OK`) : asked.includes(question);
};

export const wasDenied = ({ raised }: IssuerAnswer, field: Field): boolean =>
  raised.includes(`${FIELDS[field][0]}_COMPARE_FAILED`);

/** The parts of an address that it has. */
export const partsOf = ({ streetDetails, city, state, postcode, country }: AddressData): Field[] => [
  ...(streetDetails?.streetLines.length ? (['street'] as const) : []),
  ...(city ? (['city'] as const) : []),
  ...(state ? (['state'] as const) : []),
  ...(postcode ? (['postcode'] as const) : []),
  ...(country ? (['country'] as const) : []),
];

/** Attributes with `verified` on the values that are confirmed. */
export const attributesWith = (attributes: AttributesData, confirmed: (field: Field) => boolean): AttributesData => {
  const { givenNames, ...others } = attributes;
  const marked = Object.entries(others).map(([key, stated]) => [
    key,
    { ...stated, verified: CONFIRMABLE.includes(key as Field) && confirmed(key as Field) },
  ]);
  return {
    ...(givenNames && {
      givenNames: givenNames.map((name, at) => ({
        ...name,
        verified: confirmed(at === 0 ? 'givenName' : 'middleName'),
      })),
    }),
    ...(Object.fromEntries(marked) as AttributesData),
  };
};

/**
 * An address with `verified` on its street, and on the whole where each of its parts is confirmed.
 */
export const addressWith = (address: AddressData, confirmed: (field: Field) => boolean): AddressData => {
  const parts = partsOf(address);
  return {
    ...address,
    ...(address.streetDetails && {
      streetDetails: { ...address.streetDetails, verified: parts.includes('street') && confirmed('street') },
    }),
    verified: parts.length > 0 && parts.every(confirmed),
  };
};
