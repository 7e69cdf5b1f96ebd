import type { Policy } from '@assay/policy';
import { levelNumber } from './apply-rules.ts';
import { type AssuranceScores, assuranceOf, type Measures, rankOf } from './assurance.ts';
import type { EvidenceEvaluation } from './evaluate-evidence.ts';
import { type Agreement, agreementOf, bySubmission, type CaseFacts, isDocument } from './facts.ts';
import { comparisonOf, isAnother, isMatch } from './portrait-matching.ts';
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

const newestPortrait = (outcomes: readonly EvidenceEvaluation[]): EvidenceEvaluation | undefined =>
  outcomes
    .filter(({ facts }) => facts.kind === 'portrait')
    .sort((a, b) => bySubmission(a.facts, b.facts))
    .at(-1);

/** The evidence that a portrait was compared with. */
const referenceOf = (
  portrait: EvidenceEvaluation | undefined,
  outcomes: readonly EvidenceEvaluation[],
): EvidenceEvaluation | undefined =>
  portrait && outcomes.find(({ facts }) => facts.evidenceId === portrait.context.referenceId);

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
 * The evidence that counts in place of the image a portrait matches, though no face was seen in it:
 * a chip without its portrait, or text.
 */
const unseenTwinOf = (
  reference: EvidenceEvaluation | undefined,
  { counted, notCounted }: Pick<CountedEvidence, 'counted' | 'notCounted'>,
): EvidenceEvaluation | undefined => {
  const reason = reference && notCounted.get(reference.facts.evidenceId);
  if (reason?.because !== 'SAME_DOCUMENT') return undefined;
  return counted.find(({ outcome }) => outcome.facts.evidenceId === reason.as && !isSeen(outcome))?.outcome;
};

/** Counts the evidence of a case by its worth; the `preferred` document before all others. */
const count = (input: CountingInput, preferred?: EvidenceEvaluation): CountedEvidence => {
  const { facts, policy, outcomes } = input;
  const notCounted = new Map<string, NotCounted>();
  const verified = outcomes.filter(({ status }) => status === 'VERIFIED').sort(byWorth);
  const ordered = preferred ? [preferred, ...verified.filter((one) => one !== preferred)] : verified;
  const counted: EvidenceEvaluation[] = [];
  for (const one of ordered.filter(({ facts: { kind } }) => kind !== 'portrait')) {
    const reason: NotCounted | undefined = policy.kinds[one.facts.kind].counts
      ? reasonNotCounted(one, counted, input)
      : { because: 'NOT_OF_A_COUNTED_KIND' };
    if (reason) notCounted.set(one.facts.evidenceId, reason);
    else counted.push(one);
  }
  const portrait = newestPortrait(outcomes);
  for (const { facts: former } of verified)
    if (former.kind === 'portrait' && portrait && former !== portrait.facts)
      notCounted.set(former.evidenceId, { because: 'REPLACED', as: portrait.facts.evidenceId });
  const reference = referenceOf(portrait, outcomes);
  // One document counts once: a portrait that matches its image matches its chip.
  const countsAs = reference && notCounted.get(reference.facts.evidenceId);
  const owns = (document: EvidenceEvaluation): boolean =>
    portrait?.status === 'VERIFIED' &&
    (reference === document ||
      (countsAs?.because === 'SAME_DOCUMENT' && countsAs.as === document.facts.evidenceId && isSeen(document)) ||
      isMatch(comparisonOf(facts, portrait.facts.evidenceId, document.facts.evidenceId), policy.faces));
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

/** Adds the newest portrait, if it is VERIFIED and matches something that counts. */
const withPortrait = ({ policy, outcomes }: CountingInput, documents: CountedEvidence): CountedEvidence => {
  const portrait = newestPortrait(outcomes);
  if (portrait?.status !== 'VERIFIED' || !policy.kinds.portrait.counts) return documents;
  const reference = referenceOf(portrait, outcomes);
  const uncounted = reference && documents.notCounted.get(reference.facts.evidenceId);
  const isSound =
    reference !== undefined &&
    (documents.counted.some(({ outcome }) => outcome === reference) ||
      (uncounted?.because === 'SAME_DOCUMENT' && !unseenTwinOf(reference, documents)) ||
      isVouchedReference(reference));
  if (isSound) return { ...documents, portrait: { outcome: portrait, score: levelNumber(portrait.score) } };
  const because = reference?.facts.kind === 'portraitReference' ? 'REFERENCE_OF_USER_AGENT' : 'REFERENCE_NOT_COUNTED';
  return { ...documents, notCounted: new Map(documents.notCounted).set(portrait.facts.evidenceId, { because }) };
};

/**
 * Which VERIFIED evidence counts towards a level of assurance, and why the rest does not. Where no
 * face was seen in a chip or in text, an image of the same document may show somebody else: either
 * the chip or text counts, or the image with the portrait that matches it, whichever reaches more.
 */
export const countEvidence = (input: CountingInput): CountedEvidence => {
  const documents = count(input);
  const usual = withPortrait(input, documents);
  const reference = referenceOf(newestPortrait(input.outcomes), input.outcomes);
  if (!reference || !unseenTwinOf(reference, documents)) return usual;
  const byPage = withPortrait(input, count(input, reference));
  const rank = (one: CountedEvidence) => rankOf(assuranceOf(input.policy, scoresOf(one)).level);
  return rank(byPage) > rank(usual) ? byPage : usual;
};

export const scoresOf = ({ counted, portrait }: CountedEvidence): AssuranceScores => ({
  evidence: counted.map(({ measures }) => measures),
  portrait: portrait?.score ?? 0,
});
