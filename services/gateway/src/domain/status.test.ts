import { EVIDENCE_STATUSES } from '@assay/contracts';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { after, anEvidence, anIdentity, idOf, NOW } from '../testing/builders.ts';
import { type ClosingReason, STATES } from './identity.ts';
import { summaryOf, summaryStatusOf } from './identity-summary.ts';
import { awaiting, identityStatusOf, isStale } from './status.ts';

const closing = (reason: ClosingReason) => ({ state: 'CLOSING', closing: { reason, since: NOW } }) as const;
const reservation = {
  evidenceId: idOf(9),
  type: 'PASSPORT',
  operation: 'ID_DOCUMENT_CAPTURE',
  at: NOW,
  leaseUntil: after(15),
} as const;

describe('the status of an identity', () => {
  test('is PROCESSING exactly while an evidence is in process or a submission on its way', () => {
    const anyStatuses = fc.array(fc.constantFrom(...EVIDENCE_STATUSES), { maxLength: 5 });
    fc.assert(
      fc.property(anyStatuses, fc.boolean(), (statuses, isOnItsWay) => {
        const evidences = statuses.map((status, number) => anEvidence(number, { status }));
        const identity = anIdentity({ evidences, reservations: isOnItsWay ? [reservation] : [] });
        const isBusy = isOnItsWay || statuses.some((status) => status === 'PROCESSING' || status === 'ADJUDICATION');
        expect(identityStatusOf(identity)).toBe(isBusy ? 'PROCESSING' : 'EXPECTING_INPUT');
      }),
    );
  });

  test.each([
    ['PAUSED', { state: 'PAUSED' } as const],
    ['ERROR', { state: 'ERROR' } as const],
    ['TIMEOUT', closing('TIMEOUT')],
    ['ERROR', closing('ERROR')],
    ['EXPECTING_INPUT', closing('PROOF_RETRIEVED')],
  ])('is %s where %j', (status, more) => {
    expect(identityStatusOf(anIdentity(more))).toBe(status);
  });
});

describe('what administrators see of an identity', () => {
  test('is CLOSED from the moment it closes, and before that what its client sees', () => {
    for (const state of STATES) {
      const identity = anIdentity({ state });
      const isOver = state === 'CLOSING' || state === 'CLOSED';
      expect(summaryStatusOf(identity)).toBe(isOver ? 'CLOSED' : identityStatusOf(identity));
    }
  });

  test('names kinds and times, and nothing sealed', () => {
    const identity = anIdentity({
      ...closing('TIMEOUT'),
      closedAt: after(60),
      sealedBusinessId: 'sealed-business-id',
      evidences: [anEvidence(1, { sealedData: 'sealed-data' })],
    });
    const summary = summaryOf(identity);
    expect(summary).toMatchObject({ status: 'CLOSED', reason: 'TIMEOUT', closedAt: '2026-03-01T10:01:00.000' });
    expect(summary.evidences).toEqual([{ evidenceId: idOf(1), type: 'PASSPORT', status: 'PROCESSING' }]);
    expect(JSON.stringify(summary)).not.toContain('sealed');
  });
});

describe('a level of assurance from before a deletion', () => {
  const evaluated = {
    levelOfAssurance: 'LOA1',
    evaluationDateTime: '2026-03-01T10:00:00.000',
    upgradePaths: {},
  } as const;
  const later = { deletedEvidenceIds: [idOf(1), idOf(2)], consentsRevision: 3 };

  test('is determined anew if there is something to evaluate, or was', () => {
    const nothing = { evidences: [], reservations: [] };
    const awaited = { deletions: 2, consentsRevision: 3 };
    expect(awaiting(nothing, later)).toEqual({});
    expect(awaiting({ ...nothing, evidences: [anEvidence(1)] }, later)).toEqual({ awaited });
    expect(awaiting({ ...nothing, evaluated }, later)).toEqual({ awaited });
  });

  test('is stale until then, but only if there was one', () => {
    const awaited = { deletions: 1, consentsRevision: 0 };
    expect([{ awaited, evaluated }, { awaited }, { evaluated }].map((one) => isStale(one, NOW))).toEqual([
      true,
      false,
      false,
    ]);
  });
});
