import { expect, test } from '@jest/globals';
import { dateFormatsBy, FORMATS } from './formats.ts';
import { RecoverSchema } from './shapes/administration.ts';
import { violationsOf } from './validation.ts';

test('a date is in the past by the given clock', () => {
  const [from, to] = ['2031-05-05', '2031-05-07'];
  expect(FORMATS['past-date']?.(from)).toBe(false);
  const end = dateFormatsBy(() => new Date('2031-05-05T12:00:00Z'));
  expect([from, to].map((date) => FORMATS['past-date']?.(date))).toEqual([true, false]);
  end();
  expect(FORMATS['past-date']?.(from)).toBe(false);
});

test.each(['2026-37-22T14:22:08.441', '2026-02-31T14:22:08.441', '2026-02-20T24:60:08.441'])(
  'a time that a client gives is one that exists: %s is none',
  (since) => {
    expect(violationsOf(RecoverSchema, { since: '2026-02-20T14:22:08.441' })).toEqual([]);
    expect(violationsOf(RecoverSchema, { since })).toMatchObject([{ field: 'since' }]);
  },
);
