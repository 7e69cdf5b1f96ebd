import { type TEnum, type TSchema, Type } from 'typebox';
import { isCountryCode } from '../countries.ts';
import { hasBegun, isCalendarDate, todayAt } from '../dates.ts';
import { table } from '../table.ts';

/** A closed list of strings as a schema; the type is the union of its members. */
export const OneOf = <const T extends readonly string[]>(values: T): TEnum<[...T]> =>
  Type.Enum<[...T]>(values as unknown as [...T]);

/** An object that refuses fields it does not name. */
export const Exact = <P extends Record<string, TSchema>>(properties: P, options: object = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options });

/** Text as people and clients write it: no control characters, not endless. */
export const Text = (maxLength = 256, options: object = {}) =>
  Type.String({ minLength: 1, maxLength, format: 'printable', ...options });

/** The same where it names something on a screen: some of it is seen. */
export const ShownText = (maxLength: number, options: object = {}) => Text(maxLength, { format: 'shown', ...options });

/** A date of the calendar, YYYY-MM-DD. */
export const CalendarDate = Type.String({ format: 'calendar-date', description: 'A date, YYYY-MM-DD' });

/** A language as BCP 47 names it, also with underscores. */
export const LanguageTag = Type.String({
  pattern: '^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*$',
  maxLength: 35,
  description: 'a language, such as de or pt-BR',
});

/** A date-time in the specification's form: UTC, milliseconds, no zone suffix. */
export const DateTime = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}$',
  description: 'UTC, yyyy-MM-ddTHH:mm:ss.SSS',
});

/** An opaque id: at least 122 random bits, never sequential. */
export const Id = Type.String({ minLength: 20, maxLength: 64, pattern: '^[A-Za-z0-9_-]+$' });

/** ISO 3166-1 alpha-3, or one of the non-standard codes documents carry (UTO, RKS, XXA ...). */
export const CountryCode = Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 3166-1 alpha-3' });

/** A country as a client names it: on the list of ISO 3166-1 alpha-3, or of ICAO 9303. */
export const SubmittedCountry = Type.String({
  format: 'country',
  description: 'ISO 3166-1 alpha-3, or a code of ICAO 9303',
});

/** A day of birth: not in the future, not before 1900. */
export const BirthDate = Type.String({ format: 'birth-date', description: 'A date since 1900, not in the future' });

/** A day that has been, somewhere on Earth. */
export const PastDate = Type.String({ format: 'past-date', description: 'A date, not in the future' });

/** Bytes sealed with the identity's key, base64url. Readable only while the identity is open. */
export const Sealed = Type.String({ description: 'sealed with the key of the identity' });

/** An instant on the internal wire: ISO 8601 with Z. */
export const Instant = Type.String({ format: 'date-time' });

const hasBegunNow = (date: string): boolean => hasBegun(date, todayAt(new Date()));

/**
 * Control characters and unpaired surrogates would be stored and signed as something else. What
 * turns the direction of the text around it has an operator compare another name than the one that
 * is stored; what cannot be seen makes two names look like one. Joiners and selectors of variants
 * are left: scripts need them.
 */
const UNPRINTABLE = new RegExp(
  [
    '\\p{Cc}|\\p{Cs}|\\p{Zl}|\\p{Zp}',
    '[\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]',
    '[\\u00ad\\u115f\\u1160\\u180e\\u200b\\u2060-\\u2065\\u206a-\\u206f\\u3164\\ufeff\\uffa0\\ufff0-\\ufffb]',
    '[\\u{e0000}-\\u{e007f}]',
  ].join('|'),
  'gu',
);

export const isPrintable = (text: string): boolean => text.search(UNPRINTABLE) < 0;

/** The text without what cannot be shown for what it is: for text that is taken as it comes. */
export const printableOf = (text: string): string => text.replace(UNPRINTABLE, '');

const SIXTY_FOUR = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const IN_BASE64 = Array.from({ length: 128 }, (_, code) => SIXTY_FOUR.includes(String.fromCharCode(code)));

/** Base64 of one byte at least, in the standard alphabet and padded. */
const isBase64 = (text: string): boolean => {
  if (text.length === 0 || text.length % 4 !== 0) return false;
  const end = text.length - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0);
  for (let at = 0; at < end; at += 1) if (IN_BASE64[text.charCodeAt(at)] !== true) return false;
  return true;
};

/**
 * The formats the schemas above use beyond ajv-formats; the one place validators take them from.
 */
export const FORMATS = table<(text: string) => boolean>({
  'calendar-date': isCalendarDate,
  'birth-date': (text) => isCalendarDate(text) && text >= '1900-01-01' && hasBegunNow(text),
  'past-date': (text) => isCalendarDate(text) && hasBegunNow(text),
  base64: isBase64,
  country: isCountryCode,
  printable: isPrintable,
  lines: (text) => isPrintable(text.replace(/[\r\n\t]/g, '')),
  shown: (text) => isPrintable(text) && text.trim() !== '',
});

/** Date-time inside the proof: yyyy-MM-ddTHH:mm:ss with 0 to 7 digits of a second. */
export const ProofDateTime = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,7})?$' });

/** Members of a form that belong together, under a title. */
export const group = <P extends Record<string, TSchema>>(title: string, properties: P) =>
  Type.Optional(Exact(properties, { title }));
