import {
  type EvaluationDetails,
  type EvidenceType,
  FURTHER_FILE_KEY,
  type IdentityOperationName,
  type IdentityOperationType,
  type MediaReference,
  type Operation,
  type ParticipantDetails,
  type Progress,
  present,
  type UpgradePaths,
  type VerificationAndEvaluationDetails,
  type VerificationDetails,
} from '@assay/contracts';
import { contactDetails, contactProgress } from './contact.ts';
import { deletedDetails, evidenceDetails } from './evidence-details.ts';
import { type EvaluatedOnce, type Evaluation, evaluationAt, type History } from './history.ts';
import { withoutEmpty, withoutEmptyThroughout } from './without-empty.ts';

export type Element = VerificationAndEvaluationDetails;

/** The input of the elements beside the history. */
export interface ElementContext {
  businessId?: string;
  caseRevision: number;
  startDateTime: string;
  /** Media in the archive, by evidence. */
  media: ReadonlyMap<string, readonly MediaReference[]>;
}

/** The call that began (or ended) an element: the first of its kind that touched it. */
export const callOf = (history: History, contextId: string, type: IdentityOperationType): Operation | undefined =>
  history.operations.find((operation) => operation.type === type && operation.contextIds.includes(contextId));

const OPERATION_OF_TYPE: Partial<Record<EvidenceType, IdentityOperationName>> = {
  PORTRAIT: 'PORTRAIT_CAPTURE',
  PORTRAIT_REFERENCE: 'PORTRAIT_REFERENCE',
  ATTRIBUTES: 'ATTRIBUTES',
  ADDRESS: 'ATTRIBUTES',
  MEDICARE: 'MEDICARE',
  EMAIL: 'EMAIL_OTP',
  MOBILE_OTP: 'MOBILE_OTP',
  ADDITIONAL_FILE: 'ADDITIONAL_FILE',
};

/** The type an evidence has now: the recognised one, else the submitted one. */
const typeOf = (history: History, evidenceId: string, evaluation: EvaluatedOnce | undefined): EvidenceType => {
  const contact = history.contacts.get(evidenceId);
  return (
    evaluation?.evidence.type ??
    history.submissions.get(evidenceId)?.type ??
    history.deletions.get(evidenceId)?.type ??
    (contact?.channel === 'MOBILE' ? 'MOBILE_OTP' : contact ? 'EMAIL' : 'ID_DOCUMENT')
  );
};

/**
 * The operation of a participant in the proof. Its session is the live capture session, if there
 * was one, else the transaction. Comments of operators are sealed and arrive in an event of their
 * own: each belongs to the decision that began at the same time, and replaces its reasons there.
 */
const verification = (
  details: ParticipantDetails,
  sessionCreationTime: string,
  comments: ReadonlyMap<string, string>,
): VerificationDetails => ({
  ...details,
  sessionCreationTime,
  ...present({
    verificationServices: details.verificationServices?.map((service) => {
      const decisions = service.adjudicationDetails?.decisionsDetails;
      if (!decisions) return service;
      const decisionsDetails = decisions.map((decision) =>
        withoutEmpty({ ...decision, comment: comments.get(decision.startTime ?? '') ?? decision.comment }),
      );
      return { ...service, adjudicationDetails: { ...service.adjudicationDetails, decisionsDetails } };
    }),
  }),
});

const commentsOn = (history: History, evidenceId: string): Map<string, string> =>
  new Map(
    history.decisions
      .filter((decision) => decision.evidenceId === evidenceId)
      .flatMap(({ details, comments }) =>
        details.flatMap(({ startTime }, at) =>
          comments[at] === undefined ? [] : [[startTime, comments[at]] as const],
        ),
      ),
  );

const progressOf = (history: History, evidenceId: string, evaluation: EvaluatedOnce | undefined): Progress => {
  if (evaluation) return evaluation.evidence.proof.progress;
  const contact = history.contacts.get(evidenceId);
  if (contact) return contactProgress(contact);
  return history.submissions.get(evidenceId)?.type === 'ADDITIONAL_FILE' ? 'DONE' : 'PROCESSING';
};

/** Further files of one submission are in the metadata: the element has one id. */
const additionalFile = (
  history: History,
  evidenceId: string,
  media: readonly MediaReference[],
): Element['additionalFile'] => {
  const [first, ...further] = media.filter(({ role }) => role === 'ADDITIONAL_FILE');
  if (!first) return undefined;
  const metadata = history.submissions.get(evidenceId)?.submission.metadata ?? [];
  return {
    id: first.mediaId,
    metadata: [...metadata, ...further.map(({ mediaId }) => ({ key: FURTHER_FILE_KEY, value: mediaId }))],
  };
};

/**
 * upgradePaths as the proof has them: an array of objects, one for each level of assurance
 * (specification, Upgrade paths).
 */
const pathsInProof = (paths: UpgradePaths) =>
  Object.entries(paths).map(([levelOfAssurance, alternatives]) => ({ levelOfAssurance, paths: alternatives }));

/**
 * The evaluation of an evidence with the upgrade paths of the identity after it. An event of a
 * former release has them in the entry itself.
 */
const evaluationOf = ({ evidence, upgradePaths = {} }: EvaluatedOnce): EvaluationDetails => {
  const details = evidence.proof.evaluationDetails;
  if (!details.loaAndUpgradePath) return withoutEmptyThroughout(details);
  const loaAndUpgradePath = { upgradePaths: pathsInProof(upgradePaths), ...details.loaAndUpgradePath };
  return withoutEmptyThroughout({ ...details, loaAndUpgradePath });
};

/**
 * The element of an evidence's addition. A deleted or replaced one keeps all its information, but
 * no image is named.
 */
export const additionOf = (history: History, evidenceId: string, context: ElementContext): Element => {
  const submitted = history.submissions.get(evidenceId);
  const contact = history.contacts.get(evidenceId);
  const evaluation = evaluationAt(history, evidenceId, context.caseRevision);
  const deleted = history.deletions.get(evidenceId);
  const call = callOf(history, evidenceId, 'ADD');
  const type = typeOf(history, evidenceId, evaluation);
  const media = deleted ? [] : (context.media.get(evidenceId) ?? []);
  const comments = commentsOn(history, evidenceId);
  const isLive = submitted?.sessionId !== undefined;
  const sessionCreationTime = (isLive && call?.rest.startDateTime) || context.startDateTime;
  const { proof } = evaluation?.evidence ?? {};
  return {
    identityOperation: {
      id: evidenceId,
      name: submitted?.operation ?? call?.name ?? deleted?.operation ?? OPERATION_OF_TYPE[type] ?? 'ID_DOCUMENT',
      type: 'ADD',
    },
    participantContextId: evidenceId,
    progress: progressOf(history, evidenceId, evaluation),
    startDateTime:
      submitted?.submitDateTime ?? contact?.submitDateTime ?? call?.rest.startDateTime ?? context.startDateTime,
    ...withoutEmpty({
      sessionId: submitted?.sessionId,
      businessId: context.businessId,
      identityOperationParent: proof?.parent,
      additionalFile: additionalFile(history, evidenceId, media),
      contactDetails: contact ? contactDetails(contact) : undefined,
      evaluationDetails: evaluation && evaluationOf(evaluation),
      evidenceDetails: evidenceDetails({ evidenceId, type, submitted, evaluation, media }),
      processingDetails: call?.rest,
      verificationDetails: proof?.verificationDetails.map((details) =>
        withoutEmptyThroughout(verification(details, sessionCreationTime, comments)),
      ),
    }),
  };
};

/**
 * The state of the identity without the evidence: the first evaluation that rests on its deletion.
 * One that was made later may still lack it, and one that changed nothing has the former time; an
 * event of a former release says only the time.
 */
const evaluationAfter = (deletedAt: string, { cases, deletions }: History): EvaluationDetails => {
  const known = [...deletions.values()].filter((other) => other.deletedAt <= deletedAt).length;
  const isAfter = ({ basis, identity }: Evaluation): boolean =>
    basis ? basis.deletions >= known : identity.evaluationDateTime >= deletedAt;
  const next = cases.find(isAfter)?.identity;
  const evaluatedAt = next?.evaluationDateTime ?? deletedAt;
  return {
    evaluationDateTime: evaluatedAt > deletedAt ? evaluatedAt : deletedAt,
    evidences: [],
    ...(next
      ? {
          loaAndUpgradePath: {
            levelOfAssurance: next.levelOfAssurance,
            ...withoutEmpty({ upgradePaths: pathsInProof(next.upgradePaths) }),
          },
        }
      : {}),
  };
};

/** The element of the deletion or replacement of an evidence: id, type and family only. */
export const deletionOf = (history: History, evidenceId: string, context: ElementContext): Element[] => {
  const deleted = history.deletions.get(evidenceId);
  if (!deleted) return [];
  const type = typeOf(history, evidenceId, evaluationAt(history, evidenceId, context.caseRevision));
  const call =
    history.operations.find(({ operationId }) => operationId === deleted.operationId) ??
    callOf(history, evidenceId, 'DELETE') ??
    // The call that deleted a replaced portrait is the one that brought the new one.
    (deleted.replacedBy === undefined ? undefined : callOf(history, deleted.replacedBy, 'ADD'));
  return [
    {
      identityOperation: { id: evidenceId, name: deleted.operation, type: 'DELETE' },
      participantContextId: evidenceId,
      progress: 'DONE',
      startDateTime: deleted.deletedAt,
      ...withoutEmpty({ businessId: context.businessId }),
      evaluationDetails: evaluationAfter(deleted.deletedAt, history),
      evidenceDetails: deletedDetails(evidenceId, type),
      ...withoutEmpty({ processingDetails: call?.rest }),
      verificationDetails: [],
    },
  ];
};
