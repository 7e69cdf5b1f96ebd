import { beginsAt, endsAt, formatDateTime, isCalendarDate, parseDateTime, pastFrom } from '@assay/contracts';
import type { Case, CaseEvidence } from './case.ts';
import type { EvidenceData } from './evidence-data.ts';
import { lastDayOf } from './expiry.ts';
import { isDocument } from './facts.ts';

const DAY_MS = 24 * 3_600_000;
/** Days further away than this are not stored: they would reveal when a document expires. */
const FORESEEN_DAYS = 30;
/** The end of the day, so that further evaluations on that day do not change the index. */
const horizonOf = (at: Date): Date => new Date((Math.floor(at.getTime() / DAY_MS) + FORESEEN_DAYS) * DAY_MS);

/** A case, and the dates that an evaluation made now depends on. */
export interface Dated<C extends Case> {
  current: C;
  /** The evaluation is valid until then: a consent begins or ends, or a document expires. */
  lapsesAt?: string;
}

const consentDays = ({ consents, evidences }: Case): Date[] =>
  [consents.known, ...evidences.map((evidence) => evidence.consents)].flat().flatMap(({ validityPeriod }) => {
    const { from, to } = validityPeriod ?? {};
    return [...(from ? [beginsAt(from)] : []), ...(to ? [pastFrom(to)] : [])];
  });

const raises = ({ participants }: CaseEvidence, indicator: string): boolean =>
  participants.some(({ raisedIndicators = [] }) => raisedIndicators.includes(indicator));

/**
 * When a document expires that has not expired yet. The date of an image or a chip counts if it is
 * trusted; a date that a client states counts in any case, because it can only do harm to the
 * document.
 */
const expiryOf = (evidence: CaseEvidence, { idDocumentData }: EvidenceData): Date | undefined => {
  const isStated = evidence.kind === 'documentText' || evidence.kind === 'healthCard';
  const lastDay = idDocumentData && lastDayOf(idDocumentData);
  if (!lastDay || !isCalendarDate(lastDay) || evidence.expired) return undefined;
  return isStated || raises(evidence, 'DOC_EXPIRATION_DATE_OK') ? endsAt(lastDay) : undefined;
};

/**
 * What an evaluation foresaw that could read the dates of the documents. It stays until the next
 * one that can, also if it lies in the past by now: that evaluation is due.
 */
const foreseen = ({ evidences, dueAt, lastPublished }: Case): { due: Date[]; lapses: Date[] } => {
  const mayExpire = evidences.some((one) => isDocument(one) && one.sealed.data !== undefined);
  if (!mayExpire) return { due: [], lapses: [] };
  const { lapsesAt } = lastPublished ?? {};
  return { due: dueAt ? [dueAt] : [], lapses: lapsesAt ? [parseDateTime(lapsesAt)] : [] };
};

const earliest = (first: Date, ...others: readonly Date[]): Date =>
  others.reduce((one, other) => (other < one ? other : one), first);

/**
 * Applies the calendar to a case: marks documents that have expired since, and sets the next day on
 * which the case is evaluated again. Without `open` no data of its documents are read, and their
 * dates stay as they were.
 */
export const datedCase = <C extends Case>(
  before: C,
  open: ((sealed: string) => EvidenceData) | undefined,
  at: Date,
): Dated<C> => {
  const expiries = new Map<CaseEvidence, Date>();
  for (const evidence of before.evidences) {
    const { data } = evidence.sealed;
    const expiry = open && data && isDocument(evidence) ? expiryOf(evidence, open(data)) : undefined;
    if (expiry) expiries.set(evidence, expiry);
  }
  const evidences = before.evidences.map((evidence) => {
    const expiry = expiries.get(evidence);
    return expiry && expiry <= at ? { ...evidence, expired: true as const } : evidence;
  });
  const unread = open ? { due: [], lapses: [] } : foreseen(before);
  const coming = [...consentDays(before), ...expiries.values()].filter((day) => day > at);
  const horizon = horizonOf(at);
  const lapses = earliest(horizon, ...coming, ...unread.lapses);
  const current = { ...before, evidences, dueAt: earliest(lapses, ...unread.due) };
  return lapses < horizon ? { current, lapsesAt: formatDateTime(lapses) } : { current };
};
