import type { EvidenceType } from '@assay/contracts';
import type { SourceAnswer } from './answer.ts';
import { type CheckedDocument, type Values, valuesOf } from './document.ts';
import { isMetricHeight } from './measures.ts';
import { normalise } from './normalise.ts';
import { isWrittenAs } from './pattern.ts';
import type { FieldRules, QuestionField, Source } from './source.ts';

/** One question to a source: which document, and its values as that source writes them. */
export interface Question {
  type: EvidenceType;
  country: string;
  jurisdiction: string | undefined;
  values: Values;
  /** Values that the source is asked about in part only. */
  partly: QuestionField[];
}

/**
 * What a document lacks for its source. `missing` REQUIRED fields keep the question from being put;
 * the others are warned of.
 */
export interface Shortfall {
  missing: QuestionField[];
  doubtful: QuestionField[];
}

const ZIP_DIGITS = 5;

/**
 * Of a ZIP code with its four further digits only the first five are asked; of a street no line
 * that the source cannot write; a height in centimetres to the inch, where that is how it is asked.
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
 * The values of which a source's yes confirms a part only: as the question was put, as it was
 * answered, and a street where the one answer is about its first line alone.
 */
export const confirmedInPart = ({ values, partly }: Question, answer: SourceAnswer): QuestionField[] => {
  const isLineLeft = values.street2 !== undefined && answer.asked?.includes('street2') === false;
  return [...partly, ...(answer.partly ?? []), ...(isLineLeft ? (['street1'] as const) : [])];
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

/** Holds a question against the field rules of its document and jurisdiction. */
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
