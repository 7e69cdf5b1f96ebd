import { type adjudicationWithdrawn, type CaseClosing, type DataOf, parseDateTime } from '@assay/contracts';
import {
  type AdjudicationCase,
  type AdjudicationChange,
  arrivedCase,
  decidedData,
  NO_CLAIM,
} from './adjudication-case.ts';
import type { Identity } from './identity.ts';

/** No operator decided in time. */
export const expireCase = (adjudication: AdjudicationCase, now: Date): AdjudicationChange | undefined =>
  adjudication.state === 'DECIDED' || adjudication.expiresAt > now
    ? undefined
    : {
        set: { state: 'DECIDED', outcome: 'EXPIRED', decidedAt: now, expiryUnrecorded: true },
        unset: NO_CLAIM,
        decided: decidedData(adjudication, 'EXPIRED', adjudication.decisions, now),
      };

/** The audit log has the line of the expiry. */
export const expiryRecorded = ({ expiryUnrecorded }: AdjudicationCase): AdjudicationChange | undefined =>
  expiryUnrecorded ? { set: {}, unset: ['expiryUnrecorded'] } : undefined;

/**
 * Ends a case without a decision, or makes a decided one anonymous: the personal data are removed,
 * the decision stays for the statistics.
 */
export const closeCase = (adjudication: AdjudicationCase, because: CaseClosing, now: Date): AdjudicationChange => ({
  set: {
    media: [],
    chips: [],
    raisedIndicators: [],
    decisions: adjudication.decisions.map(({ sealedComment: _comment, ...made }) => made),
    ...(adjudication.state === 'DECIDED'
      ? {}
      : { state: 'DECIDED' as const, outcome: 'CLOSED' as const, closedBecause: because, decidedAt: now }),
  },
  unset: [...NO_CLAIM, 'sealedFields', 'similarity'],
});

/**
 * The evidence is no longer in ADJUDICATION. Decisions that operators made before stay: the worker
 * applies them.
 */
export const withdrawCase = (
  adjudication: AdjudicationCase,
  because: CaseClosing,
  now: Date,
): AdjudicationChange | undefined =>
  adjudication.state === 'DECIDED' ? undefined : closeCase(adjudication, because, now);

/**
 * The decision for a case that ended before its request arrived; undefined if the case is to wait
 * for operators.
 */
export const endedBefore = (
  identity: Pick<Identity, 'state' | 'deletedEvidenceIds'> | null,
  evidenceId: string,
): CaseClosing | undefined => {
  if (!identity || identity.state === 'CLOSING' || identity.state === 'CLOSED') return 'IDENTITY_CLOSED';
  if (identity.deletedEvidenceIds.includes(evidenceId)) return 'EVIDENCE_DELETED';
  return identity.state === 'ERROR' ? 'IDENTITY_FAILED' : undefined;
};

/** A case that was taken back before its request arrived: it is closed from the start. */
export const withdrawnCase = (
  owner: Pick<AdjudicationCase, 'tenantId' | 'identityId'>,
  { withdrawnAt, reason, ...request }: DataOf<typeof adjudicationWithdrawn>,
): AdjudicationCase => ({
  ...arrivedCase(owner, request),
  raisedIndicators: [],
  reasons: [],
  media: [],
  state: 'DECIDED',
  outcome: 'CLOSED',
  closedBecause: reason,
  decidedAt: parseDateTime(withdrawnAt),
});
