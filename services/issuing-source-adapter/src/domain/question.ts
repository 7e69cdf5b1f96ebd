import type { EvidenceType } from '@assay/contracts';
import type { SourceAnswer } from './answer.ts';
import { type CheckedDocument, type Values, valuesOf } from './document.ts';
import { isMetricHeight } from './measures.ts';
import { normalise } from './normalise.ts';
import { isWrittenAs } from './pattern.ts';
import type { FieldRules, QuestionField, Source } from './source.ts';

/** One question to a source: the document, and its values in the form of that source. */
export interface Question {
  type: EvidenceType;
  country: string;
  jurisdiction: string | undefined;
  values: Values;
  /** Values that the source is asked about in part only. */
  partly: QuestionField[];
}

/**
 * The fields that a document lacks for its source. Without the `missing` ones (REQUIRED) no
 * question is sent; the others cause a warning.
 */
export interface Shortfall {
  missing: QuestionField[];
  doubtful: QuestionField[];
}

const ZIP_DIGITS = 5;
/** With the first line they are one name. */
const FURTHER_LINES = ['fullName2', 'fullName3', 'fullName4'] as const;

/**
 * Values asked only in part: of a ZIP code with four further digits the first five, of a street the
 * lines that the source can write, of a height in centimetres the inches if the source uses them.
 */
const askedInPart = (stated: Values, { postcode, street2, height }: Values): QuestionField[] => {
  const isLonger = (stated.postcode?.replace(/\D/g, '').length ?? 0) > ZIP_DIGITS;
  return [
    ...(postcode?.length === ZIP_DIGITS && isLonger ? (['postcode'] as const) : []),
    ...(stated.street2 !== undefined && street2 === undefined ? (['street1'] as const) : []),
    ...(height !== stated.height && isMetricHeight(stated.height ?? '') ? (['height'] as const) : []),
  ];
};

/**
 * The values that an answer confirms only in part: because of the question, because of the answer,
 * or because the source was not asked about the second line of a street, a further line of a full
 * name or the suffix of a surname.
 */
export const confirmedInPart = ({ values, partly }: Question, { asked, partly: more = [] }: SourceAnswer) => {
  const isLeft = (field: QuestionField) => values[field] !== undefined && asked?.includes(field) === false;
  return [
    ...partly,
    ...more,
    ...(isLeft('street2') ? (['street1'] as const) : []),
    ...(FURTHER_LINES.some(isLeft) ? (['fullName'] as const) : []),
    ...(isLeft('suffix') ? (['surname'] as const) : []),
  ];
};

export const questionOf = (
  { country, normalisation }: Pick<Source, 'country' | 'normalisation'>,
  type: EvidenceType,
  jurisdiction: string | undefined,
  document: CheckedDocument,
): Question => {
  const stated = valuesOf(document);
  const values = normalise(normalisation, stated, jurisdiction);
  return { type, country, jurisdiction, values, partly: askedInPart(stated, values) };
};

/** Checks a question by the field rules of its document and jurisdiction. */
export const shortfallOf = (rules: FieldRules, { values }: Question): Shortfall => {
  const all = Object.entries(rules) as [QuestionField, NonNullable<FieldRules[QuestionField]>][];
  const lacking = (need: string) =>
    all.filter(([field, rule]) => rule.need === need && values[field] === undefined).map(([field]) => field);
  const oddlyWritten = all
    .filter(([field, { pattern }]) => {
      const value = values[field];
      return pattern !== undefined && value !== undefined && !isWrittenAs(pattern, value);
    })
    .map(([field]) => field);
  return { missing: lacking('REQUIRED'), doubtful: [...lacking('EXPECTED'), ...oddlyWritten] };
};
