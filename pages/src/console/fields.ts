import type { FieldPlace } from '@assay/contracts/operator';
import { table } from '@assay/contracts/table';
import { capital } from '@assay/contracts/words';

/** Fields that were read, as indicators name them. */
const PRINTED_AS = table<string>({
  idDocumentNumber: 'DOCNUM',
  issuingDate: 'ISSUING_DATE',
  expiryDate: 'EXPIRATION_DATE',
  givenNames: 'FIRSTNAMES',
  surname: 'SURNAME',
  dateOfBirth: 'BIRTHDATE',
  gender: 'SEX',
  nationality: 'DOC_NATIONALITY',
});

/**
 * A field that was read; `differs` where what is printed says otherwise: `printed`, where it was
 * read.
 */
export interface FieldRead {
  /** Its name in replies. */
  key: string;
  label: string;
  value: string;
  confirmed: boolean;
  differs: boolean;
  printed?: string;
}

/** What is printed of each field, as printed, by the names of the fields that were read. */
const printedBy = (printed: unknown): Record<string, string> => {
  if (typeof printed !== 'object' || printed === null) return {};
  const { holderInformation = [], documentNumber, ...rest } = printed as Record<string, unknown>;
  const [holder = {}] = Array.isArray(holderInformation) ? (holderInformation as Record<string, unknown>[]) : [];
  return Object.fromEntries(
    Object.entries({ ...rest, ...holder, idDocumentNumber: documentNumber }).flatMap(([key, value]) => {
      const text = Array.isArray(value) ? value.join(' ') : value;
      return typeof text === 'string' ? [[key, text] as const] : [];
    }),
  );
};

/**
 * Fields that were read, flattened; where `against` names one, with what is printed beside it, as
 * far as it could be read by itself or at its place.
 */
export const fieldsRead = (
  { printed, ...read }: Record<string, unknown>,
  against: string[],
  places: readonly FieldPlace[] = [],
): FieldRead[] => {
  const placed = Object.fromEntries(places.map((place) => [place.field, place.printed]));
  return flatten(read, against, { ...placed, ...printedBy(printed) }, []);
};

/** A place on an image where print differs, with both values. */
export interface Difference {
  label: string;
  place: FieldPlace;
  /** What the machine-readable part says. */
  value: string;
}

/**
 * What differs on one image, with both values; nothing for images that are no side of the document.
 */
export const differencesOn = (
  image: string,
  fields: Record<string, unknown>,
  against: string[],
  places: readonly FieldPlace[] = [],
): Difference[] =>
  places
    .filter(({ side, field }) => side === image && against.includes(PRINTED_AS[field] ?? ''))
    .map((place) => {
      const own = fieldsRead(fields, against).filter(({ key }) => key === place.field);
      return { label: label(place.field), place, value: own.map(({ value }) => value).join(' ') };
    });

const flatten = (
  value: unknown,
  against: string[],
  printed: Readonly<Record<string, string>>,
  path: string[],
): FieldRead[] => {
  if (value === null || value === undefined) return [];
  const inside = (inner: unknown, key: string[]) => flatten(inner, against, printed, [...path, ...key]);
  if (Array.isArray(value)) return value.flatMap((inner, i) => inside(inner, value.length > 1 ? [String(i + 1)] : []));
  const differs = path.some((key) => against.includes(PRINTED_AS[key] ?? ''));
  const print = differs ? path.map((key) => printed[key]).find((text) => text !== undefined) : undefined;
  const read = (text: unknown, confirmed: boolean): FieldRead[] => [
    {
      key: path.find((key) => key in PRINTED_AS) ?? path.join('.'),
      label: path.map(label).join(', '),
      value: String(text),
      confirmed: confirmed && !differs,
      differs,
      ...(print === undefined ? {} : { printed: print }),
    },
  ];
  if (typeof value !== 'object') return read(value, false);
  const entry = value as Record<string, unknown>;
  if ('value' in entry) return read(entry.value, entry.verified === true);
  return Object.entries(entry)
    .filter(([key]) => key !== 'verified')
    .flatMap(([key, inner]) => inside(inner, key === 'personalAttributes' ? [] : [key]));
};
const label = (key: string): string =>
  capital(
    key
      .replace(/^idDocument/, 'document')
      .replace(/([A-Z])/g, ' $1')
      .toLowerCase(),
  );
