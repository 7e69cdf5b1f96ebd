import { CLAIM_SECONDS } from '@assay/contracts/claim';
import { type CaseView, ownId } from './api.ts';
import { type Availability, outcomeMeans } from './availability.ts';
import { ago, chosenInWords, outcomeInWords } from './words.ts';

const CLAIM = `${CLAIM_SECONDS / 60} minutes`;
const STANDS: Record<Availability, string> = {
  free: '',
  mine: `You have this case for ${CLAIM}.`,
  lapsed: 'Your claim has lapsed: another operator may claim this case. Decide now, or claim it again.',
  taken: `Another operator has this case. A claim lapses after ${CLAIM}.`,
  'awaits-another': 'You have decided. A second operator must now.',
  expired: 'Time is over: no operator decided, and the evidence is not verified.',
  decided: '',
};

const availabilityInWords = ({ claimedByName }: CaseView, availability: Availability): string =>
  availability === 'taken' && claimedByName
    ? STANDS.taken.replace('Another operator', claimedByName)
    : STANDS[availability];

/** The state of the case, and what was decided by whom. */
export const Progress = ({ view, availability }: { view: CaseView; availability: Availability }) => (
  <>
    {view.fourEyes && availability !== 'decided' && (
      <p>
        Two operators decide this case, and it is accepted if both accept.
        {view.decisions.length > 0 && ' One has decided:'}
      </p>
    )}
    <ol class="history">
      {view.decisions.map(({ at, operatorId, operatorName, decision, reasons, comment }) => (
        <li key={at}>
          {operatorId === ownId() ? 'You' : (operatorName ?? 'Another operator')} {outcomeInWords(decision)} {ago(at)}
          {reasons.length > 0 && `: ${reasons.map(chosenInWords).join('; ')}`}
          {comment && <blockquote>{comment}</blockquote>}
        </li>
      ))}
    </ol>
    <p role="status">{availability === 'decided' ? outcomeMeans(view) : availabilityInWords(view, availability)}</p>
  </>
);

const endOf = ({ decision, closedBecause }: CaseView): string =>
  `${closedBecause ? '' : 'decided: '}${outcomeInWords(decision, closedBecause)}`;
export const timeOf = (view: CaseView, availability: Availability): string =>
  availability === 'decided'
    ? endOf(view)
    : `${availability === 'expired' ? 'expired' : 'expires'} ${ago(view.expiresAt)}`;
