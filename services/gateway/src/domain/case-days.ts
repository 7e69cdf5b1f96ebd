import { type CaseDay, formatDateTime, present } from '@assay/contracts';
import type { AdjudicationCase } from './adjudication.ts';

/** The part of a case that its days are counted by. */
export type Dated = Pick<AdjudicationCase, 'requestedAt' | 'outcome' | 'decidedAt'>;

const DAY_MS = 24 * 3600 * 1000;
const dayOf = (at: Date): string => formatDateTime(at).slice(0, 10);

/** The days up to today (UTC), oldest first. */
const datesUpTo = (now: Date, count: number): string[] =>
  Array.from({ length: count }, (_, at) => dayOf(new Date(now.getTime() - (count - 1 - at) * DAY_MS)));

/** When the first of these days began, in the form of the wire. */
export const beginOfDays = (now: Date, count: number): string => `${datesUpTo(now, count)[0]}T00:00:00.000`;

const median = (seconds: number[]): number | undefined => seconds.sort((a, b) => a - b)[Math.floor(seconds.length / 2)];

const waitOf = ({ requestedAt, decidedAt }: Dated): number =>
  ((decidedAt?.getTime() ?? 0) - Date.parse(`${requestedAt}Z`)) / 1000;

/**
 * What came and what was decided on each day. A case counts as opened when it came, as decided when
 * it ended.
 */
export const caseDays = (cases: readonly Dated[], now: Date, count: number): CaseDay[] =>
  datesUpTo(now, count).map((date) => {
    const ended = cases.filter(({ decidedAt }) => decidedAt && dayOf(decidedAt) === date);
    const by = (outcome: string): number => ended.filter((each) => each.outcome === outcome).length;
    const [accepted, rejected] = [by('ACCEPT'), by('REJECT')];
    const wait = median(ended.filter(({ outcome }) => outcome === 'ACCEPT' || outcome === 'REJECT').map(waitOf));
    return {
      date,
      opened: cases.filter(({ requestedAt }) => requestedAt.startsWith(date)).length,
      accepted,
      rejected,
      undecided: ended.length - accepted - rejected,
      ...present({ medianWaitSeconds: wait }),
    };
  });
