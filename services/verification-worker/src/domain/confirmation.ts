import { type AddressData, type AttributesData, present } from '@assay/contracts';

/**
 * The values that a source can confirm: its comparison for each field, and the name of the value if
 * the source gives one answer for all.
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

/**
 * What a source can be asked about: also values of the document itself, which no reply marks as
 * verified.
 */
const ASKABLE = { ...FIELDS, expiryDate: ['EXPIRYDATE', 'expiryDate'] } as const;

/**
 * The answer of a source: the indicators, and the values it was asked about. A former version did
 * not say these of a source that answers field by field. `partly`: the values it confirmed only in
 * part.
 */
export interface IssuerAnswer {
  raised: readonly string[];
  asked?: readonly string[] | undefined;
  partly?: readonly string[] | undefined;
}

/** What a source raises that confirms the document. */
export const CONFIRMATION = 'GIV_VERIFICATION_VERIFIED';

/**
 * Whether the source was asked about exactly this value, and confirmed it. Every `verified` and
 * every agreement that rests on an issuing source goes through here. An approximate match does not
 * confirm the value.
 */
export const wasConfirmed = ({ raised, asked, partly = [] }: IssuerAnswer, field: keyof typeof ASKABLE): boolean => {
  if (!raised.includes(CONFIRMATION)) return false;
  const [comparison, question] = ASKABLE[field];
  const byField = raised.some((indicator) => indicator.includes('_COMPARE_'));
  if (partly.includes(question)) return false;
  const wasAsked = asked?.includes(question) ?? byField;
  return wasAsked && (!byField || raised.includes(`${comparison}_COMPARE_OK`));
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
    ...present({
      givenNames: givenNames?.map((name, at) => ({
        ...name,
        verified: confirmed(at === 0 ? 'givenName' : 'middleName'),
      })),
    }),
    ...(Object.fromEntries(marked) as AttributesData),
  };
};

/** An address with `verified` on its street, and on the whole if each of its parts is confirmed. */
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
