import { beforeEach, describe, expect, test } from '@jest/globals';
import { createTenantShares, type TenantShares } from './tenant-shares.ts';

let nowMs: number;
let shares: TenantShares;
beforeEach(() => {
  nowMs = 1_000_000;
  shares = createTenantShares(() => new Date(nowMs), 2);
});

/** An event of this tenant that has waited for so long. */
const event = (tenantId: string, waitedMs = 5000) => ({
  ...{ id: 'event', type: 'evidence.submitted', identityId: 'identity', data: {} },
  ...{ tenantId, at: new Date(nowMs - waitedMs).toISOString() },
});
const took = (tenantId: string, times: number): void => {
  for (let n = 0; n < times; n += 1) shares.begin(event(tenantId))();
};

describe('a tenant of which much was taken', () => {
  beforeEach(() => took('bank', 20));

  test('exceeds its share while its events wait, also where no other tenant was seen', () =>
    expect(shares.exceeds(event('bank'))).toBe(true));

  test('exceeds nothing while its events are handled at once', () =>
    expect(shares.exceeds(event('bank', 500))).toBe(false));

  test('exceeds nothing once that is some time ago', () => {
    nowMs += 14_000;
    expect(shares.exceeds(event('bank'))).toBe(true);
    nowMs += 17_000;
    expect(shares.exceeds(event('bank'))).toBe(false);
  });

  test('leaves the shares of the others alone', () => {
    took('town', 12);
    expect(shares.exceeds(event('bank'))).toBe(true);
    expect(shares.exceeds(event('town'))).toBe(true);
    took('bank', 30);
    expect(shares.exceeds(event('town'))).toBe(false);
  });
});

test('a tenant of which little was taken exceeds nothing, however long its events have waited', () => {
  took('town', 7);
  expect(shares.exceeds(event('town', 600_000))).toBe(false);
});

test.each([
  ['what gives an evidence up', 'PROCESSING_FAILED', true],
  ['the end of a session that was never submitted', 'SESSION_TIMEOUT', false],
])('%s (%s) goes behind what waits in the surplus: %s', (_what, endWith, goes) => {
  expect(shares.exceeds({ ...event('town', 0), data: { endWith } })).toBe(goes);
});

test('a long event counts for its time: a tenant of slow pictures exceeds its share, its neighbour does not', () => {
  const done = [shares.begin(event('bank')), shares.begin(event('bank'))];
  nowMs += 12_000;
  expect(shares.exceeds(event('bank'))).toBe(true);
  for (const end of done) end();
  took('town', 9);
  expect(shares.exceeds(event('bank'))).toBe(true);
  expect(shares.exceeds(event('town'))).toBe(false);
});

test('the time that an event waits for the slow ones before it is not its own', () => {
  const ofBank = [shares.begin(event('bank')), shares.begin(event('bank'))];
  const ofTown = shares.begin(event('town'));
  nowMs += 12_000;
  for (const end of ofBank) end();
  nowMs += 1000;
  ofTown();
  took('town', 7);
  expect(shares.exceeds(event('bank'))).toBe(true);
  expect(shares.exceeds(event('town'))).toBe(false);
});

test('a clock that is set back forgets what was taken, and no more', () => {
  took('bank', 20);
  nowMs -= 3_600_000;
  expect(shares.exceeds(event('bank'))).toBe(false);
  took('bank', 20);
  expect(shares.exceeds(event('bank'))).toBe(true);
});
