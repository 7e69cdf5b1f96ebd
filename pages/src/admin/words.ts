const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' });

/** A time of the wire, in UTC. */
export const timeInWords = (time: string | undefined): string =>
  time === undefined ? '–' : `${DATE.format(new Date(/Z$/.test(time) ? time : `${time}Z`))} UTC`;

const REASONS: Readonly<Record<string, string>> = {
  PROOF_RETRIEVED: 'its proof was retrieved',
  TIMEOUT: 'its time was up',
  DELETED: 'it was deleted',
  ERROR: 'it could not go on',
};
export const reasonInWords = (reason: string | undefined): string => (reason ? (REASONS[reason] ?? reason) : '');
