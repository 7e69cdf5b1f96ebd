import { table } from '@assay/contracts/table';
import { capital } from '@assay/contracts/words';
import type { CaseSummary } from './api.ts';
import { outcomeInWords } from './words.ts';

/* What the operator who looks at a case can do with it, and how the page says so. */

export const decidedBy = ({ decisions }: CaseSummary, operatorId: string): boolean =>
  decisions.some((made) => made.operatorId === operatorId);

export type Availability = 'free' | 'mine' | 'taken' | 'awaits-another' | 'expired' | 'decided';

/**
 * `awaits-another`: this operator has decided, and a second one must. `expired`: the time for the
 * case is over, and the service has not ended it yet.
 */
export const availabilityOf = (summary: CaseSummary, operatorId: string, secondsLeft: number): Availability => {
  if (summary.state === 'DECIDED') return 'decided';
  if (secondsLeft <= 0) return 'expired';
  if (decidedBy(summary, operatorId)) return 'awaits-another';
  if (summary.state === 'OPEN') return 'free';
  return summary.claimedBy === operatorId ? 'mine' : 'taken';
};

const REFUSED: Record<Availability, string> = {
  free: 'Your claim has lapsed. Claim the case again to decide it.',
  mine: 'The case has changed meanwhile. Try again.',
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
