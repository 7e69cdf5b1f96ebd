import { describe, expect, test } from '@jest/globals';
import { UnusableInput } from '../proof/report.ts';
import { timeOf } from './times.ts';

const since = timeOf('--since');

describe('an option that takes a time', () => {
  test.each([
    ['2026-01-02', '2026-01-02T00:00:00.000'],
    ['2026-01-02T03:04', '2026-01-02T03:04:00.000'],
    ['2026-01-02T03:04:05', '2026-01-02T03:04:05.000'],
    ['2026-01-02T03:04:05.678Z', '2026-01-02T03:04:05.678'],
    ['2026-01-02T03:04:05+02:00', '2026-01-02T01:04:05.000'],
    ['2024-02-29', '2024-02-29T00:00:00.000'],
    ['2026-01-02T03:04:05.678901Z', '2026-01-02T03:04:05.678'],
  ])('is UTC unless it has a zone: %s', (text, time) => expect(since(text)).toBe(time));

  test.each([
    ['a day that no calendar has', '2026-02-30'],
    ['an hour that no day has', '2026-01-02T25:00:00'],
    ['a time that may be one of the zone of the machine', '2026-01-02 03:04:05'],
    ['what follows a time', '2026-01-02 (noon)'],
    ['no time', 'yesterday'],
    ['nothing', ''],
  ])('is refused with the form it has: %s', (_what, text) => {
    expect(() => since(text)).toThrow(UnusableInput);
    expect(() => since(text)).toThrow('--since takes a time, such as 2026-01-02T03:04:05 (UTC)');
  });
});
