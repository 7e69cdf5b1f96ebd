import {
  type adjudicationRequested,
  type adjudicationWithdrawn,
  type CaseWithdrawal,
  type DataOf,
  formatDateTime,
  present,
} from '@assay/contracts';
import type { Policy } from '@assay/policy';
import { type Case, type CaseEvidence, changeEvidence } from './case.ts';
import type { CaseEvaluation } from './evaluate-case.ts';
import { type EvidenceEvaluation, isAbout } from './evaluate-evidence.ts';
import type { Adjudication } from './facts.ts';
import { comparisonOf, documentsOfPhotograph, isSamePhoto } from './portrait-matching.ts';

export type AdjudicationRequest = DataOf<typeof adjudicationRequested>;
export type AdjudicationWithdrawal = DataOf<typeof adjudicationWithdrawn>;

/** Whether a question to the operators is open: neither answered nor taken back. */
const isOpen = (adjudication: Adjudication | undefined): adjudication is Adjudication =>
  adjudication !== undefined && adjudication.answer === undefined && adjudication.withdrawn === undefined;

/** Whether an open question is about what there is now. */
const isAsked = ({ adjudication }: CaseEvidence, { context }: EvidenceEvaluation): boolean =>
  isOpen(adjudication) && isAbout(adjudication, context);

type Shown = CaseEvidence['media'];

/**
 * The further faces that an operator is shown: the portrait of each chip, the printed face if the
 * portrait is compared with a chip, and the images of another document whose photograph it is.
 */
const mediaBeside = (
  current: Case,
  { evidenceId }: CaseEvidence,
  referenceId: string | undefined,
  faces: Policy['faces'],
): Shown => {
  const { evidences } = current;
  const others = evidences.filter((one) => one.evidenceId !== evidenceId);
  const chips = others.filter(({ kind }) => kind === 'documentChip');
  const reference = others.find((one) => one.evidenceId === referenceId);
  const printed = others
    .filter(({ kind }) => kind === 'documentImage')
    .flatMap(({ media }) => media.filter(({ label }) => label === 'CROP'));
  const compared = reference?.kind === 'documentChip' ? printed.slice(-1) : (reference?.media ?? []);
  const isShown = ({ media }: CaseEvidence): boolean => media.some((one) => compared.includes(one));
  const copied = documentsOfPhotograph(current, evidenceId, faces);
  const photographed = others.filter(
    (one) => one.kind === 'documentImage' && copied.includes(one.evidenceId) && !isShown(one),
  );
  return [
    ...compared.map((one) => ({ ...one, label: `REFERENCE_${one.label}` })),
    ...photographed.flatMap(({ media }) => media.map((one) => ({ ...one, label: `PHOTOGRAPHED_${one.label}` }))),
    ...chips.flatMap(({ media }) => media.map((one) => ({ ...one, label: `CHIP_${one.label}` }))),
  ];
};

/** The findings about the identity's chips, for the operator who looks at its images. */
const chipsOf = (evaluation: CaseEvaluation, evidenceId: string): NonNullable<AdjudicationRequest['chips']> =>
  evaluation.evidences
    .filter(({ facts }) => facts.kind === 'documentChip' && facts.evidenceId !== evidenceId)
    .map(({ facts, status, raised }) => ({ evidenceId: facts.evidenceId, status, raisedIndicators: raised }));

/** The distance between the two faces that an operator compares, and the limits of the policy. */
const similarityOf = (
  current: Case,
  { evidenceId }: CaseEvidence,
  referenceId: string | undefined,
  { samePhoto, match, refuse }: Policy['faces'],
): Pick<AdjudicationRequest, 'similarity'> => {
  const compared = referenceId === undefined ? undefined : comparisonOf(current, evidenceId, referenceId);
  return compared ? { similarity: { distance: compared.distance, samePhoto, match, refuse } } : {};
};

interface Asked {
  outcome: EvidenceEvaluation;
  evaluation: CaseEvaluation;
  faces: Policy['faces'];
}

const requestOf = (
  current: Case,
  evidence: CaseEvidence,
  { outcome, evaluation, faces }: Asked,
  adjudication: Adjudication,
): AdjudicationRequest => {
  const chips = chipsOf(evaluation, evidence.evidenceId);
  return {
    caseId: adjudication.caseId,
    evidenceId: evidence.evidenceId,
    type: evidence.type,
    submitDateTime: evidence.submitDateTime,
    requestedAt: adjudication.requestedAt,
    expiresAt: adjudication.expiresAt,
    fourEyes: evidence.settings.adjudication.fourEyes,
    raisedIndicators: outcome.raised,
    reasons: outcome.adjudicationReasons,
    media: [...evidence.media, ...mediaBeside(current, evidence, adjudication.referenceId, faces)],
    ...(chips.length > 0 ? { chips } : {}),
    ...similarityOf(current, evidence, adjudication.referenceId, faces),
    ...present({ sealedFields: evidence.sealed.fields }),
  };
};

const begun = (
  { context: { referenceId, derived }, facts: { settings } }: EvidenceEvaluation,
  { at, newId }: { at: Date; newId: () => string },
): Adjudication => ({
  caseId: newId(),
  requestedAt: formatDateTime(at),
  expiresAt: formatDateTime(new Date(at.getTime() + settings.adjudication.expirySeconds * 1000)),
  ...(referenceId ? { referenceId, samePhoto: isSamePhoto(derived) } : {}),
});

/**
 * The question to ask now: a new one, or the open one again if it did not show a chip that is there
 * now. Undefined if there is nothing to ask.
 */
const askedNow = (
  evidence: CaseEvidence,
  outcome: EvidenceEvaluation,
  chips: readonly string[],
  now: { at: Date; newId: () => string },
): Adjudication | undefined => {
  const attached = chips.length > 0 ? { chipIds: [...chips] } : {};
  if (!isAsked(evidence, outcome)) return { ...begun(outcome, now), ...attached };
  const { chipIds = [], ...open } = evidence.adjudication!;
  return chips.every((id) => chipIds.includes(id)) ? undefined : { ...open, ...attached };
};

const whyWithdrawn = (
  { referenceId }: Adjudication,
  { context, consentApproved }: EvidenceEvaluation,
): CaseWithdrawal => {
  if (!consentApproved) return 'CONSENT_WITHDRAWN';
  return referenceId === context.referenceId ? 'EVALUATED_OTHERWISE' : 'REFERENCE_CHANGED';
};

const withdrawalOf = (
  { evidenceId, type, submitDateTime, settings }: CaseEvidence,
  { caseId, requestedAt, expiresAt }: Adjudication,
  { at, reason }: NonNullable<Adjudication['withdrawn']>,
): AdjudicationWithdrawal => ({
  caseId,
  evidenceId,
  type,
  submitDateTime,
  requestedAt,
  expiresAt,
  fourEyes: settings.adjudication.fourEyes,
  withdrawnAt: at,
  reason,
});

/**
 * Takes back every open question about an evidence that is no longer in ADJUDICATION, or that is
 * about something else now: another reference, or a document's own photograph. The reason does not
 * matter.
 */
export const withdrawAdjudications = (
  current: Case,
  evaluation: CaseEvaluation,
  at: Date,
): { after: Case; withdrawals: AdjudicationWithdrawal[] } => {
  const withdrawals: AdjudicationWithdrawal[] = [];
  let after = current;
  for (const outcome of evaluation.evidences) {
    const changed = changeEvidence(after, outcome.facts.evidenceId, (evidence) => {
      const { adjudication } = evidence;
      const waits = outcome.status === 'ADJUDICATION' && isAsked(evidence, outcome);
      if (waits || !isOpen(adjudication)) return undefined;
      const withdrawn = { at: formatDateTime(at), reason: whyWithdrawn(adjudication, outcome) };
      withdrawals.push(withdrawalOf(evidence, adjudication, withdrawn));
      return { ...evidence, adjudication: { ...adjudication, withdrawn } };
    });
    after = changed ?? after;
  }
  return { after, withdrawals };
};

/**
 * Asks the operators about every evidence in ADJUDICATION, unless they were asked about it already
 * with the chips it has now.
 */
export const requestAdjudications = (
  current: Case,
  evaluation: CaseEvaluation,
  { faces, ...now }: { at: Date; newId: () => string; faces: Policy['faces'] },
): { after: Case; requests: AdjudicationRequest[] } => {
  const requests: AdjudicationRequest[] = [];
  let after = current;
  for (const outcome of evaluation.evidences.filter(({ status }) => status === 'ADJUDICATION')) {
    const { evidenceId } = outcome.facts;
    const chips = chipsOf(evaluation, evidenceId).map((chip) => chip.evidenceId);
    const asked = changeEvidence(after, evidenceId, (evidence) => {
      const adjudication = askedNow(evidence, outcome, chips, now);
      if (!adjudication) return undefined;
      requests.push(requestOf(current, evidence, { outcome, evaluation, faces }, adjudication));
      return { ...evidence, adjudication };
    });
    after = asked ?? after;
  }
  return { after, requests };
};
