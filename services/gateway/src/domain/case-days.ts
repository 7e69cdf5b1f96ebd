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

const groupsOf = <T>(all: readonly T[], groupIn: (one: T) => string | undefined): ReadonlyMap<string, T[]> => {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const name = groupIn(one);
    if (name === undefined) continue;
    const group = groups.get(name);
    if (group) group.push(one);
    else groups.set(name, [one]);
  }
  return groups;
};

/** What there is of each day: every case is looked at once, however many days there are. */
const byDay = <T>(all: readonly T[], dayIn: (one: T) => string | undefined) => {
  const days = groupsOf(all, dayIn);
  return (date: string): readonly T[] => days.get(date) ?? [];
};

/** A case counts on the day it was opened and on the day it ended. */
const casesByDay = <Case extends Dated>(cases: readonly Case[]) => ({
  openedOn: byDay(cases, ({ requestedAt }) => requestedAt.slice(0, 10)),
  endedOn: byDay(cases, ({ decidedAt }) => decidedAt && dayOf(decidedAt)),
});

const resultsOf = (opened: readonly Dated[], ended: readonly Dated[]) => {
  const by = (outcome: string): number => ended.filter((each) => each.outcome === outcome).length;
  const [accepted, rejected] = [by('ACCEPT'), by('REJECT')];
  return { opened: opened.length, accepted, rejected, undecided: ended.length - accepted - rejected };
};

/** Cases opened and decided on each day. */
export const caseDays = (cases: readonly Dated[], now: Date, count: number): CaseDay[] => {
  const { openedOn, endedOn } = casesByDay(cases);
  return datesUpTo(now, count).map((date) => {
    const ended = endedOn(date);
    const decided = ended.filter(({ outcome }) => outcome === 'ACCEPT' || outcome === 'REJECT');
    const wait = present({ medianWaitSeconds: median(decided.map(waitOf)) });
    return { date, ...resultsOf(openedOn(date), ended), ...wait };
  });
};

/** The results of the cases of each reason, day by day; days without any are left out. */
export const reasonDays = (cases: readonly Attributed[], now: Date, count: number): CaseReasonDay[] => {
  const { openedOn, endedOn } = casesByDay(cases);
  return datesUpTo(now, count).flatMap((date) => {
    const [opened, ended] = [openedOn(date), endedOn(date)];
    const known = new Set([...opened, ...ended].flatMap(({ reasons }) => reasons));
    return [...known].sort().map((reason) => {
      const hasIt = ({ reasons }: Attributed): boolean => reasons.includes(reason);
      return { date, reason, ...resultsOf(opened.filter(hasIt), ended.filter(hasIt)) };
    });
  });
};

/** The decisions of each operator, day by day: with four eyes, each of the two counts. */
export const operatorDays = (cases: readonly Attributed[], now: Date, count: number): CaseOperatorDay[] => {
  const madeOn = byDay(
    cases.flatMap(({ decisions }) => decisions),
    ({ endTime }) => endTime.slice(0, 10),
  );
  return datesUpTo(now, count).flatMap((date) => {
    const operators = groupsOf(madeOn(date), ({ operatorId }) => operatorId);
    return [...operators.keys()].sort().map((operatorId) => {
      const own = operators.get(operatorId) ?? [];
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
};
