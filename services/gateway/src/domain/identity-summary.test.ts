import { describe, expect, test } from '@jest/globals';
import { after, anEvidence, anIdentity, idOf, NOW } from '../testing/builders.ts';
import { summaryOf, summaryStatusOf } from './identity-summary.ts';

const reservation = {
  evidenceId: idOf(9),
  type: 'PASSPORT',
  operation: 'ID_DOCUMENT_CAPTURE',
  at: NOW,
  leaseUntil: after(15),
} as const;

describe('the status of an identity in a list', () => {
  test.each([
    ['EXPECTING_INPUT', 'nothing is under way', anIdentity({ evidences: [anEvidence(1, { status: 'INVALID' })] })],
    ['PROCESSING', 'an evidence is processed', anIdentity({ evidences: [anEvidence(1)] })],
    ['PROCESSING', 'operators are asked', anIdentity({ evidences: [anEvidence(1, { status: 'ADJUDICATION' })] })],
    ['PROCESSING', 'a submission is on its way', anIdentity({ reservations: [reservation] })],
    ['EXPECTING_INPUT', 'its proof can be retrieved', anIdentity({ state: 'PROVING' })],
    ['PAUSED', 'it is paused, whatever is under way', anIdentity({ state: 'PAUSED', evidences: [anEvidence(1)] })],
    ['ERROR', 'its work failed', anIdentity({ state: 'ERROR' })],
    ['CLOSED', 'it is closing', anIdentity({ state: 'CLOSING', evidences: [anEvidence(1)] })],
    ['CLOSED', 'it is closed', anIdentity({ state: 'CLOSED' })],
  ] as const)('is %s while %s', (status, _when, identity) => expect(summaryStatusOf(identity)).toBe(status));

  test('is shown to administrators without personal data', () => {
    const identity = anIdentity({
      state: 'CLOSED',
      sealedBusinessId: 'sealed',
      evidences: [anEvidence(1, { status: 'VERIFIED', sealedData: 'sealed', errors: [] })],
      closedAt: after(60),
      closing: { reason: 'TIMEOUT', since: after(59) },
    });
    expect(summaryOf(identity)).toEqual({
      identityId: identity._id,
      status: 'CLOSED',
      levelOfAssurance: 'LOA0',
      policy: 'default',
      evidences: [{ evidenceId: idOf(1), type: 'PASSPORT', status: 'VERIFIED' }],
      createdAt: '2026-03-01T10:00:00.000',
      expiresAt: '2026-03-01T10:30:00.000',
      closedAt: '2026-03-01T10:01:00.000',
      reason: 'TIMEOUT',
    });
    expect(summaryOf(anIdentity())).not.toHaveProperty('closedAt');
  });
});
