import type { PathStep } from '@assay/contracts';
import type { NotCounted } from './counted-evidence.ts';
import type { CaseEvaluation } from './evaluate-case.ts';
import type { EvidenceEvaluation } from './evaluate-evidence.ts';

const list = (items: readonly string[]): string => items.join(', ');

const notCountedInWords = (reason: NotCounted): string => {
  switch (reason.because) {
    case 'DISAGREES_WITH_REFERENCE':
      return `it disagrees with the name reference on ${list(reason.attributes)}`;
    case 'CANNOT_BE_COMPARED_WITH_REFERENCE':
      return `it cannot be compared with the name reference on ${list(reason.attributes)}`;
    case 'SAME_DOCUMENT':
      return `it is the same document as ${reason.as}`;
    case 'SAME_TYPE':
      return `of its type only the best counts, ${reason.as}`;
    case 'SHOWS_ANOTHER_FACE':
      return `it shows another face than the portrait ${reason.than}`;
    case 'DIFFERS_FROM_CHIP':
      return `its machine-readable zone is another than that of the chip ${reason.as}, which its issuer signed`;
    case 'REPLACED':
      return `${reason.as} is newer`;
    case 'FACE_NOT_SEEN':
      return `no face was seen in this chip: it may belong to somebody else than the portrait ${reason.beside} shows`;
    case 'BESIDE_UNSEEN_CHIP':
      return `no face was seen in the chip ${reason.chip}, which counts instead: it may belong to somebody else`;
    case 'REFERENCE_NOT_COUNTED':
      return 'the document it matches does not count';
    case 'REFERENCE_OF_USER_AGENT':
      return 'it matches a portrait reference that a User Agent submitted, and no document';
    case 'NOT_OF_A_COUNTED_KIND':
      return 'evidence of its kind never does';
  }
};

const whyVerified = ({ ruleResult, score }: EvidenceEvaluation): string[] => [
  `score ${score} by rule ${ruleResult.scoreRule} (it can reach ${ruleResult.strength})`,
  ...ruleResult.mitigations.map(
    ({ mitigatedIndicators, mitigatingIndicators }) =>
      `${list(mitigatingIndicators)} takes the effect from ${list(mitigatedIndicators.flat())}`,
  ),
];

const whyNot = ({
  ruleResult,
  rejected,
  consentApproved,
  facts,
  isAdjudicable,
  adjudicationReasons,
}: EvidenceEvaluation) => [
  ...(facts.endedBy ? [`ended without verification: ${facts.endedBy}`] : []),
  ...(consentApproved ? [] : ['the consent it needs is not in force']),
  ...(rejected && !facts.endedBy ? ['a blocking participant was rejected, so nothing further was verified'] : []),
  ...(ruleResult.blocking.length > 0 ? [`blocked by ${list(ruleResult.blocking)}`] : []),
  ...(ruleResult.missing.length > 0 ? [`mandatory checks not passed: ${list(ruleResult.missing)}`] : []),
  ...(isAdjudicable ? [`an operator may decide: ${list(adjudicationReasons)}`] : []),
];

const stepInWords = ({ evidenceTypes, score, with: needs = [] }: PathStep): string =>
  `${evidenceTypes.join(' or ')} at ${score}${needs.length > 0 ? ` with ${list(needs)}` : ''}`;

const levelInWords = ({ level, profile, countedEvidence }: CaseEvaluation): string => {
  if (!profile) return `${level}: no profile of the policy is met`;
  const evidence = countedEvidence.counted.map(({ outcome: { facts, score } }) => `${facts.type} ${score}`);
  const portrait = countedEvidence.portrait ? [`portrait LEVEL${countedEvidence.portrait.score}`] : [];
  return `${level}: profile "${profile.name}" is met by ${list([...evidence, ...portrait])}`;
};

/**
 * Explains an evaluation in words: one line for the level, a few for each evidence, one for the
 * shortest upgrade paths.
 */
export const explain = (evaluation: CaseEvaluation): string[] => {
  const { evidences, countedEvidence, upgradePaths, nameReferenceId, portraitReferenceId } = evaluation;
  const lines = [levelInWords(evaluation)];
  if (nameReferenceId) lines.push(`name reference: ${nameReferenceId}`);
  if (portraitReferenceId) lines.push(`portrait reference: ${portraitReferenceId}`);
  for (const outcome of evidences) {
    const { evidenceId, type } = outcome.facts;
    lines.push(`${type} ${evidenceId} is ${outcome.status}`);
    const reasons = outcome.status === 'VERIFIED' ? whyVerified(outcome) : whyNot(outcome);
    const uncounted = countedEvidence.notCounted.get(evidenceId);
    if (uncounted) reasons.push(`does not count: ${notCountedInWords(uncounted)}`);
    lines.push(...reasons.map((reason) => `  ${reason}`));
  }
  for (const [level, paths] of Object.entries(upgradePaths)) {
    const shortest = Math.min(...paths.map((path) => path.length));
    const ways = paths.filter((path) => path.length === shortest).map((path) => path.map(stepInWords).join(' and '));
    lines.push(`for ${level}: ${ways.join('; or ')}`);
  }
  return lines;
};
