import { dateDistance, datesIn } from './dates.ts';
import type { LabelledValues } from './labels.ts';
import { fold } from './letters.ts';
import type { ExpectedValues, FieldCheck, VisualField } from './match.ts';
import { countryIn, nationalityIn, sexLine } from './personal.ts';

/** Values in the document's own spelling, as far as they were read in print. */
export interface PrintedValues {
  documentNumber?: string;
  expiryDate?: string;
  issuingDate?: string;
  issuingCountry?: string;
  surname?: string;
  givenNames?: string;
  birthDate?: string;
  sex?: string;
  nationality?: string;
}

interface PrintSource {
  lines: readonly { text: string }[];
  checks: Partial<Record<VisualField, FieldCheck>>;
  labelled: LabelledValues;
  expected: ExpectedValues;
  /** Alpha-3 of the issuer, where it is known. */
  country?: string | undefined;
}

const plain = (text: string): string => fold(text).replace(/[^A-Z0-9]/g, '');

/** The print that says the date, of whichever line has it. */
const dateAsPrinted = (lines: PrintSource['lines'], iso: string | undefined): string | undefined =>
  iso &&
  lines.flatMap(({ text }) => datesIn(text)).find((date) => date.fullYear && dateDistance(date, iso) === 0)?.text;

/** The part of a line that spells the value, with its marks and small letters. */
const asPrinted = (lines: PrintSource['lines'], value: string | undefined): string | undefined => {
  if (!value) return undefined;
  const line = lines.find(({ text }) => plain(text) === plain(value));
  return line?.text ?? value;
};

/**
 * What the proof's originLanguageData shows: what was compared, and what follows labels where
 * nothing was.
 */
export const printedValues = ({ lines, checks, labelled, expected, country }: PrintSource): PrintedValues => {
  const seen = (field: VisualField) => checks[field]?.seen;
  const values: { [K in keyof PrintedValues]: PrintedValues[K] | undefined } = {
    documentNumber: seen('documentNumber') ?? asPrinted(lines, labelled.documentNumber),
    expiryDate: seen('expiryDate') ?? dateAsPrinted(lines, labelled.expiryDate),
    issuingDate: seen('issuingDate') ?? dateAsPrinted(lines, labelled.issuingDate),
    issuingCountry: country && countryIn(lines, country),
    surname: seen('surname') ?? asPrinted(lines, labelled.surname),
    givenNames: seen('givenNames') ?? asPrinted(lines, labelled.givenNames?.join(' ')),
    birthDate: seen('birthDate') ?? dateAsPrinted(lines, labelled.birthDate),
    sex: sexLine(lines, expected.sex ?? labelled.sex)?.text,
    nationality: expected.nationality && nationalityIn(lines, expected.nationality),
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value)) as PrintedValues;
};
