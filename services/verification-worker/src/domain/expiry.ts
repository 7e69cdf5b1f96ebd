import { type DocumentText, type HealthCard, isOver, type Today } from '@assay/contracts';
import { type IssuerAnswer, wasConfirmed } from './confirmation.ts';

interface Expiring {
  expiryDate?: string;
  cardType?: string;
}

/** A green health card expires at the end of a month: the day in its date has no meaning. */
export const lastDayOf = ({ expiryDate, cardType }: Expiring): string | undefined => {
  if (cardType !== 'G' || !expiryDate) return expiryDate;
  const [year, month] = expiryDate.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
};

/**
 * Whether a document that a client states, and nobody saw, has expired on a day; undefined if no
 * expiry is stated. That it has not expired is unconfirmed until its issuer confirms the date.
 */
export const expiryIndicators = (question: DocumentText | HealthCard, today: Today): string[] => {
  const until = lastDayOf(question);
  if (until === undefined) return [];
  return [isOver(until, today) ? 'DOC_EXPIRATION_DATE_FAILED' : 'DOC_EXPIRATION_DATE_UNVERIFIED'];
};

/**
 * The issuer is not asked about an expired document: so a date that the issuer confirms has not
 * passed.
 */
export const confirmedExpiry = (answer: IssuerAnswer): string[] =>
  wasConfirmed(answer, 'expiryDate') ? ['DOC_EXPIRATION_DATE_OK'] : [];
