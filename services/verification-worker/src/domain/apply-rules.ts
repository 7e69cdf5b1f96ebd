import {
  type ErrorObject,
  type EvidenceType,
  errorObject,
  type StableStatus,
  TRUST_LEVELS,
  type TrustLevel,
} from '@assay/contracts';
import { type BlockingRule, fits, type KindRules } from '@assay/policy';
import { type AppliedMitigation, holds, mitigationsOf, raisedOf } from './conditions.ts';

export interface RuleInput {
  rules: KindRules;
  type: EvidenceType;
  raised: readonly string[];
  /** A blocking participant rejected the evidence: later checks did not run. */
  rejected: boolean;
  settings: { acceptSpecimens: boolean };
  /** Score of the evidence a portrait was compared with. */
  referenceScore?: TrustLevel;
}

/** The result of the policy for one evidence alone, and the rules it follows from. */
export interface RuleResult {
  status: StableStatus;
  /** Present when VERIFIED. */
  score?: TrustLevel;
  strength: TrustLevel;
  /** The type whose strength was used; `*` for every other. */
  strengthType: string;
  scoreRule?: string;
  blocking: string[];
  mitigations: AppliedMitigation[];
  missing: string[];
  errors: ErrorObject[];
}

/** 0 for none, 1 to 5. */
export const levelNumber = (level: TrustLevel | undefined): number => (level ? TRUST_LEVELS.indexOf(level) + 1 : 0);
const lower = (a: TrustLevel, b: TrustLevel): TrustLevel => (levelNumber(a) <= levelNumber(b) ? a : b);

const statusOfRule = ({ outcome, softenedBy }: BlockingRule, raised: readonly string[]): BlockingRule['outcome'] =>
  softenedBy && raisedOf(softenedBy, raised).length > 0 ? 'NOT_VERIFIED' : outcome;

const distinct = (errors: ErrorObject[]): ErrorObject[] =>
  errors.filter((error, at) => errors.findIndex(({ code }) => code === error.code) === at);

const scoreOf = ({ rules, raised, referenceScore }: RuleInput, effective: readonly string[], cap: TrustLevel) => {
  const rule = rules.scores.find(({ when }) => holds(when, raised, effective));
  const score = rule?.score === 'REFERENCE' ? referenceScore : rule?.score;
  return rule && score ? { scoreRule: rule.rule, score: lower(score, cap) } : undefined;
};

/**
 * Evaluates one evidence by the rules of its kind. Pure; the order of what was raised does not
 * matter.
 */
export const applyRules = (input: RuleInput): RuleResult => {
  const { rules, type, raised, rejected, settings } = input;
  const strengthType = rules.strength[type] ? type : '*';
  const strength = rules.strength[strengthType] ?? 'LEVEL1';
  const mitigations = mitigationsOf(rules.mitigations, raised);
  const mitigated = new Set(mitigations.flatMap(({ mitigatedIndicators }) => mitigatedIndicators.flat()));
  const effective = raised.filter((indicator) => !mitigated.has(indicator));
  const found = rules.blocking.filter(
    ({ indicator, unlessSetting }) =>
      effective.some((one) => fits(indicator, one)) && !(unlessSetting && settings[unlessSetting]),
  );
  const missing = rules.mandatory.filter(({ anyOf }) => raisedOf(anyOf, raised).length === 0).map(({ rule }) => rule);
  const scored = scoreOf(input, effective, strength);
  const invalid = found.some((rule) => statusOfRule(rule, raised) === 'INVALID');
  const verified = found.length === 0 && !rejected && missing.length === 0 && scored !== undefined;
  const decisive = invalid ? found.filter((rule) => statusOfRule(rule, raised) === 'INVALID') : found;
  const errors = decisive.flatMap(({ error }) => (error ? [errorObject(error)] : []));
  return {
    status: invalid ? 'INVALID' : verified ? 'VERIFIED' : 'NOT_VERIFIED',
    ...(verified ? scored : {}),
    strength,
    strengthType,
    blocking: [...new Set(found.flatMap(({ indicator }) => raisedOf([indicator], effective)))].sort(),
    mitigations,
    missing,
    errors: distinct(errors),
  };
};
