const HOUR_MS = 3_600_000;

const dayAt = (now: Date, hours: number): string =>
  new Date(now.getTime() + hours * HOUR_MS).toISOString().slice(0, 10);

// The rules of `isOver` and `hasBegun` in the contracts, on which this package does not depend; a
// test of the worker checks that both agree.

/** Whether the day is over everywhere on Earth: a day ends last at UTC-12. */
export const isDayOver = (day: string, now: Date): boolean => day < dayAt(now, -12);

/** The day at UTC+14, where each day begins first. */
export const latestDay = (now: Date): string => dayAt(now, 14);
