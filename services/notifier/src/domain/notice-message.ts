import { type adjudicationWaiting, type DataOf, parseDateTime } from '@assay/contracts';
import { plainWords } from '@assay/contracts/words';

const HOUR_MS = 3600_000;

const spanInWords = (ms: number): string => {
  const [hours, minutes] = [Math.floor(ms / HOUR_MS), Math.floor(ms / 60_000)];
  if (hours >= 2) return `${hours} hours`;
  if (minutes < 1) return 'less than a minute';
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
};

/** The mail about a case that waits: ids and times, nothing of the person. */
export const noticeMessage = (
  { caseId, type, requestedAt, expiresAt, url }: DataOf<typeof adjudicationWaiting>,
  now: Date,
): { subject: string; text: string } => {
  const waited = spanInWords(now.getTime() - parseDateTime(requestedAt).getTime());
  const left = spanInWords(parseDateTime(expiresAt).getTime() - now.getTime());
  return {
    subject: `A case has waited for an operator for ${waited}`,
    text: [
      `Case ${caseId.slice(0, 8)} (${plainWords(type).toLowerCase()}) has waited for ${waited}.`,
      `If nobody decides it within ${left}, it ends undecided.`,
      ...(url ? [url] : []),
    ].join('\n'),
  };
};
