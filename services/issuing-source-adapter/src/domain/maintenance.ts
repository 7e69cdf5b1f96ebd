import type { MaintenanceWindow } from './source.ts';

interface LocalDay {
  month: number;
  day: number;
  weekday: number;
}

const MINUTES_A_DAY = 1440;

const clocks = new Map<string, Intl.DateTimeFormat>();
const clockOf = (timeZone: string): Intl.DateTimeFormat => {
  const known = clocks.get(timeZone);
  if (known) return known;
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
  });
  clocks.set(timeZone, clock);
  return clock;
};

const localTime = (at: Date, timeZone: string) => {
  const part = Object.fromEntries(
    clockOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0 } = part;
  return { date: Date.UTC(year, month - 1, day), minutes: hour * 60 + minute };
};

const dayOf = (date: number): LocalDay => {
  const at = new Date(date);
  return { month: at.getUTCMonth() + 1, day: at.getUTCDate(), weekday: at.getUTCDay() };
};

const beginsOn = ({ weekdays, nth, months }: MaintenanceWindow, { month, day, weekday }: LocalDay): boolean =>
  (!weekdays || weekdays.includes(weekday)) &&
  (!nth || nth.includes(Math.ceil(day / 7))) &&
  (!months || months.includes(month));

/**
 * Minutes left of the window at this moment; undefined outside it. A window may have begun the day
 * before.
 */
const minutesLeft = (window: MaintenanceWindow, at: Date): number | undefined => {
  const { date, minutes } = localTime(at, window.timeZone);
  const [hour = 0, minute = 0] = window.from.split(':').map(Number);
  for (const daysAgo of [0, 1]) {
    const elapsed = minutes + daysAgo * MINUTES_A_DAY - (hour * 60 + minute);
    const began = beginsOn(window, dayOf(date - daysAgo * MINUTES_A_DAY * 60_000));
    if (began && elapsed >= 0 && elapsed < window.minutes) return window.minutes - elapsed;
  }
  return undefined;
};

/**
 * When the present maintenance ends; undefined if there is none. Windows that overlap or touch
 * count as one.
 */
export const maintenanceUntil = (
  windows: readonly MaintenanceWindow[],
  jurisdiction: string | undefined,
  at: Date,
): Date | undefined => {
  const concerned = windows.filter(
    ({ jurisdictions }) => !jurisdictions || (jurisdiction !== undefined && jurisdictions.includes(jurisdiction)),
  );
  let until: Date | undefined;
  for (let round = 0; round < 8; round += 1) {
    const from = until ?? at;
    const left = concerned.map((window) => minutesLeft(window, from) ?? 0);
    const longest = Math.max(0, ...left);
    if (longest === 0) return until;
    until = new Date(Math.floor(from.getTime() / 60_000) * 60_000 + longest * 60_000);
  }
  return until;
};
