const HOUR_MS = 3_600_000;

const dayAt = (now: Date, hours: number): string =>
  new Date(now.getTime() + hours * HOUR_MS).toISOString().slice(0, 10);

// The rule of `isOver` and `hasBegun` in the contracts, which this package does not depend on; a
// test of the worker holds the two to each other.

/** True once the day is over everywhere on Earth: days end last at UTC-12. */
export const isDayOver = (day: string, now: Date): boolean => day < dayAt(now, -12);

/** The day it is where days begin first: UTC+14. */
export const latestDay = (now: Date): string => dayAt(now, 14);
