/**
 * How evidence is evaluated, as data: the policies that ship, their schema, and reading others.
 */
export { faultsOfPolicy, type Policies, parsePolicy, policiesOf } from './load.ts';
export { fits, fitting } from './patterns.ts';
export {
  type BlockingRule,
  CONSISTENCY_ATTRIBUTES,
  type Condition,
  EVIDENCE_KINDS,
  type EvidenceKind,
  type EvidenceMinima,
  type KindRules,
  type Mitigation,
  type Policy,
  PolicySchema,
  type Profile,
} from './schema.ts';
export { shippedPolicies } from './shipped.ts';
