import type { Context, EvidenceOutcome } from './evaluate-evidence.ts';
import type { Verdict } from './facts.ts';
import { type Agreement, agreementOf, bySubmission, type CaseFacts, type EvidenceFacts, isDocument } from './facts.ts';
import { levelNumber } from './judge.ts';

/** Better score first, the earlier on a tie. */
const byRank = (a: EvidenceOutcome, b: EvidenceOutcome): number =>
  levelNumber(b.score) - levelNumber(a.score) || bySubmission(a.facts, b.facts);

const verifiedDocuments = (outcomes: readonly EvidenceOutcome[]): EvidenceOutcome[] =>
  outcomes.filter(({ facts, status }) => status === 'VERIFIED' && isDocument(facts)).sort(byRank);

/** The name reference is the best-scored VERIFIED document. */
export const nameReferenceOf = (outcomes: readonly EvidenceOutcome[]): EvidenceOutcome | undefined =>
  verifiedDocuments(outcomes)[0];

/** The portrait reference is the best-scored VERIFIED document that shows a usable face; a VERIFIED PORTRAIT_REFERENCE while there is none. */
export const portraitReferenceOf = (outcomes: readonly EvidenceOutcome[]): EvidenceOutcome | undefined =>
  verifiedDocuments(outcomes).find(({ facts }) => facts.face !== undefined) ??
  outcomes
    .filter(({ facts, status }) => facts.kind === 'portraitReference' && status === 'VERIFIED' && facts.face)
    .sort((a, b) => bySubmission(b.facts, a.facts))[0];

const suffix = (verdict: Verdict): string => ({ AGREE: 'OK', DISAGREE: 'FAILED', UNKNOWN: 'UNVERIFIED' })[verdict];

export type ConsistencyAttribute = 'surname' | 'givenNames' | 'dateOfBirth';

/** The attributes that disagree with the reference, or that one of the two does not state. */
export const mismatchesOf = (
  agreement: Agreement | undefined,
  attributes: readonly ConsistencyAttribute[],
): { disagree: ConsistencyAttribute[]; unknown: ConsistencyAttribute[] } => ({
  disagree: attributes.filter((attribute) => agreement?.[attribute] === 'DISAGREE'),
  unknown: attributes.filter((attribute) => (agreement?.[attribute] ?? 'UNKNOWN') === 'UNKNOWN'),
});

const joined = (verdicts: readonly Verdict[]): Verdict => {
  if (verdicts.includes('DISAGREE')) return 'DISAGREE';
  return verdicts.includes('AGREE') ? 'AGREE' : 'UNKNOWN';
};

/** Statements of the person agree with the name reference when nothing that both state differs, and something agrees. */
const statementContext = (facts: CaseFacts, evidence: EvidenceFacts, reference?: EvidenceOutcome): Context => {
  const agreement = reference && agreementOf(facts, evidence.evidenceId, reference.facts.evidenceId);
  const names = joined([agreement?.surname ?? 'UNKNOWN', agreement?.givenNames ?? 'UNKNOWN']);
  const all = joined([names, agreement?.dateOfBirth ?? 'UNKNOWN', agreement?.others ?? 'UNKNOWN']);
  return {
    derived: [`ATTRIBUTES_VALIDITY_${suffix(all)}`, `NAME_CONSISTENCY_CHECK_${suffix(names)}`],
    ...(reference && all !== 'UNKNOWN' ? { referenceId: reference.facts.evidenceId } : {}),
  };
};

/** An address is held against every VERIFIED document that carries one; one that agrees is enough. */
const addressContext = (facts: CaseFacts, evidence: EvidenceFacts, outcomes: readonly EvidenceOutcome[]): Context => {
  const compared = verifiedDocuments(outcomes)
    .map(({ facts: document }) => ({
      id: document.evidenceId,
      agreement: agreementOf(facts, evidence.evidenceId, document.evidenceId),
    }))
    .filter(({ agreement }) => agreement !== undefined && agreement.address !== 'UNKNOWN');
  const agreeing = compared.find(({ agreement }) => agreement!.address === 'AGREE');
  const verdict: Verdict = agreeing ? 'AGREE' : compared.length > 0 ? 'DISAGREE' : 'UNKNOWN';
  return {
    derived: [`ADDRESS_CONSISTENCY_CHECK_${suffix(verdict)}`],
    ...(agreeing ? { referenceId: agreeing.id } : {}),
  };
};

export const contextOfStatement = (
  facts: CaseFacts,
  evidence: EvidenceFacts,
  outcomes: readonly EvidenceOutcome[],
): Context =>
  evidence.kind === 'address'
    ? addressContext(facts, evidence, outcomes)
    : statementContext(facts, evidence, nameReferenceOf(outcomes));

/** How a further document compares with the name reference, as indicators beside its own. */
export const consistencyIndicators = (agreement: Agreement | undefined): string[] => [
  `NAME_CONSISTENCY_CHECK_${suffix(joined([agreement?.surname ?? 'UNKNOWN', agreement?.givenNames ?? 'UNKNOWN']))}`,
];
