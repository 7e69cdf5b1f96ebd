import type { PathStep } from '@assay/contracts';
import type { CaseEvaluation } from './evaluate-case.ts';
import type { EvidenceOutcome } from './evaluate-evidence.ts';
import type { NotCounted } from './standing.ts';

const list = (items: readonly string[]): string => items.join(', ');

const reasonNotCounted = (reason: NotCounted): string => {
  switch (reason.because) {
    case 'DISAGREES_WITH_REFERENCE':
      return `it disagrees with the name reference on ${list(reason.attributes)}`;
    case 'CANNOT_BE_COMPARED_WITH_REFERENCE':
      return `it cannot be compared with the name reference on ${list(reason.attributes)}`;
    case 'SAME_DOCUMENT':
      return `it is the same document as ${reason.as}`;
    case 'SAME_TYPE':
      return `of its type only the best counts, ${reason.as}`;
    case 'REPLACED':
      return `${reason.as} is newer`;
    case 'REFERENCE_NOT_COUNTED':
      return 'the document it matches does not count';
    case 'NOT_OF_A_COUNTED_KIND':
      return 'evidence of its kind never does';
  }
};

const whyVerified = ({ judgement, score }: EvidenceOutcome): string[] => [
  `score ${score} by rule ${judgement.scoreRule} (it can reach ${judgement.strength})`,
  ...judgement.mitigations.map(
    ({ mitigatedIndicators, mitigatingIndicators }) =>
      `${list(mitigatingIndicators)} takes the effect from ${list(mitigatedIndicators.flat())}`,
  ),
];

const whyNot = ({
  judgement,
  rejected,
  consentApproved,
  facts,
  isAdjudicable,
  adjudicationReasons,
}: EvidenceOutcome) => [
  ...(facts.endedBy ? [`ended without verification: ${facts.endedBy}`] : []),
  ...(consentApproved ? [] : ['the consent it needs is not in force']),
  ...(rejected && !facts.endedBy ? ['a blocking participant was rejected, so nothing further was verified'] : []),
  ...(judgement.blocking.length > 0 ? [`blocked by ${list(judgement.blocking)}`] : []),
  ...(judgement.missing.length > 0 ? [`mandatory checks not passed: ${list(judgement.missing)}`] : []),
  ...(isAdjudicable ? [`an operator may decide: ${list(adjudicationReasons)}`] : []),
];

const stepInWords = ({ evidenceTypes, score, with: needs = [] }: PathStep): string =>
  `${evidenceTypes.join(' or ')} at ${score}${needs.length > 0 ? ` with ${list(needs)}` : ''}`;

const levelInWords = ({ level, profile, tally }: CaseEvaluation): string => {
  if (!profile) return `${level}: no profile of the policy is met`;
  const evidence = tally.counted.map(({ outcome: { facts, score } }) => `${facts.type} ${score}`);
  const portrait = tally.portrait ? [`portrait ${tally.portrait.outcome.score}`] : [];
  return `${level}: profile "${profile.name}" is met by ${list([...evidence, ...portrait])}`;
};

/** Says in words why an evaluation came out as it did: one line for the level, a few for each evidence, one for the shortest way up. */
export const explain = (evaluation: CaseEvaluation): string[] => {
  const { evidences, tally, upgradePaths, nameReferenceId, portraitReferenceId } = evaluation;
  const lines = [levelInWords(evaluation)];
  if (nameReferenceId) lines.push(`name reference: ${nameReferenceId}`);
  if (portraitReferenceId) lines.push(`portrait reference: ${portraitReferenceId}`);
  for (const outcome of evidences) {
    const { evidenceId, type } = outcome.facts;
    lines.push(`${type} ${evidenceId} is ${outcome.status}`);
    const reasons = outcome.status === 'VERIFIED' ? whyVerified(outcome) : whyNot(outcome);
    const uncounted = tally.notCounted.get(evidenceId);
    if (uncounted) reasons.push(`does not count: ${reasonNotCounted(uncounted)}`);
    lines.push(...reasons.map((reason) => `  ${reason}`));
  }
  for (const [level, paths] of Object.entries(upgradePaths)) {
    const shortest = Math.min(...paths.map((path) => path.length));
    const ways = paths.filter((path) => path.length === shortest).map((path) => path.map(stepInWords).join(' and '));
    lines.push(`for ${level}: ${ways.join('; or ')}`);
  }
  return lines;
};
