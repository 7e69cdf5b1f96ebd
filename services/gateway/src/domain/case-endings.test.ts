import { formatDateTime, type OPERATOR_REASONS } from '@assay/contracts';
import { describe, expect, test } from '@jest/globals';
import { after, aWaitingCase, changedCase, NOW } from '../testing/builders.ts';
import { claim, decide, hasDecided } from './adjudication.ts';
import type { AdjudicationCase } from './adjudication-case.ts';
import { closeCase, expireCase, withdrawCase, withdrawnCase } from './case-endings.ts';
import { isRefusal } from './change.ts';

/** Everything that was read of the person, or an operator wrote about it. */
const PERSONAL = 'PERSONAL';
const waiting = aWaitingCase({
  fourEyes: true,
  raisedIndicators: [PERSONAL],
  reasons: ['PHOTOCOPY'],
  media: [{ mediaId: PERSONAL, label: 'FRONT' }],
  chips: [{ evidenceId: 'chip', status: 'VERIFIED', raisedIndicators: [PERSONAL] }],
  similarity: { distance: 0.4, threshold: 0.5, note: PERSONAL } as never,
  sealedFields: PERSONAL,
});
type Reason = (typeof OPERATOR_REASONS)[number];
const decidedBy = (
  operatorId: string,
  decision: 'ACCEPT' | 'REJECT',
  reasons: Reason[] = [],
  before = waiting,
): AdjudicationCase => {
  const claimed = claim(before, operatorId, NOW);
  if (isRefusal(claimed)) throw new Error(claimed.refused);
  const mine = changedCase(before, claimed);
  const change = decide(mine, { operatorId, decision, reasons, sealedComment: PERSONAL }, after(60));
  if (isRefusal(change)) throw new Error(change.refused);
  return changedCase(mine, change);
};

describe('a case that ends without a decision', () => {
  test.each([
    ['that waits', waiting],
    ['that one of two operators has decided', decidedBy('a', 'ACCEPT')],
    ['that is claimed', { ...waiting, state: 'CLAIMED' as const, claimedBy: 'a', claimedUntil: after(900) }],
  ])('%s is closed with its reason, and has nothing of the person', (_what, adjudication) => {
    const closed = changedCase(adjudication, closeCase(adjudication, 'EVIDENCE_DELETED', after(90)));
    expect(closed).toMatchObject({ state: 'DECIDED', outcome: 'CLOSED', closedBecause: 'EVIDENCE_DELETED' });
    expect(closed.decidedAt).toEqual(after(90));
    expect(JSON.stringify(closed)).not.toContain(PERSONAL);
    expect(closed).not.toHaveProperty('claimedBy');
    expect(expireCase(closed, after(7200))).toBeUndefined();
  });

  test('that was decided keeps what operators decided and when, for the statistics, and loses the rest', () => {
    const decided = decidedBy('b', 'REJECT', ['PAPER_COPY'], decidedBy('a', 'ACCEPT'));
    const closed = changedCase(decided, closeCase(decided, 'IDENTITY_CLOSED', after(7200)));
    expect(closed).toMatchObject({ outcome: 'REJECT', decidedAt: after(60), reasons: ['PHOTOCOPY'] });
    expect(closed.decisions).toMatchObject([{ operatorId: 'a' }, { operatorId: 'b', reasons: ['PAPER_COPY'] }]);
    expect(closed).not.toHaveProperty('closedBecause');
    expect(JSON.stringify(closed)).not.toContain(PERSONAL);
  });

  test('because its time is over announces what was decided until then, each reason once', () => {
    const half = decidedBy('a', 'REJECT', ['PAPER_COPY', 'PAPER_COPY']);
    expect(expireCase(half, after(3599))).toBeUndefined();
    const change = expireCase(half, after(3600));
    expect(change?.decided).toMatchObject({
      decision: 'EXPIRED',
      reasons: ['PAPER_COPY'],
      decidedAt: formatDateTime(after(3600)),
      details: [{ operatorId: 'a', decision: 'REJECT' }],
    });
  });
});

describe('a case that is taken back before its request arrives', () => {
  const withdrawal = {
    caseId: 'case',
    evidenceId: 'evidence',
    type: 'PASSPORT',
    submitDateTime: formatDateTime(NOW),
    requestedAt: formatDateTime(NOW),
    expiresAt: formatDateTime(after(3600)),
    fourEyes: false,
    reason: 'CONSENT_WITHDRAWN',
    withdrawnAt: formatDateTime(after(5)),
  } as const;
  const closed = withdrawnCase({ tenantId: 'tenant', identityId: 'identity' }, withdrawal);

  test('is closed from the start: no operator can claim it, and it is closed once', () => {
    expect(closed).toMatchObject({ _id: 'case', tenantId: 'tenant', outcome: 'CLOSED', decidedAt: after(5) });
    expect(closed.closedBecause).toBe('CONSENT_WITHDRAWN');
    expect(claim(closed, 'a', NOW)).toMatchObject({ refused: 'STATE_CONFLICT' });
    expect(withdrawCase(closed, 'EVALUATED_OTHERWISE', NOW)).toBeUndefined();
  });

  test('has the members of a case alone, none of the withdrawal itself', () => {
    for (const name of ['caseId', 'reason', 'withdrawnAt']) expect(closed).not.toHaveProperty(name);
    expect([closed.raisedIndicators, closed.media, closed.decisions]).toEqual([[], [], []]);
  });
});

describe('a decision that is sent again because its answer did not come', () => {
  const decided = decidedBy('a', 'REJECT', ['PAPER_COPY']);
  const again = { operatorId: 'a', decision: 'REJECT', reasons: ['PAPER_COPY'] } as const;

  test('is known as made', () => {
    expect(hasDecided(decided, { ...again, reasons: [...again.reasons] })).toBe(true);
  });

  test.each([
    ['of another operator', { operatorId: 'b' }],
    ['that differs', { decision: 'ACCEPT' as const }],
    ['with other reasons', { reasons: [] }],
  ])('%s is another one', (_what, more) => {
    expect(hasDecided(decided, { ...again, reasons: [...again.reasons], ...more })).toBe(false);
  });
});
