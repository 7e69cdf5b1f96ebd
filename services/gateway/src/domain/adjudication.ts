import { type DecisionValue, formatDateTime, OPERATOR_REASONS, present } from '@assay/contracts';
import { CLAIM_SECONDS } from '@assay/contracts/claim';
import {
  type AdjudicationCase,
  type AdjudicationChange,
  decidedData,
  NO_CLAIM,
  type OperatorDecision,
} from './adjudication-case.ts';
import { conflict, isRefusal, type Refusal, refuse } from './change.ts';
import { secondsAfter } from './identity.ts';
import { areTwo, isPersonId, refusalOfKey } from './person.ts';

const whyOver = ({ state, expiresAt }: AdjudicationCase, now: Date): Refusal | undefined =>
  state === 'DECIDED' || expiresAt <= now ? conflict('the case is decided, or its time is over') : undefined;

const lapsed = ({ claimedUntil }: AdjudicationCase, now: Date): boolean =>
  claimedUntil !== undefined && claimedUntil <= now;

/**
 * The decisions that count as those of two. If only people may decide now, one that a key made
 * before, and that names nobody, is none of them.
 */
const countingOf = (peopleOnly: boolean, decisions: readonly OperatorDecision[]): readonly OperatorDecision[] =>
  peopleOnly ? decisions.filter(({ operatorId }) => isPersonId(operatorId)) : decisions;

/** Why an operator cannot decide after those who have: they may be the same person. */
const whyNotSecond = (
  { decisions }: AdjudicationCase,
  operatorId: string,
  peopleOnly: boolean,
): Refusal | undefined => {
  const same = countingOf(peopleOnly, decisions).find((made) => !areTwo(made.operatorId, operatorId));
  if (!same) return undefined;
  if (same.operatorId === operatorId) return conflict('you have decided this case: somebody else has to decide next');
  const words = isPersonId(operatorId) ? 'the first decision was made with' : 'a person has decided, and this is';
  return conflict(`${words} a key that names nobody: they may be one person`);
};

/**
 * An operator claims a case. With four eyes, nobody decides twice. Claiming a case again that one
 * has claimed renews the claim. `peopleOnly` is the present setting of the tenant.
 */
export const claim = (
  adjudication: AdjudicationCase,
  operatorId: string,
  now: Date,
  peopleOnly = false,
): AdjudicationChange | Refusal => {
  const refused =
    refusalOfKey(operatorId, peopleOnly) ??
    whyOver(adjudication, now) ??
    whyNotSecond(adjudication, operatorId, peopleOnly);
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

/**
 * The result of all decisions so far; undefined if four eyes need another one. One rejection is
 * enough to reject, also one that does not count as that of the two.
 */
const outcomeOf = (
  { fourEyes }: AdjudicationCase,
  decisions: OperatorDecision[],
  peopleOnly: boolean,
): DecisionValue | undefined => {
  if (fourEyes && countingOf(peopleOnly, decisions).length < 2) return undefined;
  return decisions.every(({ decision }) => decision === 'ACCEPT') ? 'ACCEPT' : 'REJECT';
};

export interface DecisionInput {
  operatorId: string;
  decision: DecisionValue;
  reasons: string[];
  sealedComment?: string;
  /** The present setting of the tenant; false by default. */
  peopleOnly?: boolean;
}

/**
 * The operator who claimed the case decides. A rejection names its reasons, each an indicator of
 * the adjudication group.
 */
export const decide = (adjudication: AdjudicationCase, by: DecisionInput, now: Date): AdjudicationChange | Refusal => {
  const { peopleOnly = false } = by;
  const claimed = claim(adjudication, by.operatorId, now, peopleOnly);
  if (isRefusal(claimed)) return claimed;
  if (adjudication.claimedBy !== by.operatorId) return conflict('claim the case first');
  const known: readonly string[] = OPERATOR_REASONS;
  if (by.decision === 'REJECT' && by.reasons.length === 0)
    return refuse('BAD_FIELD', 'reasons', `a rejection names at least one of ${known.join(', ')}`);
  if (by.reasons.some((reason) => !known.includes(reason)))
    return refuse('BAD_FIELD', 'reasons', `must be of ${known.join(', ')}`);
  const { operatorId, decision, reasons, sealedComment } = by;
  const made: OperatorDecision = {
    operatorId,
    decision,
    reasons,
    ...present({ sealedComment }),
    startTime: formatDateTime(adjudication.claimedAt ?? now),
    endTime: formatDateTime(now),
  };
  const decisions = [...adjudication.decisions, made];
  const outcome = outcomeOf(adjudication, decisions, peopleOnly);
  if (!outcome) return { set: { state: 'OPEN', decisions }, unset: NO_CLAIM };
  return {
    set: { state: 'DECIDED', decisions, outcome, decidedAt: now },
    unset: NO_CLAIM,
    decided: decidedData(adjudication, outcome, decisions, now),
  };
};

/** Whether an operator has made this decision: nobody makes two about one case. */
export const hasDecided = (
  { decisions }: Pick<AdjudicationCase, 'decisions'>,
  { operatorId, decision, reasons }: Omit<DecisionInput, 'sealedComment' | 'peopleOnly'>,
): boolean =>
  decisions.some(
    (made) => made.operatorId === operatorId && made.decision === decision && made.reasons.join() === reasons.join(),
  );

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
