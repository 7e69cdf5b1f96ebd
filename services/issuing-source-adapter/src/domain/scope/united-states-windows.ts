import type { MaintenanceWindow } from '../source.ts';

const SUNDAY = [0];
const MONDAY = [1];
const TUESDAY = [2];
const WEDNESDAY = [3];
const FRIDAY = [5];
const SATURDAY = [6];

const eastern = (jurisdictions: string, from: string, minutes: number, when: Partial<MaintenanceWindow> = {}) => ({
  jurisdictions: jurisdictions.split(' '),
  timeZone: 'America/New_York',
  from,
  minutes,
  ...when,
});

/**
 * When the administrations' systems rest, in Eastern time, as their users have published it.
 * Windows too vague to be written down ("seconds at a time") are left to the retries.
 */
export const UNITED_STATES_WINDOWS: MaintenanceWindow[] = [
  eastern('AL', '01:00', 360, { weekdays: MONDAY, nth: [1] }),
  eastern('CO', '02:00', 360, { weekdays: TUESDAY, nth: [1] }),
  eastern('CT', '03:00', 60),
  eastern('CT', '05:00', 120, { weekdays: SUNDAY }),
  eastern('CT', '04:00', 240, { weekdays: SUNDAY, nth: [2] }),
  eastern('DC', '00:00', 360),
  eastern('DE VT', '00:00', 300),
  eastern('FL', '07:00', 300, { weekdays: SUNDAY }),
  eastern('GA', '05:00', 60),
  eastern('IA', '04:45', 30),
  eastern('ID', '21:00', 180, { weekdays: WEDNESDAY }),
  eastern('IL', '02:30', 150),
  eastern('IN', '05:00', 300, { weekdays: SUNDAY }),
  eastern('KS', '07:00', 360, { weekdays: SUNDAY }),
  eastern('KY', '02:35', 245),
  eastern('MA', '03:00', 60),
  eastern('MA', '22:00', 720, { weekdays: SATURDAY }),
  eastern('MA', '00:00', 360, { weekdays: FRIDAY, nth: [1] }),
  eastern('MD', '06:00', 240, { weekdays: SUNDAY }),
  eastern('MI', '21:00', 30),
  eastern('MO', '02:00', 150),
  eastern('MO', '06:30', 15),
  eastern('MO', '08:30', 5),
  eastern('MT', '00:00', 360, { weekdays: SATURDAY, nth: [3], months: [1, 3, 5, 7, 9, 11] }),
  eastern('NC', '00:00', 420),
  eastern('ND', '19:30', 5, { weekdays: WEDNESDAY }),
  eastern('NM', '08:00', 240, { weekdays: SUNDAY }),
  eastern('NV', '02:00', 75, { weekdays: [0, 2, 3, 4, 5, 6] }),
  eastern('OH', '04:00', 30),
  eastern('OR', '07:30', 90, { weekdays: SUNDAY }),
  eastern('RI', '07:30', 150, { weekdays: SUNDAY, nth: [3, 4] }),
  eastern('SC', '18:00', 240, { weekdays: SUNDAY }),
  eastern('TN', '23:00', 180, { weekdays: SUNDAY, nth: [4, 5] }),
  eastern('TX', '21:00', 600, { weekdays: SATURDAY }),
  eastern('VA', '05:00', 30),
  eastern('VA', '03:00', 120, { weekdays: SUNDAY }),
  eastern('WA', '21:45', 630, { weekdays: SATURDAY }),
  eastern('WI', '03:00', 60, { weekdays: [2, 3, 4, 5, 6] }),
  eastern('WI', '06:00', 240, { weekdays: SUNDAY }),
  eastern('WV', '06:00', 20, { weekdays: SUNDAY }),
  eastern('WY', '02:00', 180),
];
