import type { CaseSummary } from '@assay/contracts/operator';
import { table } from '@assay/contracts/table';
import { capital } from '@assay/contracts/words';
import { outcomeInWords, secondsSince } from './words.ts';

/* What the operator who looks at a case can do with it, and how the page says so. */

export const decidedBy = ({ decisions }: CaseSummary, operatorId: string): boolean =>
  decisions.some((made) => made.operatorId === operatorId);

/** A claim whose time is over: the service leaves it to whoever made it until another claims. */
export const hasLapsed = ({ claimedUntil }: CaseSummary, now?: number): boolean =>
  claimedUntil !== undefined && secondsSince(claimedUntil, now) >= 0;

export type Availability = 'free' | 'mine' | 'lapsed' | 'taken' | 'awaits-another' | 'expired' | 'decided';

/**
 * `lapsed`: this operator claimed the case, and another may claim it by now. `awaits-another`: this
 * operator has decided, and a second one must. `expired`: the time for the case is over, and the
 * service has not ended it yet.
 */
export const availabilityOf = (summary: CaseSummary, operatorId: string, now?: number): Availability => {
  if (summary.state === 'DECIDED') return 'decided';
  if (secondsSince(summary.expiresAt, now) >= 0) return 'expired';
  if (decidedBy(summary, operatorId)) return 'awaits-another';
  if (summary.state === 'OPEN') return 'free';
  if (summary.claimedBy === operatorId) return hasLapsed(summary, now) ? 'lapsed' : 'mine';
  return hasLapsed(summary, now) ? 'free' : 'taken';
};

const REFUSED: Record<Availability, string> = {
  free: 'Your claim has lapsed. Claim the case again to decide it.',
  mine: 'The case has changed meanwhile. Try again.',
  lapsed: 'The case has changed meanwhile. Try again.',
  taken: 'Another operator has claimed this case, and the claim has not lapsed.',
  'awaits-another': 'You have decided this case; a second operator must now.',
  expired: 'Too late: the time for this case is over.',
  decided: 'Too late: this case was decided already',
};
/** Why the service refused a claim or a decision, as the case is now. */
export const refusalInWords = (summary: CaseSummary, availability: Availability): string =>
  availability === 'decided'
    ? `${REFUSED.decided} (${outcomeInWords(summary.decision, summary.closedBecause)}).`
    : REFUSED[availability];

/** What an outcome means for the evidence. */
const MEANING = table<string>({
  ACCEPT: 'Accepted: the evidence is evaluated with this acceptance.',
  REJECT: 'Rejected: the evidence is invalid.',
  EXPIRED: 'No operator decided in time: the evidence is not verified.',
});
export const outcomeMeans = ({ decision, decisions, closedBecause }: CaseSummary): string => {
  if (decision === 'CLOSED') return `${capital(outcomeInWords(decision, closedBecause))}.`;
  const differ = new Set(decisions.map((made) => made.decision)).size > 1;
  return `${MEANING[decision ?? ''] ?? ''}${differ ? ' The operators disagreed, and one rejection is enough.' : ''}`;
};
