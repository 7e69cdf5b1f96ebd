import { type DataOf, type issuingCheckRequested, usState } from '@assay/contracts';
import type { DocumentRule, FieldRules, JurisdictionRule, Source } from './source.ts';

type Requested = DataOf<typeof issuingCheckRequested>;

/** What decides whether a source can be asked: no personal data. */
export interface Subject {
  type: Requested['type'];
  mode: Requested['mode'];
  userCategory: Requested['userCategory'];
  country: string;
  state?: string | undefined;
}

const INELIGIBLE = ['NO_SOURCE', 'DOCUMENT', 'MODE', 'JURISDICTION', 'USER_CATEGORY'] as const;

export type Eligibility =
  | { eligible: false; reason: (typeof INELIGIBLE)[number] }
  | { eligible: true; source: Source; jurisdiction: string | undefined; fields: FieldRules; someCardsOnly: boolean };

/**
 * A state as the scope tables write it: `nsw`, `AU-NSW` and `NSW` are the same, and so are `TX`,
 * `us-tx` and `Texas`.
 */
const stateCode = (country: string, state: string | undefined): string | undefined => {
  const code = state?.trim().toUpperCase();
  if (!code) return undefined;
  if (country === 'USA') return usState(code) ?? code;
  return country === 'AUS' ? code.replace(/^AUS?-/, '') : code;
};

const merged = (rule: DocumentRule, jurisdiction: JurisdictionRule | undefined): FieldRules => ({
  ...rule.fields,
  ...jurisdiction?.fields,
});

/**
 * The source for a document, or why there is none (specification, Supported scope of issuing source
 * validation). The first source that covers it is asked.
 */
export const eligibilityOf = (sources: readonly Source[], subject: Subject): Eligibility => {
  const ofCountry = sources.filter(({ country }) => country === subject.country);
  const rules = ofCountry.flatMap((source) => source.documents.map((rule) => ({ source, rule })));
  const ofType = rules.filter(({ rule }) => rule.type === subject.type);
  const ofMode = ofType.filter(({ rule }) => rule.modes.includes(subject.mode));
  const state = stateCode(subject.country, subject.state);
  const covering = ofMode.filter(
    ({ rule }) => !rule.jurisdictions || (state !== undefined && Object.hasOwn(rule.jurisdictions, state)),
  );
  const allowed = covering.find(({ rule }) => {
    const categories = rule.jurisdictions?.[state ?? '']?.userCategories;
    return !categories || categories.includes(subject.userCategory);
  });
  if (!allowed) {
    const reason =
      ofCountry.length === 0
        ? 'NO_SOURCE'
        : ofType.length === 0
          ? 'DOCUMENT'
          : ofMode.length === 0
            ? 'MODE'
            : covering.length === 0
              ? 'JURISDICTION'
              : 'USER_CATEGORY';
    return { eligible: false, reason };
  }
  const jurisdiction = allowed.rule.jurisdictions?.[state ?? ''];
  return {
    eligible: true,
    source: allowed.source,
    jurisdiction: allowed.rule.jurisdictions ? state : undefined,
    fields: merged(allowed.rule, jurisdiction),
    someCardsOnly: jurisdiction?.someCardsOnly === true,
  };
};
