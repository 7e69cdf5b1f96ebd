import type { MachineParts } from '../machine-parts.ts';
import { dateDistance, datesIn } from './dates.ts';
import type { VisualReading } from './read.ts';

const CENTURY = 100;
/** Nobody is older. */
const OLDEST = 120;

/**
 * A machine-readable zone writes two digits of the year of birth, and is taken to mean the last
 * hundred years. Where the page shows the same day a century earlier, with all four digits, that is
 * the holder's birthday: the reading is given with it.
 */
export const inPrintedCentury = <Parts extends MachineParts>(
  parts: Parts,
  read: VisualReading,
  today: string,
): { parts: Parts; read: VisualReading } => {
  const { mrz } = parts;
  const latest = mrz?.fields.birthDate;
  if (!mrz || !latest || read.checks.birthDate?.match === 'exact') return { parts, read };
  const year = Number(latest.slice(0, 4)) - CENTURY;
  const birthDate = `${year}${latest.slice(4)}`;
  if (year < Number(today.slice(0, 4)) - OLDEST) return { parts, read };
  const printed = read.lines
    .flatMap(({ text }) => datesIn(text))
    .find((date) => date.fullYear && dateDistance(date, birthDate) === 0);
  if (!printed) return { parts, read };
  return {
    parts: { ...parts, mrz: { ...mrz, fields: { ...mrz.fields, birthDate } } },
    read: { ...read, checks: { ...read.checks, birthDate: { match: 'exact', edits: 0, seen: printed.text } } },
  };
};
