import { type DocumentText, type HealthCard, isOver, type Today } from '@assay/contracts';
import { type IssuerAnswer, wasConfirmed } from './confirmation.ts';

/** A green health card expires at the end of a month: its day is of no meaning. */
const lastDay = (question: DocumentText | HealthCard): string | undefined => {
  const { expiryDate } = question;
  return 'cardType' in question && question.cardType === 'G' && expiryDate
    ? `${expiryDate.slice(0, 7)}-31`
    : expiryDate;
};

/**
 * Whether a document that is stated, not seen, has expired on a day; nothing where no expiry is
 * stated. That it has not is the client's word until its issuer confirms the date.
 */
export const expiryIndicators = (question: DocumentText | HealthCard, today: Today): string[] => {
  const until = lastDay(question);
  if (until === undefined) return [];
  return [isOver(until, today) ? 'DOC_EXPIRATION_DATE_FAILED' : 'DOC_EXPIRATION_DATE_UNVERIFIED'];
};

/** A document that had expired was not asked about: a date that its issuer confirms has not passed. */
export const confirmedExpiry = (answer: IssuerAnswer): string[] =>
  wasConfirmed(answer, 'expiryDate') ? ['DOC_EXPIRATION_DATE_OK'] : [];
