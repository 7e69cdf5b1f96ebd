import { hasBegun, type IndicatorStatus, isOver } from '@assay/contracts';
import type { DocumentReading } from '../document.ts';
import type { ReadValue } from '../document-data.ts';
import type { MrzReading } from '../mrz/read.ts';
import type { Raised } from './raised.ts';

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
const isTooLong = (issued: ReadValue, { recognition, mrz, data: { expiryDate } }: DocumentReading): boolean =>
  recognition?.type === 'PASSPORT' &&
  mrz?.fields.documentCode.startsWith('P') === true &&
  expiryDate !== undefined &&
  expiryDate.value > endOf(issued.value);

/**
 * The date of issue is in the past, not before the holder's birth, and not after the expiry.
 * Printed dates may be misread or confused with each other: beside a machine-readable part, which
 * says what holds, they refute nothing, and their order never does.
 */
const issuingDateStatus = (issued: ReadValue, reading: DocumentReading): IndicatorStatus => {
  const {
    data: { birthDate, expiryDate },
    today,
    mrz,
    barcode,
  } = reading;
  const isBeside = issued.source === 'VISUAL' && (mrz !== undefined || barcode !== undefined);
  if (!hasBegun(issued.value, today)) return isBeside ? 'UNVERIFIED' : 'FAILED';
  const inOrderOfTime = [
    [birthDate, issued],
    [issued, expiryDate],
  ] as const;
  const outOfOrder = inOrderOfTime.filter(([first, second]) => first && second && first.value > second.value);
  if (outOfOrder.length === 0) return isTooLong(issued, reading) ? 'UNVERIFIED' : 'OK';
  const isOfBarcode = outOfOrder.some((dates) => dates.every((date) => date?.source === 'BARCODE'));
  return isOfBarcode ? 'FAILED' : 'UNVERIFIED';
};

/** Years for which the former card of France holds, by the age of its holder when it was issued. */
const FRENCH = { first: 88, ofAge: 18, adult: 15, minor: 10 };

/**
 * Whether the former card of France is certainly past its validity. Its zone has no last day, but
 * the number begins with the month of issue. The last day printed on a card may be five years
 * early: the law prolonged the cards of adults. One whose holder is older than the two digits of
 * the year of birth can tell counts as an adult's.
 */
const isFrenchOver = ({ format, fields, checks }: MrzReading, { today }: DocumentReading): boolean => {
  const [, two = '', month = ''] = /^(\d\d)(0[1-9]|1[0-2])/.exec(fields.documentNumber) ?? [];
  if (format !== 'FRENCH_ID' || checks.documentNumber !== true || month === '') return false;
  const year = Number(two) + (Number(two) < FRENCH.first ? 2000 : 1900);
  const inMonth = (years: number): string => `${year + years}-${month}-31`;
  const { birthDate } = fields;
  const isMinor =
    checks.birthDate === true &&
    birthDate !== undefined &&
    birthDate <= inMonth(0) &&
    birthDate > inMonth(-FRENCH.ofAge);
  return isOver(inMonth(isMinor ? FRENCH.minor : FRENCH.adult), today);
};

/** What is said of the dates of a document, by the zone or barcode or in print. */
export const dateIndicators = (reading: DocumentReading): Raised[] => {
  const { data, today, mrz } = reading;
  const raised: Raised[] = [];
  const expiry = data.expiryDate;
  const trusted = expiry && (expiry.source !== 'MRZ' || mrz?.checks.expiryDate);
  const expired = expiry && isOver(expiry.value, today) ? 'FAILED' : 'OK';
  const isOld = mrz !== undefined && isFrenchOver(mrz, reading);
  raised.push(['DOC_EXPIRATION_DATE', isOld ? 'FAILED' : trusted ? expired : 'UNVERIFIED']);
  if (data.issuingDate) raised.push(['ISSUING_DATE_VALIDITY', issuingDateStatus(data.issuingDate, reading)]);
  if (data.birthDate) {
    const age = Number(today.latest.slice(0, 4)) - Number(data.birthDate.value.slice(0, 4));
    const possible = hasBegun(data.birthDate.value, today) && age <= 120 ? 'OK' : 'FAILED';
    const read = data.birthDate.source !== 'MRZ' || mrz?.checks.birthDate;
    raised.push(['BIRTHDATE_VALID', read ? possible : 'UNVERIFIED']);
  } else if (mrz?.fields.birthDateUnknown) raised.push(['BIRTHDATE_VALID', 'UNVERIFIED']);
  return raised;
};
