import type { EvidenceKind, Policy } from '@assay/policy';
import { levelNumber } from './apply-rules.ts';
import { type AssuranceScores, assuranceOf, type Measures, rankOf } from './assurance.ts';
import type { EvidenceEvaluation } from './evaluate-evidence.ts';
import { type Agreement, agreementOf, bySubmission, type CaseFacts, isDocument } from './facts.ts';
import { isMatched, newestPortrait, referenceOf } from './matched-evidence.ts';
import { comparisonOf, isAnother } from './portrait-matching.ts';
import { type ConsistencyAttribute, mismatchesOf } from './references.ts';

/** Why a VERIFIED evidence counts towards no profile. */
export type NotCounted =
  | { because: 'DISAGREES_WITH_REFERENCE'; attributes: ConsistencyAttribute[] }
  | { because: 'CANNOT_BE_COMPARED_WITH_REFERENCE'; attributes: ConsistencyAttribute[] }
  | { because: 'SAME_DOCUMENT'; as: string }
  | { because: 'SAME_TYPE'; as: string }
  | { because: 'SHOWS_ANOTHER_FACE'; than: string }
  | { because: 'DIFFERS_FROM_CHIP'; as: string }
  | { because: 'REPLACED'; as: string }
  | { because: 'FACE_NOT_SEEN'; beside: string }
  | { because: 'BESIDE_UNSEEN_CHIP'; chip: string }
  | { because: 'REFERENCE_NOT_COUNTED' }
  | { because: 'REFERENCE_OF_USER_AGENT' }
  | { because: 'NOT_OF_A_COUNTED_KIND' };

interface Counted {
  outcome: EvidenceEvaluation;
  measures: Measures;
}

export interface CountedEvidence {
  counted: Counted[];
  /** The portrait that counts, with its score as a number. */
  portrait?: { outcome: EvidenceEvaluation; score: number };
  notCounted: Map<string, NotCounted>;
}

const byWorth = (a: EvidenceEvaluation, b: EvidenceEvaluation): number =>
  levelNumber(b.score) - levelNumber(a.score) ||
  levelNumber(b.ruleResult.strength) - levelNumber(a.ruleResult.strength) ||
  bySubmission(a.facts, b.facts);

interface CountingInput {
  facts: CaseFacts;
  policy: Policy;
  outcomes: readonly EvidenceEvaluation[];
  nameReference: EvidenceEvaluation | undefined;
}

/** A chip whose data its issuer signed: an image with another zone was altered, or misread. */
const isSignedChip = ({ facts: { kind }, raised }: EvidenceEvaluation): boolean =>
  kind === 'documentChip' && raised.includes('PASSIVE_AUTHENTICATION_CHECK_OK');

/** Why a document does not count beside those that count already; undefined if it does. */
const reasonNotCounted = (
  one: EvidenceEvaluation,
  counted: readonly EvidenceEvaluation[],
  input: CountingInput,
): NotCounted | undefined => {
  const { facts, policy, nameReference } = input;
  const { evidenceId } = one.facts;
  const agreementWith = (other: EvidenceEvaluation) => agreementOf(facts, evidenceId, other.facts.evidenceId);
  if (isDocument(one.facts) && nameReference && nameReference !== one) {
    const { disagree, unknown } = mismatchesOf(agreementWith(nameReference), policy.consistency.attributes);
    if (disagree.length > 0) return { because: 'DISAGREES_WITH_REFERENCE', attributes: disagree };
    if (unknown.length > 0) return { because: 'CANNOT_BE_COMPARED_WITH_REFERENCE', attributes: unknown };
  }
  const twin = counted.find((other) => agreementWith(other)?.sameDocument);
  if (twin) return { because: 'SAME_DOCUMENT', as: twin.facts.evidenceId };
  const differs = (agreement: Agreement | undefined) => agreement?.sameDocument && agreement.zone === 'DISAGREE';
  const chip = input.outcomes.find((other) => isSignedChip(other) && differs(agreementWith(other)));
  if (one.facts.kind === 'documentImage' && chip) return { because: 'DIFFERS_FROM_CHIP', as: chip.facts.evidenceId };
  const portrait = newestPortrait(input.outcomes);
  const mayTell = portrait?.status === 'VERIFIED' && portrait.context.referenceId !== evidenceId;
  if (mayTell && isAnother(comparisonOf(facts, portrait.facts.evidenceId, evidenceId), policy.faces))
    return { because: 'SHOWS_ANOTHER_FACE', than: portrait.facts.evidenceId };
  const alike = policy.consistency.oneOfEachType && counted.find(({ facts: other }) => other.type === one.facts.type);
  return alike ? { because: 'SAME_TYPE', as: alike.facts.evidenceId } : undefined;
};

/**
 * A portrait reference counts if the Relying Service submitted it. One from a User Agent may show
 * anybody; as soon as a document shows a face, the document is the reference instead.
 */
export const isVouchedReference = ({ facts }: EvidenceEvaluation): boolean =>
  facts.kind === 'portraitReference' && facts.submittedBy === 'RELYING_SERVICE';

/** Whether a match with another image of the document shows whose it is. */
const isSeen = ({ facts }: EvidenceEvaluation): boolean => facts.face !== undefined;

/**
 * The evidence that counts in place of an image that a portrait matches, though no face was seen in
 * it: a chip without its portrait, or text.
 */
const unseenTwinOf = (
  reference: EvidenceEvaluation | undefined,
  { counted, notCounted }: Pick<CountedEvidence, 'counted' | 'notCounted'>,
): EvidenceEvaluation | undefined => {
  const reason = reference && notCounted.get(reference.facts.evidenceId);
  if (reason?.because !== 'SAME_DOCUMENT') return undefined;
  return counted.find(({ outcome }) => outcome.facts.evidenceId === reason.as && !isSeen(outcome))?.outcome;
};

/** A chip in which no face was seen may be another person's than the portrait is. */
export const isUnseenChip = ({ kind, face }: { kind: EvidenceKind; face?: unknown }): boolean =>
  kind === 'documentChip' && !face;

/**
 * The documents that a portrait matches, in whose place something else counts: the same document
 * without a face, or another one of a type that counts once. It may be worth more, and still reach
 * less than the document of which it is known whose it is.
 */
const passedOver = (input: CountingInput, documents: CountedEvidence): EvidenceEvaluation[] => {
  const portrait = newestPortrait(input.outcomes);
  return input.outcomes.filter((one) => {
    const because = documents.notCounted.get(one.facts.evidenceId)?.because;
    const isPassedOver = because === 'SAME_TYPE' || unseenTwinOf(one, documents) !== undefined;
    return isPassedOver && isMatched(input, portrait, one);
  });
};

/** One way to count: with a document that counts before all others, and without some chips. */
interface Way {
  preferred?: EvidenceEvaluation;
  without?: readonly EvidenceEvaluation[];
}

/**
 * Tells which documents the newest portrait shows to be its person's. One document counts once: a
 * portrait that matches its image matches its chip.
 */
const ownershipBy = (input: CountingInput, notCounted: CountedEvidence['notCounted']) => {
  const portrait = newestPortrait(input.outcomes);
  const reference = referenceOf(portrait, input.outcomes);
  const reason = reference && notCounted.get(reference.facts.evidenceId);
  const countedId = reason?.because === 'SAME_DOCUMENT' ? reason.as : undefined;
  return (document: EvidenceEvaluation): boolean =>
    isMatched(input, portrait, document) ||
    (portrait?.status === 'VERIFIED' && document.facts.evidenceId === countedId && isSeen(document));
};

/** Counts the evidence of a case by its worth. */
const count = (input: CountingInput, { preferred, without = [] }: Way = {}): CountedEvidence => {
  const { policy, outcomes } = input;
  const notCounted = new Map<string, NotCounted>();
  const portrait = newestPortrait(outcomes);
  const reasonOf = (one: EvidenceEvaluation, counted: readonly EvidenceEvaluation[]): NotCounted | undefined => {
    if (!policy.kinds[one.facts.kind].counts) return { because: 'NOT_OF_A_COUNTED_KIND' };
    if (portrait && without.includes(one)) return { because: 'FACE_NOT_SEEN', beside: portrait.facts.evidenceId };
    return reasonNotCounted(one, counted, input);
  };
  const verified = outcomes.filter(({ status }) => status === 'VERIFIED').sort(byWorth);
  const ordered = preferred ? [preferred, ...verified.filter((one) => one !== preferred)] : verified;
  const counted: EvidenceEvaluation[] = [];
  for (const one of ordered.filter(({ facts: { kind } }) => kind !== 'portrait')) {
    const reason = reasonOf(one, counted);
    if (reason) notCounted.set(one.facts.evidenceId, reason);
    else counted.push(one);
  }
  for (const { facts: former } of verified)
    if (former.kind === 'portrait' && portrait && former !== portrait.facts)
      notCounted.set(former.evidenceId, { because: 'REPLACED', as: portrait.facts.evidenceId });
  const owns = ownershipBy(input, notCounted);
  return {
    counted: counted.map((outcome) => ({
      outcome,
      measures: {
        score: levelNumber(outcome.score),
        strength: levelNumber(outcome.ruleResult.strength),
        ownership: owns(outcome) ? 1 : 0,
      },
    })),
    notCounted,
  };
};

/** What counts without a portrait: nothing shows whose it is. */
const withoutPortrait = ({ counted, notCounted }: CountedEvidence, evidenceId: string, reason: NotCounted) => ({
  counted: counted.map(({ outcome, measures }) => ({ outcome, measures: { ...measures, ownership: 0 } })),
  notCounted: new Map(notCounted).set(evidenceId, reason),
});

/**
 * The score of a portrait whose reference does not count: as if the best document that counts and
 * that it matches were the reference. 0 if there is none.
 */
const scoreBesideReference = (input: CountingInput, portrait: EvidenceEvaluation, { counted }: CountedEvidence) => {
  const faces = counted.filter(({ outcome }) => isSeen(outcome) && isMatched(input, portrait, outcome));
  const best = Math.max(0, ...faces.map(({ measures }) => measures.score));
  const rule = input.policy.kinds.portrait.scores.find((one) => one.rule === portrait.ruleResult.scoreRule);
  const own = levelNumber(portrait.score);
  return best === 0 || rule?.score === 'REFERENCE' ? Math.min(best, own) : own;
};

/**
 * Adds the newest portrait, if it is VERIFIED, matches something that counts, and no chip counts
 * that may be another person's.
 */
const withPortrait = (input: CountingInput, documents: CountedEvidence): CountedEvidence => {
  const { policy, outcomes } = input;
  const portrait = newestPortrait(outcomes);
  if (portrait?.status !== 'VERIFIED' || !policy.kinds.portrait.counts) return documents;
  const { evidenceId } = portrait.facts;
  const chip = documents.counted.find(({ outcome }) => isUnseenChip(outcome.facts));
  if (chip)
    return withoutPortrait(documents, evidenceId, {
      because: 'BESIDE_UNSEEN_CHIP',
      chip: chip.outcome.facts.evidenceId,
    });
  const reference = referenceOf(portrait, outcomes);
  const uncounted = reference && documents.notCounted.get(reference.facts.evidenceId);
  const isSound =
    reference !== undefined &&
    (documents.counted.some(({ outcome }) => outcome === reference) ||
      (uncounted?.because === 'SAME_DOCUMENT' && !unseenTwinOf(reference, documents)) ||
      isVouchedReference(reference));
  const score = isSound ? levelNumber(portrait.score) : scoreBesideReference(input, portrait, documents);
  if (score > 0) return { ...documents, portrait: { outcome: portrait, score } };
  const because = reference?.facts.kind === 'portraitReference' ? 'REFERENCE_OF_USER_AGENT' : 'REFERENCE_NOT_COUNTED';
  return { ...documents, notCounted: new Map(documents.notCounted).set(evidenceId, { because }) };
};

/**
 * Which VERIFIED evidence counts towards a level of assurance, and why the rest does not. Whoever
 * submits chooses when a chip is read without its portrait, and whose page is beside it. So either
 * a chip in which no face was seen counts, or the portrait does; and either text counts, or an
 * image, of the same document or of the same type if one of each counts, with the portrait that
 * matches it: whichever reaches more.
 */
export const countEvidence = (input: CountingInput): CountedEvidence => {
  const documents = count(input);
  const portrait = newestPortrait(input.outcomes);
  const unseen = input.outcomes.filter(({ facts }) => isUnseenChip(facts));
  const preferences: Way[] = passedOver(input, documents).map((preferred) => ({ preferred }));
  const ways: Way[] = [
    ...preferences,
    ...(portrait?.status === 'VERIFIED' && unseen.length > 0
      ? [{}, ...preferences].map((one) => ({ ...one, without: unseen }))
      : []),
  ];
  const rank = (one: CountedEvidence) => rankOf(assuranceOf(input.policy, scoresOf(one)).level);
  return ways
    .map((way) => withPortrait(input, count(input, way)))
    .reduce((best, one) => (rank(one) > rank(best) ? one : best), withPortrait(input, documents));
};

export const scoresOf = ({ counted, portrait }: CountedEvidence): AssuranceScores => ({
  evidence: counted.map(({ measures }) => measures),
  portrait: portrait?.score ?? 0,
});
