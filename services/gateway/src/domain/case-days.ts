import { type CaseDay, type CaseOperatorDay, type CaseReasonDay, formatDateTime, present } from '@assay/contracts';
import type { AdjudicationCase, OperatorDecision } from './adjudication-case.ts';

/** The part of a case that the statistics by day need. */
export type Dated = Pick<AdjudicationCase, 'requestedAt' | 'outcome' | 'decidedAt'>;

/** Why a case was opened, and who decided it. */
export type Attributed = Dated & {
  reasons: readonly string[];
  decisions: readonly Pick<OperatorDecision, 'operatorId' | 'decision' | 'startTime' | 'endTime'>[];
};

const DAY_MS = 24 * 3600 * 1000;
const dayOf = (at: Date): string => formatDateTime(at).slice(0, 10);

/** The days up to today (UTC), oldest first. */
const datesUpTo = (now: Date, count: number): string[] =>
  Array.from({ length: count }, (_, at) => dayOf(new Date(now.getTime() - (count - 1 - at) * DAY_MS)));

/** When the first of these days begins, as stored. */
export const beginOfDays = (now: Date, count: number): string => `${datesUpTo(now, count)[0]}T00:00:00.000`;

const median = (seconds: readonly number[]): number | undefined =>
  seconds.toSorted((a, b) => a - b)[Math.floor(seconds.length / 2)];

/** How long operators took from their claim to their decision; undefined of no decision. */
export const medianDecisionSeconds = (
  decisions: readonly Pick<OperatorDecision, 'startTime' | 'endTime'>[],
): number | undefined =>
  median(decisions.map(({ startTime, endTime }) => (Date.parse(`${endTime}Z`) - Date.parse(`${startTime}Z`)) / 1000));

const waitOf = ({ requestedAt, decidedAt }: Dated): number =>
  ((decidedAt?.getTime() ?? 0) - Date.parse(`${requestedAt}Z`)) / 1000;

const endedOn = ({ decidedAt }: Dated, date: string): boolean => decidedAt !== undefined && dayOf(decidedAt) === date;

/** A case counts on the day it was opened and on the day it ended. */
const resultsOn = (cases: readonly Dated[], date: string) => {
  const ended = cases.filter((each) => endedOn(each, date));
  const by = (outcome: string): number => ended.filter((each) => each.outcome === outcome).length;
  const [accepted, rejected] = [by('ACCEPT'), by('REJECT')];
  return {
    opened: cases.filter(({ requestedAt }) => requestedAt.startsWith(date)).length,
    accepted,
    rejected,
    undecided: ended.length - accepted - rejected,
  };
};

/** Cases opened and decided on each day. */
export const caseDays = (cases: readonly Dated[], now: Date, count: number): CaseDay[] =>
  datesUpTo(now, count).map((date) => {
    const decided = cases.filter(
      (each) => endedOn(each, date) && (each.outcome === 'ACCEPT' || each.outcome === 'REJECT'),
    );
    return { date, ...resultsOn(cases, date), ...present({ medianWaitSeconds: median(decided.map(waitOf)) }) };
  });

/** The results of the cases of each reason, day by day; days without any are left out. */
export const reasonDays = (cases: readonly Attributed[], now: Date, count: number): CaseReasonDay[] =>
  datesUpTo(now, count).flatMap((date) => {
    const touched = cases.filter((each) => each.requestedAt.startsWith(date) || endedOn(each, date));
    return [...new Set(touched.flatMap(({ reasons }) => reasons))].sort().map((reason) => {
      const own = touched.filter(({ reasons }) => reasons.includes(reason));
      return { date, reason, ...resultsOn(own, date) };
    });
  });

/** The decisions of each operator, day by day: with four eyes, each of the two counts. */
export const operatorDays = (cases: readonly Attributed[], now: Date, count: number): CaseOperatorDay[] =>
  datesUpTo(now, count).flatMap((date) => {
    const made = cases.flatMap(({ decisions }) => decisions.filter(({ endTime }) => endTime.startsWith(date)));
    return [...new Set(made.map(({ operatorId }) => operatorId))].sort().map((operatorId) => {
      const own = made.filter((each) => each.operatorId === operatorId);
      const by = (decision: string): number => own.filter((each) => each.decision === decision).length;
      return {
        date,
        operatorId,
        accepted: by('ACCEPT'),
        rejected: by('REJECT'),
        medianDecisionSeconds: medianDecisionSeconds(own) ?? 0,
      };
    });
  });
