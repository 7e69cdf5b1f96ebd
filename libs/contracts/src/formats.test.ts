import { expect, test } from '@jest/globals';
import { dateFormatsBy, FORMATS } from './formats.ts';

test('a date is in the past by the given clock', () => {
  const [from, to] = ['2031-05-05', '2031-05-07'];
  expect(FORMATS['past-date']?.(from)).toBe(false);
  const end = dateFormatsBy(() => new Date('2031-05-05T12:00:00Z'));
  expect([from, to].map((date) => FORMATS['past-date']?.(date))).toEqual([true, false]);
  end();
  expect(FORMATS['past-date']?.(from)).toBe(false);
});
