import { describe, expect, test } from '@jest/globals';
import { maintenanceUntil } from './maintenance.ts';
import { UNITED_STATES_WINDOWS as windows } from './scope/united-states-windows.ts';

const until = (state: string, at: string) => maintenanceUntil(windows, state, new Date(at))?.toISOString();

describe('maintenance windows', () => {
  test.each([
    // Eastern standard time is UTC-5, summer time UTC-4.
    ['DC', '2026-01-15T05:00:00Z', '2026-01-15T11:00:00.000Z'],
    ['DC', '2026-01-15T04:59:59Z', undefined],
    ['DC', '2026-07-15T09:59:59Z', '2026-07-15T10:00:00.000Z'],
    ['DC', '2026-07-15T10:00:00Z', undefined],
    ['TX', '2026-01-18T08:30:00Z', '2026-01-18T12:00:00.000Z'],
    ['TX', '2026-01-18T01:59:00Z', undefined],
    ['AL', '2026-02-02T07:00:00Z', '2026-02-02T12:00:00.000Z'],
    ['AL', '2026-02-09T07:00:00Z', undefined],
    ['MT', '2026-03-21T06:00:00Z', '2026-03-21T10:00:00.000Z'],
    ['MT', '2026-04-18T06:00:00Z', undefined],
    ['MA', '2026-01-18T09:00:00Z', '2026-01-18T15:00:00.000Z'],
    ['HI', '2026-01-18T09:00:00Z', undefined],
  ])('%s at %s: until %p', (state, at, expected) => expect(until(state, at)).toBe(expected));

  test('windows that follow one another count as one', () => {
    const chain = [
      { timeZone: 'UTC', from: '01:00', minutes: 60 },
      { timeZone: 'UTC', from: '02:00', minutes: 30 },
    ];
    expect(maintenanceUntil(chain, undefined, new Date('2026-05-04T01:30:20Z'))?.toISOString()).toBe(
      '2026-05-04T02:30:00.000Z',
    );
  });

  test('the search for the end of maintenance ends for a source that never works', () => {
    const always = [{ timeZone: 'UTC', from: '00:00', minutes: 1440 }];
    expect(maintenanceUntil(always, undefined, new Date('2026-05-04T01:30:00Z'))).toBeInstanceOf(Date);
  });
});
