import type { EvidenceRecord, Identity, Operation, ProofRequest } from '@assay/contracts';
import { evaluationAt, type History, knownEvidence, type Shown } from './history.ts';

type Listed = Pick<EvidenceRecord, 'evidenceId' | 'type' | 'evidenceStatus'>;

/** Every evidence a retrieval lists. */
const listedEvidence = (identity: Identity): Listed[] => [
  ...identity.attributes,
  ...identity.addresses,
  ...identity.idDocuments,
  ...(identity.portrait ? [identity.portrait] : []),
];

/** The evaluations that a retrieval shows. */
export const shownIn = ({ identity }: Pick<ProofRequest, 'identity'>): Shown =>
  new Map(
    listedEvidence(identity).map(({ evidenceId, evidenceStatus }) => [evidenceId, evidenceStatus.evaluationDateTime]),
  );

const evaluationGaps = (request: ProofRequest, history: History): string[] =>
  listedEvidence(request.identity).flatMap(({ evidenceId, evidenceStatus }) => {
    if (evidenceStatus.evaluationDateTime === undefined) return [];
    const known = evaluationAt(history, evidenceId, request.caseRevision)?.evidence;
    const agrees =
      known?.status === evidenceStatus.status && known.evaluationDateTime === evidenceStatus.evaluationDateTime;
    return agrees ? [] : [`evaluation of ${evidenceId}`];
  });

const CONTACTS = ['EMAIL_OTP', 'EMAIL_OTP_VERIFICATION', 'MOBILE_OTP', 'OTP_VERIFICATION'];

/** Operations whose own event has not arrived. */
const effectGaps = ({ operations, consentChanges, contactOperations }: History): string[] => {
  const consents = new Set(consentChanges.map(({ operationId }) => operationId));
  const isUntold = ({ name, type, operationId, contextIds }: Operation): boolean =>
    name === 'CONSENTS'
      ? contextIds.length > 0 && !consents.has(operationId)
      : type === 'ADD' && CONTACTS.includes(name ?? '') && !contactOperations.has(operationId);
  return operations
    .filter((operation) => operation.rest.httpCode < 300 && isUntold(operation))
    .map(({ operationId }) => `effect of operation ${operationId}`);
};

/**
 * An evaluation that reports an operator's decision needs the decision itself: the comment travels
 * with it.
 */
const decisionGaps = (request: ProofRequest, history: History): string[] => {
  const decided = new Set(history.decisions.map(({ evidenceId }) => evidenceId));
  const reports = (evidenceId: string): boolean =>
    (evaluationAt(history, evidenceId, request.caseRevision)?.evidence.proof.verificationDetails ?? []).some(
      ({ verificationServices }) =>
        verificationServices?.some(({ adjudicationDetails }) => adjudicationDetails?.decisionsDetails?.length),
    );
  return [...history.evaluations.keys()]
    .filter((id) => reports(id) && !decided.has(id))
    .map((id) => `decision on ${id}`);
};

// A session that is deleted while it is open was never submitted.
const SESSIONS = ['LIVENESS_VIDEO', 'ID_DOCUMENT_LIVE_CAPTURE', 'EVIDENCE_NFC_VERIFICATION'];

/**
 * The evidences that calls have submitted or deleted. A contact is one only when it is verified,
 * which its own event says.
 */
const calledUpon = ({ operations }: History): string[] =>
  operations
    .filter(({ name, rest }) => name !== 'CONSENTS' && !CONTACTS.includes(name ?? '') && rest.httpCode < 300)
    .flatMap(({ contextIds }) => contextIds);

/**
 * Evidence whose submission has not arrived, and evidence that is attached only in the history,
 * because its deletion has not arrived.
 */
const evidenceGaps = ({ evidenceIds }: ProofRequest, history: History): string[] => {
  const attached = new Set(evidenceIds);
  const known = new Set([...knownEvidence(history), ...calledUpon(history)]);
  const isSubmitted = (id: string): boolean =>
    history.submissions.has(id) ||
    history.contacts.has(id) ||
    SESSIONS.includes(history.deletions.get(id)?.operation ?? '');
  const all = new Set([...evidenceIds, ...known, ...history.deletions.keys()]);
  return [
    ...[...all].filter((id) => !isSubmitted(id)).map((id) => `submission of ${id}`),
    ...[...known].filter((id) => !attached.has(id) && !history.deletions.has(id)).map((id) => `deletion of ${id}`),
  ];
};

/**
 * The events that are still missing in the history; empty if the proof can be built. Events arrive
 * in any order, so comparing revisions is not enough: every listed evidence must be in the history
 * exactly as the retrieval shows it.
 */
export const gapsOf = (request: ProofRequest, history: History): string[] => {
  const operations = new Set(history.operations.map(({ operationId }) => operationId));
  const caseRevision = Math.max(0, ...history.cases.map((evaluation) => evaluation.caseRevision));
  const consentsRevision = Math.max(0, ...history.consentChanges.map((change) => change.consentsRevision));
  return [
    ...(history.created ? [] : ['creation']),
    ...request.operationIds.filter((id) => !operations.has(id)).map((id) => `operation ${id}`),
    ...evidenceGaps(request, history),
    ...(caseRevision < request.caseRevision ? [`case revision ${request.caseRevision}`] : []),
    ...evaluationGaps(request, history),
    ...(consentsRevision < request.consentsRevision ? [`consents revision ${request.consentsRevision}`] : []),
    ...effectGaps(history),
    ...decisionGaps(request, history),
  ];
};
