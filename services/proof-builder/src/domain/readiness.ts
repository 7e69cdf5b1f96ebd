import { type EvidenceRecord, type Identity, isStable, type Operation, type ProofRequest } from '@assay/contracts';
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

/**
 * Attached evidence that a retrieval does not list (contacts, portrait reference): there is no
 * proof while one is in work, so each has a result. Additional files have none.
 */
const unlistedGaps = ({ identity, evidenceIds, caseRevision }: ProofRequest, history: History): string[] => {
  const listed = new Set(listedEvidence(identity).map(({ evidenceId }) => evidenceId));
  const isEvaluated = (id: string): boolean => {
    const status = evaluationAt(history, id, caseRevision)?.evidence.status;
    return status !== undefined && isStable(status);
  };
  return evidenceIds
    .filter((id) => !listed.has(id) && history.submissions.get(id)?.operation !== 'ADDITIONAL_FILE')
    .filter((id) => !isEvaluated(id))
    .map((id) => `evaluation of ${id}`);
};

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
 * An evaluation that reports operators' decisions needs the decisions themselves: the comments
 * travel with them. An evidence may have been decided on before, about something else.
 */
const decisionGaps = (request: ProofRequest, history: History): string[] => {
  const decided = new Set(
    history.decisions.flatMap(({ evidenceId, details }) =>
      details.map(({ startTime }) => `${evidenceId} ${startTime}`),
    ),
  );
  const startsOf = (evidenceId: string): (string | undefined)[] =>
    (evaluationAt(history, evidenceId, request.caseRevision)?.evidence.proof.verificationDetails ?? [])
      .flatMap(({ verificationServices = [] }) => verificationServices)
      .flatMap(({ adjudicationDetails }) => adjudicationDetails?.decisionsDetails ?? [])
      .map(({ startTime }) => startTime);
  return [...history.evaluations.keys()]
    .filter((id) => startsOf(id).some((startTime) => !decided.has(`${id} ${startTime}`)))
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
    ...unlistedGaps(request, history),
    ...(consentsRevision < request.consentsRevision ? [`consents revision ${request.consentsRevision}`] : []),
    ...effectGaps(history),
    ...decisionGaps(request, history),
  ];
};
