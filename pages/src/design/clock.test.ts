import { expect, jest, test } from '@jest/globals';
import { ago } from '../console/words.ts';
import { heedDate, serviceNow } from './clock.ts';

test.each([
  ['right', '2026-05-01T12:00:00.950Z'],
  ['a month ahead', '2026-06-01T12:00:00.000Z'],
  ['behind', '2026-05-01T10:00:00.000Z'],
])('what the service has just done is over, by a clock that is %s', (_what, browser) => {
  const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.parse(browser));
  heedDate('Fri, 01 May 2026 12:00:00 GMT');
  expect(ago('2026-05-01T12:00:00.900')).toBe('0 s ago');
  expect(ago('2026-05-01T12:01:00.000')).toBe('in 59 s');
  heedDate(null);
  expect(serviceNow()).toBeLessThan(Date.parse('2026-05-01T12:00:01.000Z'));
  clock.mockRestore();
});
