import { type TEnum, type TSchema, Type } from 'typebox';

/** A closed list of strings as a schema; the type is the union of its members. */
export const OneOf = <const T extends readonly string[]>(values: T): TEnum<[...T]> =>
  Type.Enum<[...T]>(values as unknown as [...T]);

/** An object that refuses fields it does not name. */
export const Exact = <P extends Record<string, TSchema>>(properties: P, options: object = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options });

/** Text from people and clients: without control characters, and limited in length. */
export const Text = (maxLength = 256, options: object = {}) =>
  Type.String({ minLength: 1, maxLength, format: 'printable', ...options });

/** The same for a name on a screen: at least one of its characters is visible. */
export const ShownText = (maxLength: number, options: object = {}) => Text(maxLength, { format: 'shown', ...options });

/** A date of the calendar, YYYY-MM-DD. */
export const CalendarDate = Type.String({ format: 'calendar-date', description: 'A date, YYYY-MM-DD' });

/** A language tag of BCP 47; underscores are accepted too. */
export const LanguageTag = Type.String({
  pattern: '^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*$',
  maxLength: 35,
  description: 'a language, such as de or pt-BR',
});

const DATE_TIME = {
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}$',
  description: 'UTC, yyyy-MM-ddTHH:mm:ss.SSS',
};
/** A date-time in the specification's form: UTC, milliseconds, no zone suffix. */
export const DateTime = Type.String(DATE_TIME);

/** The same as a client gives it: there is such a day, and such an hour. */
export const GivenDateTime = Type.String({ ...DATE_TIME, format: 'utc-date-time' });

/** An opaque id: at least 122 random bits, never sequential. */
export const Id = Type.String({ minLength: 20, maxLength: 64, pattern: '^[A-Za-z0-9_-]+$' });

/** ISO 3166-1 alpha-3, or one of the non-standard codes in documents (UTO, RKS, XXA ...). */
export const CountryCode = Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 3166-1 alpha-3' });

/** A country as a client names it: on the list of ISO 3166-1 alpha-3, or of ICAO 9303. */
export const SubmittedCountry = Type.String({
  format: 'country',
  description: 'ISO 3166-1 alpha-3, or a code of ICAO 9303',
});

/** A day of birth: not in the future, not before 1900. */
export const BirthDate = Type.String({ format: 'birth-date', description: 'A date since 1900, not in the future' });

/** A day that has begun somewhere on Earth. */
export const PastDate = Type.String({ format: 'past-date', description: 'A date, not in the future' });

/**
 * Bytes sealed with the identity's key, base64url. They are readable only while the identity is
 * open.
 */
export const Sealed = Type.String({ description: 'sealed with the key of the identity' });

/** An instant between services: ISO 8601 with Z. */
export const Instant = Type.String({ format: 'date-time' });

const DAY = '\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])';
const HOURS = '([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d';

/** Date-time inside the proof: yyyy-MM-ddTHH:mm:ss with 0 to 7 digits of a second. */
export const ProofDateTime = Type.String({ pattern: `^${DAY}T${HOURS}(\\.\\d{1,7})?$` });

/** Members of a form that belong together, and their title. */
export const group = <P extends Record<string, TSchema>>(title: string, properties: P) =>
  Type.Optional(Exact(properties, { title }));
