import type { EvidenceRecord, Identity, ProofRequest } from '@assay/contracts';
import { evaluationAt, type History, knownEvidence } from './history.ts';

type Listed = Pick<EvidenceRecord, 'evidenceId' | 'type' | 'evidenceStatus'>;

/** Every evidence a retrieval lists. */
export const listedEvidence = (identity: Identity): Listed[] => [
  ...identity.attributes,
  ...identity.addresses,
  ...identity.idDocuments,
  ...(identity.portrait ? [identity.portrait] : []),
];

const evaluationGaps = (request: ProofRequest, history: History): string[] =>
  listedEvidence(request.identity).flatMap(({ evidenceId, evidenceStatus }) => {
    if (evidenceStatus.evaluationDateTime === undefined) return [];
    const known = evaluationAt(history, evidenceId, request.caseRevision)?.evidence;
    const agrees =
      known?.status === evidenceStatus.status && known.evaluationDateTime === evidenceStatus.evaluationDateTime;
    return agrees ? [] : [`evaluation of ${evidenceId}`];
  });

const consentGaps = (request: ProofRequest, history: History): string[] => {
  const revisions = history.consentChanges.map(({ consentsRevision }) => consentsRevision);
  const told = new Set(history.consentChanges.map(({ operationId }) => operationId));
  const untold = history.operations.filter(
    ({ name, operationId, contextIds, rest }) =>
      name === 'CONSENTS' && contextIds.length > 0 && rest.httpCode < 300 && !told.has(operationId),
  );
  return [
    ...(Math.max(0, ...revisions) < request.consentsRevision ? [`consents revision ${request.consentsRevision}`] : []),
    ...untold.map(({ operationId }) => `consents of operation ${operationId}`),
  ];
};

// A live session that is deleted while it is open was never submitted.
const LIVE = ['LIVENESS_VIDEO', 'ID_DOCUMENT_LIVE_CAPTURE'];

const deletionGaps = (attached: ReadonlySet<string>, history: History): string[] => {
  const known = knownEvidence(history);
  const undeleted = [...known].filter((id) => !attached.has(id) && !history.deletions.has(id));
  const unknown = [...history.deletions.values()].filter(
    ({ evidenceId, operation }) => !known.has(evidenceId) && !LIVE.includes(operation),
  );
  return [
    ...undeleted.map((id) => `deletion of ${id}`),
    ...unknown.map(({ evidenceId }) => `submission of ${evidenceId}`),
  ];
};

/**
 * What the history still lacks of what the gateway knows; empty when the proof can be built. Events arrive in any order, so a revision that was
 * reached is not enough: every evidence listed must stand in the history exactly as the retrieval shows it.
 */
export const gapsOf = (request: ProofRequest, history: History): string[] => {
  const known = knownEvidence(history);
  const operations = new Set(history.operations.map(({ operationId }) => operationId));
  const reached = Math.max(0, ...history.cases.map(({ caseRevision }) => caseRevision));
  return [
    ...(history.created ? [] : ['creation']),
    ...request.operationIds.filter((id) => !operations.has(id)).map((id) => `operation ${id}`),
    ...request.evidenceIds.filter((id) => !known.has(id)).map((id) => `evidence ${id}`),
    ...deletionGaps(new Set(request.evidenceIds), history),
    ...(reached < request.caseRevision ? [`case revision ${request.caseRevision}`] : []),
    ...evaluationGaps(request, history),
    ...consentGaps(request, history),
  ];
};
