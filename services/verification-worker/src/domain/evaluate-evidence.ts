import {
  ERRORS,
  type ErrorObject,
  type EvidenceStatusValue,
  errorObject,
  type OPERATOR_REASONS,
  oneStateEach,
  type Today,
  type TrustLevel,
} from '@assay/contracts';
import type { KindRules, Policy } from '@assay/policy';
import { applyRules, type RuleResult } from './apply-rules.ts';
import { holds } from './conditions.ts';
import { consentState, consentSuffices } from './consents.ts';
import type { Adjudication, CaseFacts, EvidenceFacts } from './facts.ts';
import { isSamePhoto } from './portrait-matching.ts';
import { isConfirmation, isIssuerSetAside } from './set-aside.ts';

/** The references that an evidence is compared with, and the indicators of the comparison. */
export interface Context {
  derived: readonly string[];
  referenceId?: string;
  referenceScore?: TrustLevel;
  /** A document that was in verification when this portrait was submitted still is. */
  waits?: boolean;
}

/** One evidence as the policy sees it. */
export interface EvidenceEvaluation {
  facts: EvidenceFacts;
  status: EvidenceStatusValue;
  score?: TrustLevel;
  raised: string[];
  ruleResult: RuleResult;
  errors: ErrorObject[];
  isAdjudicable: boolean;
  /** Why an operator may decide: names of rules of the policy. */
  adjudicationReasons: string[];
  consentApproved: boolean;
  /** What its issuer confirmed does not count, for want of the consent. */
  issuerSetAside: boolean;
  rejected: boolean;
  context: Context;
}

/**
 * The status that was last published of an evidence, and the reference it was compared with then.
 */
export interface Former {
  status: EvidenceStatusValue;
  referenceId?: string;
}

export interface EvaluationRun {
  facts: CaseFacts;
  policy: Policy;
  today: Today;
  /**
   * For each evidence. What was INVALID stays so; a portrait only while it is compared with the
   * same reference.
   */
  former: ReadonlyMap<string, Former>;
}

const operatorIndicator = ({ kind }: Pick<EvidenceFacts, 'kind'>, status: string): string =>
  `${kind === 'portrait' ? 'PORTRAIT' : 'DOCUMENT'}_ADJUDICATION_${status}`;

const ANSWERS = { ACCEPT: 'OK', REJECT: 'FAILED', EXPIRED: 'UNVERIFIED' } as const;

/** What an answer of operators raises: the answer, and the reasons of a rejection. */
export const raisedBy = (
  evidence: Pick<EvidenceFacts, 'kind'>,
  { decision, reasons }: NonNullable<Adjudication['answer']>,
): string[] => [
  operatorIndicator(evidence, ANSWERS[decision]),
  ...(decision === 'REJECT' ? reasons.map((reason) => `${reason}_FAILED`) : []),
];

/**
 * Whether a question is about what there is now: a portrait and the reference it is compared with,
 * and all that speaks against it. A document that comes later may show that it is a photograph.
 */
export const isAbout = ({ referenceId, samePhoto }: Adjudication, context: Context): boolean =>
  referenceId === context.referenceId && !(samePhoto === false && isSamePhoto(context.derived));

/**
 * Reasons of a rejection that are about the picture itself: it is no better whatever it is compared
 * with.
 */
const OF_THE_PICTURE: readonly string[] = [
  'COMPUTER_SCREEN_PHOTO',
  'PAPER_COPY',
  'DOCUMENT_IMAGE_MANIPULATION',
  'OTHER_SUSPECTED_FRAUD',
] satisfies (typeof OPERATOR_REASONS)[number][];

/**
 * The answer of an operator about a portrait applies only to what the operator knew, and a
 * rejection of the picture itself to any reference.
 */
const answerOf = ({ adjudication }: EvidenceFacts, context: Context) => {
  const { answer, referenceId } = adjudication ?? {};
  if (!adjudication || !answer) return undefined;
  const isRejected = answer.decision === 'REJECT';
  if (isRejected && answer.reasons.some((reason) => OF_THE_PICTURE.includes(reason))) return answer;
  if (referenceId !== context.referenceId) return undefined;
  return answer.decision === 'ACCEPT' && !isAbout(adjudication, context) ? undefined : answer;
};

const answerIndicators = (evidence: EvidenceFacts, context: Context): string[] => {
  const answer = answerOf(evidence, context);
  return answer ? raisedBy(evidence, answer) : [];
};

const participantIndicators = (evidence: EvidenceFacts, issuerSetAside: boolean): string[] =>
  evidence.participants.flatMap((participant) =>
    issuerSetAside && isConfirmation(participant)
      ? ['GIV_VERIFICATION_UNVERIFIED']
      : (participant.raisedIndicators ?? []),
  );

const wasRejected = (evidence: EvidenceFacts, rules: KindRules): boolean =>
  evidence.participants.some(
    ({ participantType, participantState }) =>
      participantState === 'REJECTED' &&
      participantType !== undefined &&
      rules.blockingParticipants.includes(participantType),
  );

const distinct = (errors: ErrorObject[]): ErrorObject[] =>
  errors.filter((error, at) => errors.findIndex(({ code }) => code === error.code) === at);

const errorsOf = (evidence: EvidenceFacts, ruleResult: RuleResult, rejected: boolean, consent: boolean) => {
  if (evidence.endedBy) return [errorObject(evidence.endedBy)];
  const found = evidence.participants.flatMap(({ errors = [] }) => errors);
  // If a participant stopped the verification, its indicators say why. Checks that did not run are
  // left out, checks that failed are not.
  const own = rejected && found.length > 0 && ruleResult.status !== 'INVALID' ? [] : ruleResult.errors;
  // Without a consent nothing is compared, even if there is a reference.
  const missing = [errorObject('CONSENT_MISSING'), ...own.filter(({ code }) => code !== ERRORS.NO_REFERENCE.code)];
  const all = distinct([...(consent ? own : missing), ...found]);
  return all.length > 0 ? all : [errorObject('CHECKS_MISSING')];
};

/**
 * An operator may decide an evidence that would end NOT_VERIFIED, if all the reasons are ones that
 * an operator can remove.
 */
const adjudicationOf = (
  evidence: EvidenceFacts,
  rules: KindRules,
  ruleResult: RuleResult,
  question: AdjudicationInput,
) => {
  if (ruleResult.status !== 'NOT_VERIFIED' || answerOf(evidence, question.context)) return [];
  const reasons = rules.adjudicable.filter(({ when }) => holds(when, question.raised, question.raised));
  if (reasons.length === 0) return [];
  const accepted = question.applyRulesTo([...question.raised, operatorIndicator(evidence, 'OK')]);
  return accepted.status === 'VERIFIED' ? reasons.map(({ rule }) => rule) : [];
};

interface AdjudicationInput {
  context: Context;
  raised: string[];
  applyRulesTo(raised: string[]): RuleResult;
}

/** Evaluates one evidence: by its facts and, if it is compared with others, by its context. */
export const evaluateEvidence = (evidence: EvidenceFacts, context: Context, run: EvaluationRun): EvidenceEvaluation => {
  const { facts, policy, today, former } = run;
  const rules = policy.kinds[evidence.kind];
  const asked = rules.consent && consentState(evidence.consents, facts.consents, rules.consent.type, today);
  const issuerSetAside = isIssuerSetAside(evidence, facts.consents, today);
  const consentApproved = consentSuffices(rules, asked);
  const raised = oneStateEach([
    ...participantIndicators(evidence, issuerSetAside),
    ...(evidence.expired ? ['DOC_EXPIRATION_DATE_FAILED'] : []),
    ...context.derived,
    ...answerIndicators(evidence, context),
  ]);
  const rejected = wasRejected(evidence, rules) || evidence.endedBy !== undefined;
  const applyRulesTo = (indicators: string[]) =>
    applyRules({
      rules,
      type: evidence.type,
      raised: indicators,
      rejected,
      settings: evidence.settings,
      ...(context.referenceScore && { referenceScore: context.referenceScore }),
    });
  const ruleResult = applyRulesTo(raised);
  const reasons = consentApproved ? adjudicationOf(evidence, rules, ruleResult, { context, raised, applyRulesTo }) : [];
  const before = former.get(evidence.evidenceId);
  const sameReference = evidence.kind !== 'portrait' || before?.referenceId === context.referenceId;
  const staysInvalid = before?.status === 'INVALID' && sameReference;
  const waits = context.waits === true;
  const status = statusOf(evidence, ruleResult, { consentApproved, reasons, staysInvalid, waits });
  const stable = status !== 'PROCESSING' && status !== 'ADJUDICATION';
  return {
    facts: evidence,
    status,
    ...(status === 'VERIFIED' && ruleResult.score ? { score: ruleResult.score } : {}),
    raised,
    ruleResult,
    errors: stable && status !== 'VERIFIED' ? errorsOf(evidence, ruleResult, rejected, consentApproved) : [],
    isAdjudicable: reasons.length > 0,
    adjudicationReasons: reasons,
    consentApproved,
    issuerSetAside,
    rejected,
    context,
  };
};

const statusOf = (
  evidence: EvidenceFacts,
  ruleResult: RuleResult,
  more: { consentApproved: boolean; reasons: string[]; staysInvalid: boolean; waits: boolean },
): EvidenceStatusValue => {
  if (more.staysInvalid) return 'INVALID';
  if ((evidence.awaitingIssuer || more.waits) && !evidence.endedBy) return 'PROCESSING';
  if (ruleResult.status === 'VERIFIED' && !more.consentApproved) return 'NOT_VERIFIED';
  if (more.reasons.length > 0 && evidence.settings.adjudication.enabled) return 'ADJUDICATION';
  return ruleResult.status;
};
