import { capital } from '@assay/contracts/words';

/** Fields that were read, as indicators name them. */
const PRINTED_AS: Record<string, string> = {
  idDocumentNumber: 'DOCNUM',
  issuingDate: 'ISSUING_DATE',
  expiryDate: 'EXPIRATION_DATE',
  givenNames: 'FIRSTNAMES',
  surname: 'SURNAME',
  dateOfBirth: 'BIRTHDATE',
  gender: 'SEX',
  nationality: 'DOC_NATIONALITY',
};

/** A field that was read; `differs` where what is printed says otherwise: `printed`, where it was read. */
export interface FieldRead {
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

/** Fields that were read, flattened; where `against` names one, with what is printed beside it. */
export const fieldsRead = ({ printed, ...read }: Record<string, unknown>, against: string[]): FieldRead[] =>
  flatten(read, against, printedBy(printed), []);

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
