import { isCalendarDate } from '@assay/contracts';
import { UnusableInput } from '../proof/report.ts';

/** Without a zone it is UTC: a time alone would be one of the machine's zone. */
const DAY_OR_TIME = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)?(Z|[+-]\d\d:\d\d)?$/;

/** A time as the service takes it: in UTC, to the millisecond, without a zone. */
export const timeOf =
  (option: string) =>
  (text: string): string => {
    const [, day = '', hours = 'T00:00', zone = 'Z'] = DAY_OR_TIME.exec(text) ?? [];
    const time = new Date(`${day}${hours}${zone}`);
    if (!isCalendarDate(day) || Number.isNaN(time.getTime()))
      throw new UnusableInput(`${option} takes a time, such as 2026-01-02T03:04:05 (UTC), not '${text}'`);
    return time.toISOString().slice(0, -1);
  };
