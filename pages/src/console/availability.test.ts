import type { CaseSummary } from '@assay/contracts/operator';
import { expect, test } from '@jest/globals';
import { availabilityOf, hasLapsed } from './availability.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const claimed: CaseSummary = {
  caseId: 'case',
  identityId: 'identity',
  evidenceId: 'evidence',
  type: 'PASSPORT',
  state: 'CLAIMED',
  requestedAt: '2026-03-01T11:00:00.000',
  expiresAt: '2026-03-02T11:00:00.000',
  claimedBy: 'ann',
  claimedUntil: '2026-03-01T12:00:01.000',
  fourEyes: false,
  decisions: [],
  reasons: [],
};

test('a claim holds until its time is over; then its operator may still decide, and another may claim', () => {
  expect(availabilityOf(claimed, 'ann', now)).toBe('mine');
  expect(availabilityOf(claimed, 'bob', now)).toBe('taken');
  expect(availabilityOf(claimed, 'ann', now + 1000)).toBe('lapsed');
  expect(availabilityOf(claimed, 'bob', now + 1000)).toBe('free');
});

test('an answer that does not say until when a claim holds is of one that holds', () => {
  const { claimedUntil: _, ...without } = claimed;
  expect(hasLapsed(without, now)).toBe(false);
  expect(availabilityOf(without, 'ann', now + 3_600_000)).toBe('mine');
});

test("a case whose time is over is nobody's", () => {
  expect(availabilityOf(claimed, 'ann', now + 86_400_000)).toBe('expired');
});
