import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import {
  type DataOf,
  type Envelope,
  type EventType,
  type EvidenceType,
  evidenceEvaluated,
  evidenceSubmitted,
  formatDateTime,
  type IdentityOperationName,
  type MediaReference,
  operationRecorded,
  present,
  type StatusAndScoring,
} from '@assay/contracts';
import { sealingContext, sealJson } from '@assay/sealing';

const BEGIN = Date.parse('2026-03-02T10:00:00.000Z');
export const TENANT = 'tenant-of-the-synthetic-flow';

/** A medium of a synthetic flow, with its bytes. */
export interface Medium extends MediaReference {
  content: Buffer;
}

/**
 * Builds the events of one synthetic identity. Ids are derived from names, and each step takes a
 * second.
 */
export const createEventBuilder = (identityId: string, key: Buffer) => {
  const events: Envelope<unknown>[] = [];
  let clock = BEGIN;
  let caseRevision = 0;
  const revisions = new Map<string, number>();

  const idOf = (name: string): string => {
    const hex = createHash('sha256').update(`${identityId}/${name}`).digest('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  };
  const now = (): string => formatDateTime(new Date(clock));
  const step = (seconds = 1): string => {
    clock += seconds * 1000;
    return now();
  };
  const sealed = (purpose: string, value: unknown): string =>
    sealJson(key, sealingContext(TENANT, identityId, purpose), value);

  const emit = <E extends EventType>(event: E, data: DataOf<E>): void => {
    const id = idOf(`event ${events.length}`);
    events.push({ id, type: event.type, at: `${now()}Z`, tenantId: TENANT, identityId, data });
  };

  const operation = (
    name: IdentityOperationName | undefined,
    type: 'ADD' | 'DELETE',
    contextIds: string[],
    uri: string,
  ): string => {
    const operationId = idOf(`operation ${events.length}`);
    const startDateTime = now();
    clock += 40;
    emit(operationRecorded, {
      operationId,
      ...present({ name }),
      type,
      contextIds,
      rest: {
        uri,
        method: type === 'ADD' ? 'POST' : 'DELETE',
        httpCode: 200,
        startDateTime,
        endDateTime: now(),
        submissionId: idOf(`request ${events.length}`),
        tokenRole: 'RELYING_SERVICE',
      },
      sealedCaller: sealed('caller', { ip: '192.0.2.17', userAgent: 'synthetic' }),
    });
    return operationId;
  };

  const medium = (
    name: string,
    role: Medium['role'],
    contentType: string,
    content: Buffer,
    original?: Medium,
  ): Medium => ({
    mediaId: idOf(`medium ${name}`),
    role,
    contentType,
    bytes: content.length,
    sha256: createHash('sha256').update(content).digest('hex'),
    crc32: crc32(content),
    ...present({ originalMediaId: original?.mediaId }),
    content,
  });

  const submitted = (
    name: string,
    type: EvidenceType,
    operationName: IdentityOperationName,
    submission: unknown,
    media: Medium[] = [],
    more: Partial<DataOf<typeof evidenceSubmitted>> = {},
  ): string => {
    const evidenceId = idOf(name);
    step();
    emit(evidenceSubmitted, {
      evidenceId,
      type,
      operation: operationName,
      submitDateTime: now(),
      media: media.map(({ content: _, ...reference }) => reference),
      sealedSubmission: sealed('submission', submission),
      consents: [],
      settings: {
        policy: { name: 'default', version: '1' },
        acceptSpecimens: true,
        issuingSources: { enabled: true, userCategory: 'COMMERCIAL' },
        adjudication: { enabled: true, fourEyes: false, expirySeconds: 60 },
      },
      ...more,
    });
    return evidenceId;
  };

  interface Evaluated {
    type: EvidenceType;
    scoring: StatusAndScoring;
    more?: Partial<DataOf<typeof evidenceEvaluated>['evidences'][number]>;
    proof?: Partial<DataOf<typeof evidenceEvaluated>['evidences'][number]['proof']>;
    details?: unknown;
    loa?: DataOf<typeof evidenceEvaluated>['identity']['levelOfAssurance'];
    references?: { nameReferenceEvidenceId?: string; portraitReferenceEvidenceId?: string };
  }

  /** One evaluation of one evidence, as the case publishes it. Returns the identity's part. */
  const evaluated = (
    evidenceId: string,
    { type, scoring, more, proof, details, loa = 'LOA1', references }: Evaluated,
  ) => {
    const evidenceRevision = (revisions.get(evidenceId) ?? 0) + 1;
    revisions.set(evidenceId, evidenceRevision);
    caseRevision += 1;
    const at = step();
    const verified = scoring.status === 'VERIFIED';
    const identity = { levelOfAssurance: loa, evaluationDateTime: at, ...references, upgradePaths: {} };
    const { positiveIndicators = [], warningIndicators = [], unverifiedIndicators = [] } = scoring;
    const evidence = {
      evidenceId,
      evidenceRevision,
      type,
      status: scoring.status,
      ...(verified ? { strength: scoring.strength, score: scoring.score } : {}),
      isAdjudicable: false,
      evaluationDateTime: at,
      positiveIndicators,
      warningIndicators,
      unverifiedIndicators,
      changed: true,
      ...more,
      proof: {
        progress: 'DONE' as const,
        verificationDetails: [],
        evaluationDetails: {
          evaluationDateTime: at,
          evidences: [{ id: evidenceId, type, statusAndScoring: scoring }],
          loaAndUpgradePath: { isTechnicalError: false, levelOfAssurance: loa },
          updateOnIdentitySuccess: true,
        },
        crops: [],
        ...(details ? { sealedEvidenceDetails: sealed('evidence-details', details) } : {}),
        ...proof,
      },
    };
    emit(evidenceEvaluated, {
      caseRevision,
      policy: { name: 'default', version: '1' },
      evidences: [evidence],
      identity,
    });
    return evidence;
  };

  return {
    events,
    idOf,
    now,
    step,
    sealed,
    emit,
    operation,
    medium,
    submitted,
    evaluated,
    revision: () => caseRevision,
  };
};

export type EventBuilder = ReturnType<typeof createEventBuilder>;

/** The status of an evaluated evidence in an identity retrieval. */
export const statusShown = (evidence: ReturnType<EventBuilder['evaluated']>) => ({
  evaluationDateTime: evidence.evaluationDateTime,
  status: evidence.status,
  ...present({ strength: evidence.strength, score: evidence.score }),
  isAdjudicable: evidence.isAdjudicable,
  positiveIndicators: evidence.positiveIndicators,
  warningIndicators: evidence.warningIndicators,
  unverifiedIndicators: evidence.unverifiedIndicators,
});
