import { isCalendarDate } from '@assay/contracts';

/**
 * The ISO date of these digits; undefined if it is no date of the calendar, since anybody can print
 * a barcode.
 */
export const dateOf = (...parts: [year: string, month: string, day: string]): string | undefined => {
  const date = parts.join('-');
  return isCalendarDate(date) ? date : undefined;
};
