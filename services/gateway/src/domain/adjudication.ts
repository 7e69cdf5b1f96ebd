import {
  type adjudicationDecided,
  type CaseState,
  type ChipFound,
  type DataOf,
  formatDateTime,
  OPERATOR_REASONS,
  type OperatorDecision,
} from '@assay/contracts';
import { CLAIM_SECONDS } from '@assay/contracts/claim';
import { type Refusal, refuse } from './change.ts';
import { secondsAfter } from './identity.ts';

/** What one operator decided. */
export interface DecisionMade {
  operatorId: string;
  decision: OperatorDecision;
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
  sealedFields?: string;
  state: CaseState;
  claimedBy?: string;
  claimedAt?: Date;
  claimedUntil?: Date;
  decisions: DecisionMade[];
  outcome?: OperatorDecision | 'EXPIRED' | 'CLOSED';
  decidedAt?: Date;
}

/** A change of a case, and the decision to announce where it is final. */
export interface CaseChange {
  set: Partial<AdjudicationCase>;
  unset?: readonly ('claimedBy' | 'claimedAt' | 'claimedUntil' | 'sealedFields')[];
  decided?: DataOf<typeof adjudicationDecided>;
}

const NO_CLAIM = ['claimedBy', 'claimedAt', 'claimedUntil'] as const;

const lapsed = ({ claimedUntil }: AdjudicationCase, now: Date): boolean =>
  claimedUntil !== undefined && claimedUntil <= now;

/** An operator takes a case on. With four eyes nobody decides twice. Claiming one's own claim again renews it. */
export const claim = (of: AdjudicationCase, operatorId: string, now: Date): CaseChange | Refusal => {
  if (of.state === 'DECIDED' || of.expiresAt <= now) return refuse('STATE_CONFLICT');
  if (of.decisions.some((made) => made.operatorId === operatorId)) return refuse('STATE_CONFLICT');
  const taken = of.state === 'CLAIMED' && of.claimedBy !== operatorId && !lapsed(of, now);
  if (taken) return refuse('STATE_CONFLICT');
  return {
    set: {
      state: 'CLAIMED',
      claimedBy: operatorId,
      claimedAt: of.claimedBy === operatorId && of.claimedAt ? of.claimedAt : now,
      claimedUntil: secondsAfter(now, CLAIM_SECONDS),
    },
  };
};

const announced = (
  of: AdjudicationCase,
  decision: 'ACCEPT' | 'REJECT' | 'EXPIRED',
  decisions: DecisionMade[],
  now: Date,
) => ({
  caseId: of._id,
  evidenceId: of.evidenceId,
  decision,
  reasons: [...new Set(decisions.flatMap(({ reasons }) => reasons))],
  decidedAt: formatDateTime(now),
  details: decisions,
});

/** The outcome of all decisions so far; undefined while four eyes still miss two. One rejection is enough to reject. */
const outcomeOf = ({ fourEyes }: AdjudicationCase, decisions: DecisionMade[]): OperatorDecision | undefined => {
  if (fourEyes && decisions.length < 2) return undefined;
  return decisions.every(({ decision }) => decision === 'ACCEPT') ? 'ACCEPT' : 'REJECT';
};

export interface OperatorsDecision {
  operatorId: string;
  decision: OperatorDecision;
  reasons: string[];
  sealedComment?: string;
}

/** The operator who claimed the case decides. A rejection names its reasons, each an indicator of the adjudication group. */
export const decide = (of: AdjudicationCase, by: OperatorsDecision, now: Date): CaseChange | Refusal => {
  if (of.state !== 'CLAIMED' || of.claimedBy !== by.operatorId || of.expiresAt <= now) return refuse('STATE_CONFLICT');
  const known: readonly string[] = OPERATOR_REASONS;
  if (by.decision === 'REJECT' && by.reasons.length === 0)
    return refuse('BAD_FIELD', 'reasons', `a rejection names at least one of ${known.join(', ')}`);
  if (by.reasons.some((reason) => !known.includes(reason))) return refuse('BAD_FIELD', 'reasons');
  const made: DecisionMade = { ...by, startTime: formatDateTime(of.claimedAt ?? now), endTime: formatDateTime(now) };
  const decisions = [...of.decisions, made];
  const outcome = outcomeOf(of, decisions);
  if (!outcome) return { set: { state: 'OPEN', decisions }, unset: NO_CLAIM };
  return {
    set: { state: 'DECIDED', decisions, outcome, decidedAt: now },
    unset: NO_CLAIM,
    decided: announced(of, outcome, decisions, now),
  };
};

/** A chip was read since operators were asked: its findings and pictures join the open case. A repeat, however old, brings nothing new and takes nothing away. */
export const withChips = (
  of: AdjudicationCase,
  { media, chips = [] }: Pick<AdjudicationCase, 'media' | 'chips'>,
): CaseChange | undefined => {
  const known = of.chips ?? [];
  const news = chips.filter(({ evidenceId }) => !known.some((chip) => chip.evidenceId === evidenceId));
  if (of.state === 'DECIDED' || news.length === 0) return undefined;
  const pictures = media.filter(({ mediaId }) => !of.media.some((shown) => shown.mediaId === mediaId));
  return { set: { media: [...of.media, ...pictures], chips: [...known, ...news] } };
};

/** Nobody decided in time. */
export const expireCase = (of: AdjudicationCase, now: Date): CaseChange | undefined =>
  of.state === 'DECIDED' || of.expiresAt > now
    ? undefined
    : {
        set: { state: 'DECIDED', outcome: 'EXPIRED', decidedAt: now },
        unset: NO_CLAIM,
        decided: announced(of, 'EXPIRED', of.decisions, now),
      };

/** The identity is closed: what was read goes, what was decided stays for the figures. */
export const closeCase = (of: AdjudicationCase, now: Date): CaseChange => ({
  set: {
    media: [],
    chips: [],
    raisedIndicators: [],
    decisions: of.decisions.map(({ sealedComment: _gone, ...made }) => made),
    ...(of.state === 'DECIDED' ? {} : { state: 'DECIDED' as const, outcome: 'CLOSED' as const, decidedAt: now }),
  },
  unset: [...NO_CLAIM, 'sealedFields'],
});
