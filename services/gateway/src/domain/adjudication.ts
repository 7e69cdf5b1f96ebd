import {
  type adjudicationDecided,
  type adjudicationWaiting,
  type adjudicationWithdrawn,
  type CaseClosing,
  type CaseState,
  type ChipFound,
  type DataOf,
  type DecisionValue,
  formatDateTime,
  OPERATOR_REASONS,
  parseDateTime,
  present,
  type Similarity,
} from '@assay/contracts';
import { CLAIM_SECONDS } from '@assay/contracts/claim';
import { conflict, isRefusal, type Refusal, refuse } from './change.ts';
import { type Identity, secondsAfter } from './identity.ts';
import { areTwo, isPersonId } from './person.ts';

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
  /**
   * When the tenant is notified that the case still waits; absent once it was, or if it is not
   * wanted.
   */
  noticeAt?: Date;
}

/** A change of a case, and the decision to announce if it is final. */
export interface AdjudicationChange {
  set: Partial<AdjudicationCase>;
  unset?: readonly ('claimedBy' | 'claimedAt' | 'claimedUntil' | 'sealedFields' | 'similarity' | 'noticeAt')[];
  waiting?: DataOf<typeof adjudicationWaiting>;
  decided?: DataOf<typeof adjudicationDecided>;
}

const NO_CLAIM = ['claimedBy', 'claimedAt', 'claimedUntil'] as const;

const whyOver = ({ state, expiresAt }: AdjudicationCase, now: Date): Refusal | undefined =>
  state === 'DECIDED' || expiresAt <= now ? conflict('the case is decided, or its time is over') : undefined;

const lapsed = ({ claimedUntil }: AdjudicationCase, now: Date): boolean =>
  claimedUntil !== undefined && claimedUntil <= now;

/** Why an operator cannot decide after those who have: they may be the same person. */
const whyNotSecond = ({ decisions }: AdjudicationCase, operatorId: string): Refusal | undefined => {
  const same = decisions.find((made) => !areTwo(made.operatorId, operatorId));
  if (!same) return undefined;
  if (same.operatorId === operatorId) return conflict('you have decided this case: somebody else has to decide next');
  const words = isPersonId(operatorId) ? 'the first decision was made with' : 'a person has decided, and this is';
  return conflict(`${words} a key that names nobody: they may be one person`);
};

/**
 * An operator claims a case. With four eyes, nobody decides twice. Claiming a case again that one
 * has claimed renews the claim.
 */
export const claim = (adjudication: AdjudicationCase, operatorId: string, now: Date): AdjudicationChange | Refusal => {
  const refused = whyOver(adjudication, now) ?? whyNotSecond(adjudication, operatorId);
  if (refused) return refused;
  const taken = adjudication.state === 'CLAIMED' && adjudication.claimedBy !== operatorId && !lapsed(adjudication, now);
  if (taken) return conflict('another operator has claimed the case');
  return {
    set: {
      state: 'CLAIMED',
      claimedBy: operatorId,
      claimedAt: adjudication.claimedBy === operatorId && adjudication.claimedAt ? adjudication.claimedAt : now,
      claimedUntil: secondsAfter(now, CLAIM_SECONDS),
    },
  };
};

const decidedData = (
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

/**
 * The result of all decisions so far; undefined if four eyes need another one. One rejection is
 * enough to reject.
 */
const outcomeOf = ({ fourEyes }: AdjudicationCase, decisions: OperatorDecision[]): DecisionValue | undefined => {
  if (fourEyes && decisions.length < 2) return undefined;
  return decisions.every(({ decision }) => decision === 'ACCEPT') ? 'ACCEPT' : 'REJECT';
};

export interface DecisionInput {
  operatorId: string;
  decision: DecisionValue;
  reasons: string[];
  sealedComment?: string;
}

/**
 * The operator who claimed the case decides. A rejection names its reasons, each an indicator of
 * the adjudication group.
 */
export const decide = (adjudication: AdjudicationCase, by: DecisionInput, now: Date): AdjudicationChange | Refusal => {
  const claimed = claim(adjudication, by.operatorId, now);
  if (isRefusal(claimed)) return claimed;
  if (adjudication.claimedBy !== by.operatorId) return conflict('claim the case first');
  const known: readonly string[] = OPERATOR_REASONS;
  if (by.decision === 'REJECT' && by.reasons.length === 0)
    return refuse('BAD_FIELD', 'reasons', `a rejection names at least one of ${known.join(', ')}`);
  if (by.reasons.some((reason) => !known.includes(reason)))
    return refuse('BAD_FIELD', 'reasons', `must be of ${known.join(', ')}`);
  const { operatorId, decision, reasons, sealedComment } = by;
  const made: OperatorDecision = {
    ...{ operatorId, decision, reasons, ...present({ sealedComment }) },
    startTime: formatDateTime(adjudication.claimedAt ?? now),
    endTime: formatDateTime(now),
  };
  const decisions = [...adjudication.decisions, made];
  const outcome = outcomeOf(adjudication, decisions);
  if (!outcome) return { set: { state: 'OPEN', decisions }, unset: NO_CLAIM };
  return {
    set: { state: 'DECIDED', decisions, outcome, decidedAt: now },
    unset: NO_CLAIM,
    decided: decidedData(adjudication, outcome, decisions, now),
  };
};

/** Adds a chip that was read since. Who claimed the case has not seen it: the claim ends. */
export const withChips = (
  { state, media, chips = [] }: AdjudicationCase,
  read: Pick<AdjudicationCase, 'media' | 'chips'>,
): AdjudicationChange | undefined => {
  const added = (read.chips ?? []).filter(({ evidenceId }) => !chips.some((known) => known.evidenceId === evidenceId));
  if (state === 'DECIDED' || added.length === 0) return undefined;
  const pictures = read.media.filter(({ mediaId }) => !media.some((shown) => shown.mediaId === mediaId));
  const set = { state: 'OPEN' as const, media: [...media, ...pictures], chips: [...chips, ...added] };
  return { set, unset: NO_CLAIM };
};

/** No operator decided in time. */
export const expireCase = (adjudication: AdjudicationCase, now: Date): AdjudicationChange | undefined =>
  adjudication.state === 'DECIDED' || adjudication.expiresAt > now
    ? undefined
    : {
        set: { state: 'DECIDED', outcome: 'EXPIRED', decidedAt: now },
        unset: NO_CLAIM,
        decided: decidedData(adjudication, 'EXPIRED', adjudication.decisions, now),
      };

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
  { tenantId, identityId }: Pick<AdjudicationCase, 'tenantId' | 'identityId'>,
  { caseId, expiresAt, withdrawnAt, reason, ...rest }: DataOf<typeof adjudicationWithdrawn>,
): AdjudicationCase => ({
  ...rest,
  _id: caseId,
  revision: 0,
  tenantId,
  identityId,
  expiresAt: parseDateTime(expiresAt),
  raisedIndicators: [],
  reasons: [],
  media: [],
  state: 'DECIDED',
  decisions: [],
  outcome: 'CLOSED',
  closedBecause: reason,
  decidedAt: parseDateTime(withdrawnAt),
});
