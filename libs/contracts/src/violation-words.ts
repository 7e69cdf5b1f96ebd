import type { ErrorObject } from 'ajv/dist/2020.js';
import { DATES_IN_ORDER, SOME_MEMBER } from './shapes/submissions.ts';
import { table } from './table.ts';

const OF_FORMATS = table<string>({
  base64: 'must be base64, in the standard alphabet and padded',
  country: 'must be a country code of ISO 3166-1 alpha-3 or of ICAO 9303',
  'birth-date': 'must be a date, YYYY-MM-DD, since 1900 and not in the future',
  'past-date': 'must be a date, YYYY-MM-DD, that is not in the future',
  'calendar-date': 'must be a date, YYYY-MM-DD',
  'utc-date-time': 'must be a date and a time in UTC, as in 2026-01-31T12:00:00.000',
  'date-time': 'must be a date and a time, as in 2026-01-31T12:00:00Z',
  printable: 'must have no characters that steer a text or cannot be seen',
  lines: 'must have no characters that steer a text or cannot be seen',
  'whole-characters': 'must have no half of a character (an unpaired surrogate)',
  shown: 'must be text that can be seen, without characters that steer it',
});

const atLeast = (least: unknown, unit: string): string =>
  least === 1 ? 'must not be empty' : `must have at least ${least} ${unit}`;

const WORDS = table<(error: ErrorObject) => string | undefined>({
  enum: ({ params }) => `must be one of ${params.allowedValues.join(', ')}`,
  const: ({ params }) => `must be ${JSON.stringify(params.allowedValue)}`,
  [SOME_MEMBER]: ({ schema }) => `must have one of ${(schema as string[]).join(', ')}`,
  [DATES_IN_ORDER]: ({ schema }) => `must not lie before ${(schema as string[])[0]}`,
  format: ({ params }) => OF_FORMATS[params.format],
  pattern: ({ parentSchema }) =>
    parentSchema?.description ? `must have this form: ${parentSchema.description}` : 'must have another form',
  required: () => 'is missing',
  additionalProperties: () => 'is no field that is known here',
  minLength: ({ params }) => atLeast(params.limit, 'characters'),
  maxLength: ({ params }) => `must have at most ${params.limit} characters`,
  minItems: ({ params }) => atLeast(params.limit, 'items'),
  maxItems: ({ params }) => `must have at most ${params.limit} items`,
  uniqueItems: () => 'must not have the same item twice',
  minimum: ({ params }) => `must be at least ${params.limit}`,
  maximum: ({ params }) => `must be at most ${params.limit}`,
});

/** The message for a schema error. It repeats neither the value nor an expression. */
export const messageOf = (error: ErrorObject): string =>
  WORDS[error.keyword]?.(error) ?? error.message ?? 'is not valid';

const isNull = ({ keyword, params }: ErrorObject): boolean => keyword === 'type' && params.type === 'null';

/** The alternatives that an error belongs to, or whose failure it reports. */
const alternativesOf = ({ keyword, schemaPath }: ErrorObject): string | undefined => {
  if (keyword === 'anyOf') return schemaPath;
  const end = schemaPath.lastIndexOf('/anyOf/');
  return end < 0 ? undefined : schemaPath.slice(0, end + '/anyOf'.length);
};

/**
 * Whether an error adds nothing to the others. An unmet condition has an error of its own. If a
 * value may also be null, only what is wrong with the value is reported, not that it is not null.
 */
export const isNoise = (error: ErrorObject, all: readonly ErrorObject[]): boolean => {
  if (error.keyword === 'if') return true;
  if (error.keyword !== 'anyOf' && !isNull(error)) return false;
  const alternatives = alternativesOf(error);
  if (alternatives === undefined) return false;
  return all.some(
    (other) =>
      other.keyword !== 'anyOf' &&
      !isNull(other) &&
      other.schemaPath.startsWith(`${alternatives}/`) &&
      other.instancePath.startsWith(error.instancePath),
  );
};
