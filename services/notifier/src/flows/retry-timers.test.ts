import { waitFor } from '@assay/testing';
import { afterEach, expect, test } from '@jest/globals';
import { createRetryTimers } from './retry-timers.ts';

const now = new Date('2026-01-01T00:00:00.000Z');
const after = (ms: number) => new Date(now.getTime() + ms);

const seen: string[] = [];
const timers = createRetryTimers((tenantId) => seen.push(tenantId));
afterEach(() => {
  timers.clear();
  seen.length = 0;
});

test('a tenant is checked once, when the first of its deliveries is due', async () => {
  timers.expect('a', after(12), now);
  timers.expect('a', after(5), now);
  timers.expect('a', after(15), now);
  await waitFor('the look', () => seen.length > 0);
  // A later check of another tenant shows that the first tenant was checked only once.
  timers.expect('b', after(30), now);
  await waitFor('the other look', () => seen.includes('b'));
  expect(seen).toEqual(['a', 'b']);
});

test('each tenant has a time of its own, and may be expected again', async () => {
  timers.expect('late', after(30), now);
  timers.expect('early', after(1), now);
  await waitFor('both', () => seen.length === 2);
  expect(seen).toEqual(['early', 'late']);
  timers.expect('early', after(1), now);
  await waitFor('the third', () => seen.length === 3);
});

test('deliveries due in days are left to the sweep, and cleared timers check nothing', async () => {
  // With more than 2^31 ms a timer of Node would fire at once.
  timers.expect('days', after(30 * 24 * 3600_000), now);
  timers.expect('cleared', after(1), now);
  timers.clear();
  timers.expect('sign', after(20), now);
  await waitFor('the sign', () => seen.length > 0);
  expect(seen).toEqual(['sign']);
});
