import type { Policy } from '@assay/policy';
import { levelNumber } from './apply-rules.ts';
import type { Context, EvidenceEvaluation } from './evaluate-evidence.ts';
import {
  type Agreement,
  agreementOf,
  bySubmission,
  type CaseFacts,
  type EvidenceFacts,
  type FieldAgreement,
  isDocument,
} from './facts.ts';

/** Sorts by score, the best first; by time if two are equal. */
const byRank = (a: EvidenceEvaluation, b: EvidenceEvaluation): number =>
  levelNumber(b.score) - levelNumber(a.score) || bySubmission(a.facts, b.facts);

const verifiedDocuments = (outcomes: readonly EvidenceEvaluation[]): EvidenceEvaluation[] =>
  outcomes.filter(({ facts, status }) => status === 'VERIFIED' && isDocument(facts)).sort(byRank);

/** The name reference is the best-scored VERIFIED document. */
export const nameReferenceOf = (outcomes: readonly EvidenceEvaluation[]): EvidenceEvaluation | undefined =>
  verifiedDocuments(outcomes)[0];

/**
 * The portrait reference is the portrait of a VERIFIED chip, else the best-scored VERIFIED document
 * with a usable face, else a VERIFIED PORTRAIT_REFERENCE.
 */
export const portraitReferenceOf = (outcomes: readonly EvidenceEvaluation[]): EvidenceEvaluation | undefined =>
  verifiedDocuments(outcomes).find(({ facts }) => facts.face !== undefined && facts.kind === 'documentChip') ??
  verifiedDocuments(outcomes).find(({ facts }) => facts.face !== undefined) ??
  outcomes
    .filter(({ facts, status }) => facts.kind === 'portraitReference' && status === 'VERIFIED' && facts.face)
    .sort((a, b) => bySubmission(b.facts, a.facts))[0];

const suffix = (agreement: FieldAgreement): string =>
  ({ AGREE: 'OK', DISAGREE: 'FAILED', UNKNOWN: 'UNVERIFIED' })[agreement];

export type ConsistencyAttribute = 'surname' | 'givenNames' | 'dateOfBirth';

/** The attributes that differ from the reference, or that one of the two does not state. */
export const mismatchesOf = (
  agreement: Agreement | undefined,
  attributes: readonly ConsistencyAttribute[],
): { disagree: ConsistencyAttribute[]; unknown: ConsistencyAttribute[] } => ({
  disagree: attributes.filter((attribute) => agreement?.[attribute] === 'DISAGREE'),
  unknown: attributes.filter((attribute) => (agreement?.[attribute] ?? 'UNKNOWN') === 'UNKNOWN'),
});

/** All of these as one: a part that was not compared leaves the whole open. */
const joined = (agreements: readonly FieldAgreement[]): FieldAgreement => {
  if (agreements.includes('DISAGREE')) return 'DISAGREE';
  return agreements.includes('UNKNOWN') ? 'UNKNOWN' : 'AGREE';
};

const RESULTS = { ALL: 'OK', SOME: 'WARNING', NONE: 'UNVERIFIED', CONTRADICTED: 'FAILED' } as const;

const statementOf = (facts: CaseFacts, evidence: EvidenceFacts, reference: EvidenceEvaluation | undefined) =>
  (reference && agreementOf(facts, evidence.evidenceId, reference.facts.evidenceId)?.statement) ??
  ({ all: 'NONE', names: 'NONE' } as const);

/**
 * Compares stated attributes with the name reference: OK only if the reference has each value,
 * confirmed.
 */
const statementContext = (facts: CaseFacts, evidence: EvidenceFacts, reference?: EvidenceEvaluation): Context => {
  const { all, names } = statementOf(facts, evidence, reference);
  return {
    derived: [`ATTRIBUTES_VALIDITY_${RESULTS[all]}`, `NAME_CONSISTENCY_CHECK_${RESULTS[names]}`],
    ...(reference && all !== 'NONE' ? { referenceId: reference.facts.evidenceId } : {}),
  };
};

/** The VERIFIED documents of one person: the name reference, and those that agree with it. */
const documentsOfReference = (
  facts: CaseFacts,
  outcomes: readonly EvidenceEvaluation[],
  { consistency }: Pick<Policy, 'consistency'>,
): EvidenceEvaluation[] => {
  const [reference, ...others] = verifiedDocuments(outcomes);
  const agrees = (other: EvidenceEvaluation): boolean => {
    const agreement = reference && agreementOf(facts, other.facts.evidenceId, reference.facts.evidenceId);
    const { disagree, unknown } = mismatchesOf(agreement, consistency.attributes);
    return disagree.length + unknown.length === 0;
  };
  return reference ? [reference, ...others.filter(agrees)] : [];
};

/**
 * Compares an address with every VERIFIED document of the holder that has one; one agreement is
 * enough. A document of somebody else says nothing of the holder's address.
 */
const addressContext = (
  facts: CaseFacts,
  evidence: EvidenceFacts,
  outcomes: readonly EvidenceEvaluation[],
  policy: Pick<Policy, 'consistency'>,
): Context => {
  const compared = documentsOfReference(facts, outcomes, policy).map((document) => ({
    id: document.facts.evidenceId,
    result: statementOf(facts, evidence, document).all,
  }));
  const best = (['ALL', 'SOME', 'CONTRADICTED'] as const)
    .map((result) => compared.find((one) => one.result === result))
    .find((one) => one !== undefined);
  return {
    derived: [`ADDRESS_CONSISTENCY_CHECK_${RESULTS[best?.result ?? 'NONE']}`],
    ...(best && best.result !== 'CONTRADICTED' ? { referenceId: best.id } : {}),
  };
};

export const contextOfStatement = (
  facts: CaseFacts,
  evidence: EvidenceFacts,
  outcomes: readonly EvidenceEvaluation[],
  policy: Pick<Policy, 'consistency'>,
): Context =>
  evidence.kind === 'address'
    ? addressContext(facts, evidence, outcomes, policy)
    : statementContext(facts, evidence, nameReferenceOf(outcomes));

/**
 * Compares the machine-readable zone of a chip with the image of the same document: no indicator if
 * they are equal, or if there is no image. The same document has the same issuer and number, or its
 * zone gave the key to the chip.
 */
export const zoneIndicators = (facts: CaseFacts, chip: EvidenceFacts): string[] => {
  if (chip.kind !== 'documentChip') return [];
  const differs = facts.evidences.some(({ evidenceId, kind }) => {
    const agreement = kind === 'documentImage' ? agreementOf(facts, chip.evidenceId, evidenceId) : undefined;
    return agreement?.zone === 'DISAGREE' && (agreement.sameDocument || evidenceId === chip.imageEvidenceId);
  });
  return differs ? ['DATA_GROUP1_CHECK_FAILED'] : [];
};

/**
 * Compares a further document with the name reference; the result is added to its own indicators.
 */
export const consistencyIndicators = (agreement: Agreement | undefined): string[] => [
  `NAME_CONSISTENCY_CHECK_${suffix(joined([agreement?.surname ?? 'UNKNOWN', agreement?.givenNames ?? 'UNKNOWN']))}`,
];
