import { beginsAt, endsAt, formatDateTime, isCalendarDate, parseDateTime } from '@assay/contracts';
import type { Case, CaseEvidence } from './case.ts';
import type { EvidenceData } from './evidence-data.ts';
import { lastDayOf } from './expiry.ts';
import { isDocument } from './facts.ts';

const DAY_MS = 24 * 3_600_000;
/** A day that is far away is not stored: it would say when a document expires. */
const FORESEEN_DAYS = 30;
/** At the end of a day, so that further evaluations on the same day leave the index as it is. */
const horizonOf = (at: Date): Date => new Date((Math.floor(at.getTime() / DAY_MS) + FORESEEN_DAYS) * DAY_MS);

/** A case with what an evaluation made now rests on of the calendar. */
export interface Dated<C extends Case> {
  current: C;
  /** When a consent begins or ends, or a document expires: the evaluation holds until then. */
  lapsesAt?: string;
}

const consentDays = ({ consents, evidences }: Case): Date[] =>
  [consents.known, ...evidences.map((evidence) => evidence.consents)].flat().flatMap(({ validityPeriod }) => {
    const { from, to } = validityPeriod ?? {};
    return [...(from ? [beginsAt(from)] : []), ...(to ? [endsAt(to)] : [])];
  });

const raises = ({ participants }: CaseEvidence, indicator: string): boolean =>
  participants.some(({ raisedIndicators = [] }) => raisedIndicators.includes(indicator));

/**
 * When a document expires that was not found expired. The date of a picture or a chip counts where
 * it was trusted; one that a client states counts against the document in any case.
 */
const expiryOf = (evidence: CaseEvidence, { idDocumentData }: EvidenceData): Date | undefined => {
  const isStated = evidence.kind === 'documentText' || evidence.kind === 'healthCard';
  const lastDay = idDocumentData && lastDayOf(idDocumentData);
  if (!lastDay || !isCalendarDate(lastDay) || evidence.expired) return undefined;
  return isStated || raises(evidence, 'DOC_EXPIRATION_DATE_OK') ? endsAt(lastDay) : undefined;
};

/**
 * Holds a case against the calendar: documents whose last day is over have expired, and the case is
 * looked at again when the next day comes that something of it rests on. Without `open` nothing is
 * read of its documents: what was foreseen of them stays.
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
  const foreseen = open || !before.lastPublished?.lapsesAt ? [] : [parseDateTime(before.lastPublished.lapsesAt)];
  const coming = [...consentDays(before), ...expiries.values(), ...foreseen].filter((day) => day > at);
  const horizon = horizonOf(at);
  const [dueAt = horizon] = [...coming, horizon].sort((a, b) => a.getTime() - b.getTime());
  const current = { ...before, evidences, dueAt };
  return dueAt < horizon ? { current, lapsesAt: formatDateTime(dueAt) } : { current };
};
