import { table } from '@assay/contracts/table';
import { plainWords } from '@assay/contracts/words';

const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' });

/** A time of the wire, in UTC. */
export const timeInWords = (time: string | undefined): string =>
  time === undefined ? '–' : `${DATE.format(new Date(/Z$/.test(time) ? time : `${time}Z`))} UTC`;

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

/** The day of a time of the wire, in UTC. */
export const dayInWords = (time: string | undefined): string =>
  time === undefined ? '–' : DAY.format(new Date(/Z$/.test(time) ? time : `${time}Z`));

const ROLES = table<string>({
  RELYING_SERVICE: 'Relying service',
  USER_AGENT: 'User agent',
  OPERATOR: 'Operator',
  TENANT_ADMINISTRATOR: 'Administrator of this tenant',
  ADMINISTRATOR: 'Administrator',
  SUITE: 'Assay itself',
});
export const roleInWords = (role: string): string => ROLES[role] ?? plainWords(role);

/** The status of an evidence in words. */
export const statusInWords = (status: string): string =>
  status === 'ADJUDICATION' ? 'waits for an operator' : plainWords(status).toLowerCase();

const REASONS = table<string>({
  PROOF_RETRIEVED: 'its proof was retrieved',
  TIMEOUT: 'its time was up',
  DELETED: 'it was deleted',
  ERROR: 'it could not go on',
});
export const reasonInWords = (reason: string | undefined): string => (reason ? (REASONS[reason] ?? reason) : '');
