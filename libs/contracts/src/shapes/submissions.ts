import { type Static, Type } from 'typebox';
import { AUSTRALIAN_STATES, US_STATE_CODES } from '../jurisdictions.ts';
import {
  CAPTURE_DOCUMENT_TYPES,
  CAPTURE_SOURCES,
  GENDERS,
  HEALTH_CARD_TYPES,
  TEXT_DOCUMENT_TYPES,
} from '../vocabulary.ts';
import { BirthDate, CalendarDate, OneOf, PastDate, SubmittedCountry, Text } from './building-blocks.ts';

// Request shapes ignore fields that they do not name (specification, Uploads). They check those
// that they name.
const textValue = (maxLength = 256) => Type.Object({ value: Text(maxLength) });
const birthValue = Type.Object({ value: BirthDate });

/** Nothing in an address is required, nor are its street lines (endpoint 4). */
const addressFields = Type.Object({
  streetDetails: Type.Optional(Type.Object({ streetLines: Type.Optional(Type.Array(Text(), { maxItems: 10 })) })),
  city: Type.Optional(Text()),
  state: Type.Optional(Text()),
  postcode: Type.Optional(Text(32)),
  country: Type.Optional(SubmittedCountry),
});

const optionalPersonal = {
  fullname: Type.Optional(textValue()),
  gender: Type.Optional(Type.Object({ value: OneOf(GENDERS) })),
  height: Type.Optional(textValue(32)),
  eyeColor: Type.Optional(textValue(32)),
};

/**
 * If a country is given, a state must belong to it. For licences of both countries a state is
 * required (endpoint 4, issuingState).
 */
const stateOfCountry = (country: string, states: readonly string[]) => ({
  if: { properties: { issuingCountry: { const: country } }, required: ['issuingCountry'] },
  // biome-ignore lint/suspicious/noThenProperty: JSON Schema's own word
  then: { properties: { issuingState: { enum: [...states] } } },
});
const STATES_BY_COUNTRY = [
  stateOfCountry('USA', US_STATE_CODES),
  stateOfCountry('AUS', AUSTRALIAN_STATES),
  {
    if: {
      properties: { idDocumentType: { const: 'DRIVING_LICENSE' }, issuingCountry: { enum: ['USA', 'AUS'] } },
      required: ['idDocumentType', 'issuingCountry'],
    },
    // biome-ignore lint/suspicious/noThenProperty: JSON Schema's own word
    then: { required: ['issuingState'] },
  },
];

/** Names of members; an object needs at least one of them. Other members do not count. */
export const SOME_MEMBER = 'x-some-member';

/**
 * Two dates of an object, each by its dotted path. The second must not be before the first. Both
 * may be absent.
 */
export const DATES_IN_ORDER = 'x-dates-in-order';

/** No document was issued, or expired, before its holder was born. */
const notBeforeBirth = (date: string) => ({ [DATES_IN_ORDER]: ['personalAttributes.dateOfBirth.value', date] });

/**
 * Body of endpoint 4, document data as text. `cardNumber` is our extension, and so is
 * `passportCountry`: the country that issued the passport an Australian visa is linked to, which
 * the source asks for.
 */
export const DocumentTextSchema = Type.Object(
  {
    idDocumentType: OneOf(TEXT_DOCUMENT_TYPES),
    idDocumentNumber: Text(64),
    issuingCountry: SubmittedCountry,
    issuingState: Type.Optional(Text(8)),
    issuingDate: Type.Optional(PastDate),
    expiryDate: Type.Optional(CalendarDate),
    cardNumber: Type.Optional(Text(64)),
    passportCountry: Type.Optional(SubmittedCountry),
    personalAttributes: Type.Object({
      dateOfBirth: birthValue,
      givenNames: Type.Array(textValue(), { minItems: 1, maxItems: 10 }),
      surname: textValue(),
      ...optionalPersonal,
    }),
    address: Type.Optional(addressFields),
  },
  {
    allOf: [...STATES_BY_COUNTRY, notBeforeBirth('issuingDate'), notBeforeBirth('expiryDate')],
    [DATES_IN_ORDER]: ['issuingDate', 'expiryDate'],
  },
);
export type DocumentText = Static<typeof DocumentTextSchema>;

/** Body of endpoint 5, an Australian health-card record. */
export const HealthCardSchema = Type.Object(
  {
    cardNumber: Text(32),
    cardType: OneOf(HEALTH_CARD_TYPES),
    issuingCountry: Type.Optional(SubmittedCountry),
    expiryDate: CalendarDate,
    individualReferenceNumber: Type.Optional(Type.Integer({ minimum: 0, maximum: 99 })),
    fullname2: Type.Optional(Text()),
    fullname3: Type.Optional(Text()),
    fullname4: Type.Optional(Text()),
    personalAttributes: Type.Object({ fullname: textValue(), dateOfBirth: birthValue }),
  },
  // A green card's expiry has no meaningful day.
  { if: { properties: { cardType: { const: 'G' } } }, else: notBeforeBirth('expiryDate') },
);
export type HealthCard = Static<typeof HealthCardSchema>;

const statedAttributes = {
  givenNames: Type.Optional(Type.Array(textValue(), { minItems: 1, maxItems: 10 })),
  surname: Type.Optional(textValue()),
  dateOfBirth: Type.Optional(birthValue),
  ...optionalPersonal,
};

/**
 * Body of POST attributes: the person's own statement, in the shape of attributesData without
 * `verified`.
 */
export const AttributesRequestSchema = Type.Object(statedAttributes, {
  [SOME_MEMBER]: Object.keys(statedAttributes),
});
export type AttributesRequest = Static<typeof AttributesRequestSchema>;

/** Body of POST addresses: an address in the shape of addressData without `verified`. */
export const AddressRequestSchema = Type.Object(
  { ...addressFields.properties },
  { [SOME_MEMBER]: Object.keys(addressFields.properties) },
);
export type AddressRequest = Static<typeof AddressRequestSchema>;

const sdkInfo = Type.Object({ sdkVersion: Type.Optional(Text(128)) });
const deviceInfo = Type.Object({
  browserName: Type.Optional(Text(128)),
  browserVersion: Type.Optional(Text(128)),
  deviceManufacturer: Type.Optional(Text(128)),
  deviceModel: Type.Optional(Text(128)),
  osType: Type.Optional(Text(128)),
  osVersion: Type.Optional(Text(128)),
  /** Its version alone, as text, is what former releases asked for. */
  sdkInfo: Type.Optional(Type.Union([sdkInfo, Text(128)])),
});

/**
 * The DocumentCaptureDetails part of endpoint 3, and what a client may say about itself (channel,
 * device, SDK).
 */
export const CaptureDetailsSchema = Type.Object({
  jurisdiction: Type.Optional(SubmittedCountry),
  documentType: Type.Optional(OneOf(CAPTURE_DOCUMENT_TYPES)),
  source: Type.Optional(OneOf(CAPTURE_SOURCES.filter((source) => source !== 'DOCUMENT_CROP'))),
  channel: Type.Optional(OneOf(['nativeSDK', 'webSDK'])),
  deviceModel: Type.Optional(Text(128)),
  osType: Type.Optional(Text(128)),
  osVersion: Type.Optional(Text(128)),
  deviceInfo: Type.Optional(deviceInfo),
  sdkInfo: Type.Optional(sdkInfo),
});
export type CaptureDetails = Static<typeof CaptureDetailsSchema>;
