import type { Policy } from '@assay/policy';
import type { Measures, Standing } from './assurance.ts';
import type { EvidenceOutcome } from './evaluate-evidence.ts';
import { agreementOf, bySubmission, type CaseFacts, isDocument } from './facts.ts';
import { levelNumber } from './judge.ts';
import { comparisonOf, isMatch } from './portrait-matching.ts';
import { type ConsistencyAttribute, mismatchesOf } from './references.ts';

/** Why a VERIFIED evidence is not assigned to any profile. */
export type NotCounted =
  | { because: 'DISAGREES_WITH_REFERENCE'; attributes: ConsistencyAttribute[] }
  | { because: 'CANNOT_BE_COMPARED_WITH_REFERENCE'; attributes: ConsistencyAttribute[] }
  | { because: 'SAME_DOCUMENT'; as: string }
  | { because: 'SAME_TYPE'; as: string }
  | { because: 'REPLACED'; as: string }
  | { because: 'REFERENCE_NOT_COUNTED' }
  | { because: 'NOT_OF_A_COUNTED_KIND' };

export interface Counted {
  outcome: EvidenceOutcome;
  measures: Measures;
}

export interface Tally {
  counted: Counted[];
  /** The portrait that counts, with its score as a number. */
  portrait?: { outcome: EvidenceOutcome; score: number };
  notCounted: Map<string, NotCounted>;
}

const byWorth = (a: EvidenceOutcome, b: EvidenceOutcome): number =>
  levelNumber(b.score) - levelNumber(a.score) ||
  levelNumber(b.judgement.strength) - levelNumber(a.judgement.strength) ||
  bySubmission(a.facts, b.facts);

const newestPortrait = (outcomes: readonly EvidenceOutcome[]): EvidenceOutcome | undefined =>
  outcomes
    .filter(({ facts }) => facts.kind === 'portrait')
    .sort((a, b) => bySubmission(a.facts, b.facts))
    .at(-1);

interface Question {
  facts: CaseFacts;
  policy: Policy;
  outcomes: readonly EvidenceOutcome[];
  nameReference: EvidenceOutcome | undefined;
}

/** Why a document does not count beside those already counted; undefined when it does. */
const objection = (
  one: EvidenceOutcome,
  kept: readonly EvidenceOutcome[],
  question: Question,
): NotCounted | undefined => {
  const { facts, policy, nameReference } = question;
  const { evidenceId } = one.facts;
  const agreementWith = (other: EvidenceOutcome) => agreementOf(facts, evidenceId, other.facts.evidenceId);
  if (isDocument(one.facts) && nameReference && nameReference !== one) {
    const { disagree, unknown } = mismatchesOf(agreementWith(nameReference), policy.consistency.attributes);
    if (disagree.length > 0) return { because: 'DISAGREES_WITH_REFERENCE', attributes: disagree };
    if (unknown.length > 0) return { because: 'CANNOT_BE_COMPARED_WITH_REFERENCE', attributes: unknown };
  }
  const twin = kept.find((other) => agreementWith(other)?.sameDocument);
  if (twin) return { because: 'SAME_DOCUMENT', as: twin.facts.evidenceId };
  const alike = policy.consistency.oneOfEachType && kept.find(({ facts: other }) => other.type === one.facts.type);
  return alike ? { because: 'SAME_TYPE', as: alike.facts.evidenceId } : undefined;
};

/** Which VERIFIED evidence counts towards a level of assurance, which does not, and why. */
export const tallyOf = (question: Question): Tally => {
  const { facts, policy, outcomes } = question;
  const notCounted = new Map<string, NotCounted>();
  const verified = outcomes.filter(({ status }) => status === 'VERIFIED').sort(byWorth);
  const kept: EvidenceOutcome[] = [];
  for (const one of verified.filter(({ facts: { kind } }) => kind !== 'portrait')) {
    const reason: NotCounted | undefined = policy.kinds[one.facts.kind].counts
      ? objection(one, kept, question)
      : { because: 'NOT_OF_A_COUNTED_KIND' };
    if (reason) notCounted.set(one.facts.evidenceId, reason);
    else kept.push(one);
  }
  const portrait = newestPortrait(outcomes);
  for (const { facts: former } of verified)
    if (former.kind === 'portrait' && portrait && former !== portrait.facts)
      notCounted.set(former.evidenceId, { because: 'REPLACED', as: portrait.facts.evidenceId });
  const counts = portrait?.status === 'VERIFIED' && policy.kinds.portrait.counts;
  const reference = outcomes.find((one) => one.facts.evidenceId === portrait?.context.referenceId);
  const sound = reference !== undefined && (kept.includes(reference) || reference.facts.kind === 'portraitReference');
  if (portrait && counts && !sound) notCounted.set(portrait.facts.evidenceId, { because: 'REFERENCE_NOT_COUNTED' });

  const owns = ({ facts: document }: EvidenceOutcome): boolean =>
    portrait?.status === 'VERIFIED' &&
    (portrait.context.referenceId === document.evidenceId ||
      isMatch(comparisonOf(facts, portrait.facts.evidenceId, document.evidenceId), policy.faces));
  return {
    counted: kept.map((outcome) => ({
      outcome,
      measures: {
        score: levelNumber(outcome.score),
        strength: levelNumber(outcome.judgement.strength),
        ownership: owns(outcome) ? 1 : 0,
      },
    })),
    ...(portrait && counts && sound ? { portrait: { outcome: portrait, score: levelNumber(portrait.score) } } : {}),
    notCounted,
  };
};

export const standingOf = ({ counted, portrait }: Tally): Standing => ({
  evidence: counted.map(({ measures }) => measures),
  portrait: portrait?.score ?? 0,
});
