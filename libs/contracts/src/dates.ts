/** The specification's date-time: UTC, milliseconds, no zone suffix (`yyyy-MM-ddTHH:mm:ss.SSS`). */
export const formatDateTime = (at: Date): string => at.toISOString().slice(0, 23);

/** Reads the specification's date-time back; it is UTC though it carries no zone. */
export const parseDateTime = (text: string): Date => new Date(text.endsWith('Z') ? text : `${text}Z`);

/** The timestamp of the proof's root folder: yyyyMMddHHmmssSSS in UTC. */
export const formatTimestamp = (at: Date): string => at.toISOString().replace(/\D/g, '').slice(0, 17);

/** Whether this is a date of the calendar, written YYYY-MM-DD (2026-02-30 is none). */
export const isCalendarDate = (text: string): boolean => {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (!parts || parts[1] === '0000') return false;
  const at = new Date(`${text}T00:00:00.000Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === text;
};

const DAY_OR_TIME = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)?(Z|[+-]\d\d:\d\d)?$/;

/**
 * The instant of a day or a time as people write it, `2026-01-02` or `2026-01-02T03:04`: in UTC
 * where it names no zone. Undefined if it is none.
 */
export const instantOf = (text: string): Date | undefined => {
  const [, day = '', hours = 'T00:00', zone = 'Z'] = DAY_OR_TIME.exec(text) ?? [];
  const at = new Date(`${day}${hours}${zone}`);
  return isCalendarDate(day) && !Number.isNaN(at.getTime()) ? at : undefined;
};

/** The calendar date of an instant, in UTC. */
const dateOf = (at: Date): string => at.toISOString().slice(0, 10);

/**
 * The days on Earth at an instant. Nobody knows in which time zone a document was issued or a
 * person lives, so `hasBegun` and `isOver` decide what depends on a day. The last day of a consent
 * alone is a day of the service's clock: `isPast`.
 */
export interface Today {
  /** The time zone in which each day begins first (UTC+14). */
  latest: string;
  /** The time zone in which each day ends last (UTC-12). */
  earliest: string;
  /** UTC, as in every date-time of the service. */
  utc: string;
}

const HOUR_MS = 3_600_000;

export const todayAt = (at: Date): Today => ({
  latest: dateOf(new Date(at.getTime() + 14 * HOUR_MS)),
  earliest: dateOf(new Date(at.getTime() - 12 * HOUR_MS)),
  utc: dateOf(at),
});

const midnight = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** The instant from which `hasBegun` is true for a day. */
export const beginsAt = (day: string): Date => new Date(midnight(day) - 14 * HOUR_MS);

/** The instant from which `isOver` is true for a day. */
export const endsAt = (day: string): Date => new Date(midnight(day) + (24 + 12) * HOUR_MS);

/** The instant from which `isPast` is true for a day. */
export const pastFrom = (day: string): Date => new Date(midnight(day) + 24 * HOUR_MS);

/** Whether the day has begun somewhere on Earth. */
export const hasBegun = (day: string, today: Today): boolean => day <= today.latest;

/** Whether the day is over everywhere on Earth. */
export const isOver = (day: string, today: Today): boolean => day < today.earliest;

/**
 * Whether the day is over in UTC. A consent ends so: a person's data are not used for half a day
 * longer because it is still that day on a far island.
 */
export const isPast = (day: string, today: Today): boolean => day < today.utc;
