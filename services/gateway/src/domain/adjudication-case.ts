import {
  type adjudicationDecided,
  type adjudicationWaiting,
  type CaseClosing,
  type CaseState,
  type ChipFound,
  type DataOf,
  type DecisionValue,
  formatDateTime,
  parseDateTime,
  type Similarity,
} from '@assay/contracts';

/** What one operator decided. */
export interface OperatorDecision {
  operatorId: string;
  decision: DecisionValue;
  reasons: string[];
  startTime: string;
  endTime: string;
  sealedComment?: string;
}

/** One evidence that waits for operators, or was decided by them. */
export interface AdjudicationCase {
  _id: string;
  revision: number;
  tenantId: string;
  identityId: string;
  evidenceId: string;
  type: string;
  submitDateTime: string;
  requestedAt: string;
  expiresAt: Date;
  fourEyes: boolean;
  raisedIndicators: string[];
  reasons: string[];
  media: { mediaId: string; label: string }[];
  chips?: ChipFound[];
  similarity?: Similarity;
  sealedFields?: string;
  state: CaseState;
  claimedBy?: string;
  claimedAt?: Date;
  claimedUntil?: Date;
  decisions: OperatorDecision[];
  outcome?: DecisionValue | 'EXPIRED' | 'CLOSED';
  /** Why the case is CLOSED. */
  closedBecause?: CaseClosing;
  decidedAt?: Date;
  /** The case expired, and the audit log has no line of it yet. */
  expiryUnrecorded?: true;
  /**
   * When the tenant is notified that the case still waits; absent once it was, or if it is not
   * wanted.
   */
  noticeAt?: Date;
}

/** A change of a case, and the decision to announce if it is final. */
export interface AdjudicationChange {
  set: Partial<AdjudicationCase>;
  unset?: readonly (keyof Pick<
    AdjudicationCase,
    'claimedBy' | 'claimedAt' | 'claimedUntil' | 'sealedFields' | 'similarity' | 'noticeAt' | 'expiryUnrecorded'
  >)[];
  waiting?: DataOf<typeof adjudicationWaiting>;
  decided?: DataOf<typeof adjudicationDecided>;
}

/** The members of a case that its request and its withdrawal give alike. */
export const arrivedCase = <Data extends { caseId: string; expiresAt: string }>(
  { tenantId, identityId }: Pick<AdjudicationCase, 'tenantId' | 'identityId'>,
  { caseId, expiresAt, ...rest }: Data,
) => ({ ...rest, _id: caseId, revision: 0, tenantId, identityId, expiresAt: parseDateTime(expiresAt), decisions: [] });

/** What a claim is made of. */
export const NO_CLAIM = ['claimedBy', 'claimedAt', 'claimedUntil'] as const;

/** What is announced of a case that operators decided, or that expired. */
export const decidedData = (
  adjudication: AdjudicationCase,
  decision: 'ACCEPT' | 'REJECT' | 'EXPIRED',
  decisions: OperatorDecision[],
  now: Date,
) => ({
  caseId: adjudication._id,
  evidenceId: adjudication.evidenceId,
  decision,
  reasons: [...new Set(decisions.flatMap(({ reasons }) => reasons))],
  decidedAt: formatDateTime(now),
  details: decisions,
});
