/**
 * How evidence is evaluated, as data: the policies that ship, their schema, and reading others.
 */
export { faultsOfPolicy, type Policies, type PolicyId, parsePolicy, policiesOf } from './load.ts';
export {
  type BlockingRule,
  CONSISTENCY_ATTRIBUTES,
  type Condition,
  EVIDENCE_KINDS,
  type EvidenceKind,
  type EvidenceMinima,
  type KindRules,
  type MandatoryRule,
  type Mitigation,
  type Policy,
  PolicySchema,
  type Profile,
  type ScoreRule,
} from './schema.ts';
export { shippedPolicies } from './shipped.ts';
