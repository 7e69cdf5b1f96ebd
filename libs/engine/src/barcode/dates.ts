import { isCalendarDate } from '@assay/contracts';

/**
 * The date of these digits, ISO; undefined where the calendar has none. Anybody can print a
 * barcode.
 */
export const dateOf = (...parts: [year: string, month: string, day: string]): string | undefined => {
  const date = parts.join('-');
  return isCalendarDate(date) ? date : undefined;
};
