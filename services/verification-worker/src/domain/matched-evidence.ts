import type { Policy } from '@assay/policy';
import type { EvidenceEvaluation } from './evaluate-evidence.ts';
import { bySubmission, type CaseFacts } from './facts.ts';
import { comparisonOf, isMatch } from './portrait-matching.ts';

/**
 * The portrait that counts. A live capture session that timed out took no picture: it replaces no
 * portrait.
 */
export const newestPortrait = (outcomes: readonly EvidenceEvaluation[]): EvidenceEvaluation | undefined =>
  outcomes
    .filter(({ facts }) => facts.kind === 'portrait' && facts.endedBy !== 'SESSION_TIMEOUT')
    .sort((a, b) => bySubmission(a.facts, b.facts))
    .at(-1);

/** The evidence that a portrait was compared with. */
export const referenceOf = (
  portrait: EvidenceEvaluation | undefined,
  outcomes: readonly EvidenceEvaluation[],
): EvidenceEvaluation | undefined =>
  portrait && outcomes.find(({ facts }) => facts.evidenceId === portrait.context.referenceId);

interface Matching {
  facts: CaseFacts;
  policy: Policy;
  outcomes: readonly EvidenceEvaluation[];
}

/** Whether a portrait shows that an evidence belongs to the person: it was compared with it. */
export const isMatched = (
  { facts, policy, outcomes }: Matching,
  portrait: EvidenceEvaluation | undefined,
  document: EvidenceEvaluation,
): boolean =>
  portrait?.status === 'VERIFIED' &&
  (referenceOf(portrait, outcomes) === document ||
    isMatch(comparisonOf(facts, portrait.facts.evidenceId, document.facts.evidenceId), policy.faces));
