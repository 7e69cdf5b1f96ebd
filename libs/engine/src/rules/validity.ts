import type { DocumentReading } from '../document.ts';
import type { ReadValue } from '../document-data.ts';

/** The longest that is known: the United Kingdom added up to nine months to ten years. */
const LONGEST = { years: 10, months: 9 };

const endOf = (issued: string): string => {
  const [year = 0, month = 0] = issued.split('-').map(Number);
  const months = year * 12 + month - 1 + LONGEST.years * 12 + LONGEST.months;
  return `${Math.floor(months / 12)}-${String((months % 12) + 1).padStart(2, '0')}-${issued.slice(8)}`;
};

/**
 * A passport that holds for longer than any is issued. Cards and some residence permits hold for
 * decades; and a printed day of issue may be misread, so this leaves a doubt and refutes nothing.
 */
export const isTooLong = (issued: ReadValue, { recognition, mrz, data: { expiryDate } }: DocumentReading): boolean =>
  recognition?.type === 'PASSPORT' &&
  mrz?.fields.documentCode.startsWith('P') === true &&
  expiryDate !== undefined &&
  expiryDate.value > endOf(issued.value);
