import { type ErrorObject, type EvidenceStatusValue, errorObject, type TrustLevel } from '@assay/contracts';
import type { KindRules, Policy } from '@assay/policy';
import { holds } from './conditions.ts';
import { consentState, consentSuffices } from './consents.ts';
import type { CaseFacts, EvidenceFacts } from './facts.ts';
import { type Judgement, judge } from './judge.ts';

/** What an evidence is compared with, and the indicators that follow from the comparison. */
export interface Context {
  derived: readonly string[];
  referenceId?: string;
  referenceScore?: TrustLevel;
}

/** One evidence as the policy sees it. */
export interface EvidenceOutcome {
  facts: EvidenceFacts;
  status: EvidenceStatusValue;
  score?: TrustLevel;
  raised: string[];
  judgement: Judgement;
  errors: ErrorObject[];
  isAdjudicable: boolean;
  /** Why an operator may decide: names of the policy's rules. */
  adjudicationReasons: string[];
  consentApproved: boolean;
  rejected: boolean;
  context: Context;
}

/** What an evidence was last told to be, and what it was compared with then. */
export interface Former {
  status: EvidenceStatusValue;
  referenceId?: string;
}

export interface EvaluationRun {
  facts: CaseFacts;
  policy: Policy;
  today: string;
  /** By evidence: what was INVALID stays so, a portrait as long as it is compared with the same reference. */
  former: ReadonlyMap<string, Former>;
}

const operatorIndicator = ({ kind }: EvidenceFacts, status: string): string =>
  `${kind === 'portrait' ? 'PORTRAIT' : 'DOCUMENT'}_ADJUDICATION_${status}`;

const ANSWERS = { ACCEPT: 'OK', REJECT: 'FAILED', EXPIRED: 'UNVERIFIED' } as const;

/** An operator's answer about a portrait holds for the reference that was shown beside it. */
const answerOf = ({ adjudication }: EvidenceFacts, { referenceId }: Context) =>
  adjudication?.answer && adjudication.referenceId === referenceId ? adjudication.answer : undefined;

const answerIndicators = (evidence: EvidenceFacts, context: Context): string[] => {
  const answer = answerOf(evidence, context);
  if (!answer) return [];
  const reasons = answer.decision === 'REJECT' ? answer.reasons.map((reason) => `${reason}_FAILED`) : [];
  return [operatorIndicator(evidence, ANSWERS[answer.decision]), ...reasons];
};

/** An issuer's confirmation rests on consent; without it, it is set aside. What the issuer denied stays denied. */
const participantIndicators = (evidence: EvidenceFacts, giv: boolean): string[] =>
  evidence.participants.flatMap(({ participantType, raisedIndicators = [] }) => {
    const confirmed = raisedIndicators.includes('GIV_VERIFICATION_VERIFIED');
    return participantType === 'GOV_VERIFICATION' && confirmed && !giv
      ? ['GIV_VERIFICATION_UNVERIFIED']
      : raisedIndicators;
  });

const wasRejected = (evidence: EvidenceFacts, rules: KindRules): boolean =>
  evidence.participants.some(
    ({ participantType, participantState }) =>
      participantState === 'REJECTED' &&
      participantType !== undefined &&
      rules.blockingParticipants.includes(participantType),
  );

const distinct = (errors: ErrorObject[]): ErrorObject[] =>
  errors.filter((error, at) => errors.findIndex(({ code }) => code === error.code) === at);

const errorsOf = (evidence: EvidenceFacts, judgement: Judgement, rejected: boolean, consent: boolean) => {
  if (evidence.endedBy) return [errorObject(evidence.endedBy)];
  const found = evidence.participants.flatMap(({ errors = [] }) => errors);
  // A participant that stopped the verification says why; what was not verified then is no news.
  const own = rejected && found.length > 0 ? [] : judgement.errors;
  const all = distinct([...(consent ? [] : [errorObject('CONSENT_MISSING')]), ...own, ...found]);
  return all.length > 0 ? all : [errorObject('CHECKS_MISSING')];
};

/** An operator may decide what would end NOT_VERIFIED only for reasons that an operator can take away. */
const adjudicationOf = (evidence: EvidenceFacts, rules: KindRules, judgement: Judgement, question: AskAgain) => {
  if (judgement.status !== 'NOT_VERIFIED' || answerOf(evidence, question.context)) return [];
  const reasons = rules.adjudicable.filter(({ when }) => holds(when, question.raised, question.raised));
  if (reasons.length === 0) return [];
  const accepted = question.judgeWith([...question.raised, operatorIndicator(evidence, 'OK')]);
  return accepted.status === 'VERIFIED' ? reasons.map(({ rule }) => rule) : [];
};

interface AskAgain {
  context: Context;
  raised: string[];
  judgeWith(raised: string[]): Judgement;
}

/** Evaluates one evidence by the facts and, for what is compared, its context. */
export const evaluateEvidence = (evidence: EvidenceFacts, context: Context, run: EvaluationRun): EvidenceOutcome => {
  const { facts, policy, today, former } = run;
  const rules = policy.kinds[evidence.kind];
  const consent = (type: 'GIV' | NonNullable<KindRules['consent']>['type']) =>
    consentState(evidence.consents, facts.consents, type, today);
  const asked = rules.consent && consent(rules.consent.type);
  const consentApproved = consentSuffices(rules, asked);
  const raised = [
    ...new Set([
      ...participantIndicators(evidence, consent('GIV').inForce),
      ...context.derived,
      ...answerIndicators(evidence, context),
    ]),
  ].sort();
  const rejected = wasRejected(evidence, rules) || evidence.endedBy !== undefined;
  const judgeWith = (indicators: string[]) =>
    judge({
      rules,
      type: evidence.type,
      raised: indicators,
      rejected,
      settings: evidence.settings,
      ...(context.referenceScore && { referenceScore: context.referenceScore }),
    });
  const judgement = judgeWith(raised);
  const reasons = consentApproved ? adjudicationOf(evidence, rules, judgement, { context, raised, judgeWith }) : [];
  const before = former.get(evidence.evidenceId);
  const sameReference = evidence.kind !== 'portrait' || before?.referenceId === context.referenceId;
  const staysInvalid = before?.status === 'INVALID' && sameReference;
  const status = statusOf(evidence, judgement, { consentApproved, reasons, staysInvalid });
  const stable = status !== 'PROCESSING' && status !== 'ADJUDICATION';
  return {
    facts: evidence,
    status,
    ...(status === 'VERIFIED' && judgement.score ? { score: judgement.score } : {}),
    raised,
    judgement,
    errors: stable && status !== 'VERIFIED' ? errorsOf(evidence, judgement, rejected, consentApproved) : [],
    isAdjudicable: reasons.length > 0,
    adjudicationReasons: reasons,
    consentApproved,
    rejected,
    context,
  };
};

const statusOf = (
  evidence: EvidenceFacts,
  judgement: Judgement,
  more: { consentApproved: boolean; reasons: string[]; staysInvalid: boolean },
): EvidenceStatusValue => {
  if (more.staysInvalid) return 'INVALID';
  if (evidence.awaitingIssuer && !evidence.endedBy) return 'PROCESSING';
  if (judgement.status === 'VERIFIED' && !more.consentApproved) return 'NOT_VERIFIED';
  if (more.reasons.length > 0 && evidence.settings.adjudication.enabled) return 'ADJUDICATION';
  return judgement.status;
};
