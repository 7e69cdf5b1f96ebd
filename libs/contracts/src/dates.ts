/** The specification's date-time: UTC, milliseconds, no zone suffix (`yyyy-MM-ddTHH:mm:ss.SSS`). */
export const formatDateTime = (at: Date): string => at.toISOString().slice(0, 23);

/** Reads the specification's date-time back; it is UTC though it carries no zone. */
export const parseDateTime = (text: string): Date => new Date(text.endsWith('Z') ? text : `${text}Z`);

/** The timestamp of the proof's root folder: yyyyMMddHHmmssSSS in UTC. */
export const formatTimestamp = (at: Date): string => at.toISOString().replace(/\D/g, '').slice(0, 17);

/** True for a date of the calendar written YYYY-MM-DD (2026-02-30 is none). */
export const isCalendarDate = (text: string): boolean => {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (!parts || parts[1] === '0000') return false;
  const at = new Date(`${text}T00:00:00.000Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === text;
};

/** The calendar date of an instant, in UTC. */
const dateOf = (at: Date): string => at.toISOString().slice(0, 10);

/**
 * The days it is on Earth at an instant: nobody knows in which zone a document was issued or a
 * person lives, so what is judged by a day is judged with `hasBegun` and `isOver`.
 */
export interface Today {
  /** Where days begin first (UTC+14). */
  latest: string;
  /** Where days end last (UTC-12). */
  earliest: string;
}

const HOUR_MS = 3_600_000;

export const todayAt = (at: Date): Today => ({
  latest: dateOf(new Date(at.getTime() + 14 * HOUR_MS)),
  earliest: dateOf(new Date(at.getTime() - 12 * HOUR_MS)),
});

const midnight = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** The instant from which `hasBegun` says so of a day. */
export const beginsAt = (day: string): Date => new Date(midnight(day) - 14 * HOUR_MS);

/** The instant from which `isOver` says so of a day. */
export const endsAt = (day: string): Date => new Date(midnight(day) + (24 + 12) * HOUR_MS);

/** True once the day has begun somewhere on Earth. */
export const hasBegun = (day: string, today: Today): boolean => day <= today.latest;

/** True once the day is over everywhere on Earth. */
export const isOver = (day: string, today: Today): boolean => day < today.earliest;
