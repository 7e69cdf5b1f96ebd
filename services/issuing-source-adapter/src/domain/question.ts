import type { EvidenceType } from '@assay/contracts';
import { type CheckedDocument, type Values, valuesOf } from './document.ts';
import { normalise } from './normalise.ts';
import type { FieldRules, QuestionField, Source } from './source.ts';

/** One question to a source: which document, and its values as that source writes them. */
export interface Question {
  type: EvidenceType;
  country: string;
  jurisdiction: string | undefined;
  values: Values;
}

/**
 * What a document lacks for its source. `missing` REQUIRED fields keep the question from being put;
 * the others are warned of.
 */
export interface Shortfall {
  missing: QuestionField[];
  doubtful: QuestionField[];
}

export const questionOf = (
  { country, normalisation }: Pick<Source, 'country' | 'normalisation'>,
  type: EvidenceType,
  jurisdiction: string | undefined,
  document: CheckedDocument,
): Question => ({
  type,
  country,
  jurisdiction,
  values: normalise(normalisation, valuesOf(document), jurisdiction),
});

/** Holds a question against the field rules of its document and jurisdiction. */
export const shortfallOf = (rules: FieldRules, { values }: Question): Shortfall => {
  const all = Object.entries(rules) as [QuestionField, NonNullable<FieldRules[QuestionField]>][];
  const lacking = (need: string) =>
    all.filter(([field, rule]) => rule.need === need && values[field] === undefined).map(([field]) => field);
  const oddlyWritten = all
    .filter(([field, { pattern }]) => {
      const value = values[field];
      return pattern !== undefined && value !== undefined && !new RegExp(pattern).test(value);
    })
    .map(([field]) => field);
  return { missing: lacking('REQUIRED'), doubtful: [...lacking('EXPECTED'), ...oddlyWritten] };
};
