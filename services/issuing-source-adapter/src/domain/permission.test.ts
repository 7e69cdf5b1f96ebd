import { type Consent, formatDateTime, present, todayAt } from '@assay/contracts';
import { describe, expect, test } from '@jest/globals';
import { consentChanges, nothingWithdrawn, permissionOf, type Withdrawals } from './permission.ts';

const today = todayAt(new Date('2026-03-10T12:00:00Z'));
const EVIDENCE = 'evidence-00000000000001';
const consent = (name: string, more: Partial<Consent> = {}): Consent => ({
  consentId: `consent-${name}`.padEnd(22, '0'),
  approved: true,
  type: 'GIV',
  ...more,
});
const [given, refusal, again] = [consent('given'), consent('refusal', { approved: false }), consent('again')];
const withdrawn = (known: Consent[], deleted: Consent[] = []): Withdrawals => ({
  ...nothingWithdrawn,
  consents: { known, revision: 3, deleted: deleted.map(({ consentId }) => consentId) },
});

describe('a source may be asked about an evidence', () => {
  test.each<[string, Consent[] | undefined, Withdrawals, string]>([
    ['that was submitted under a consent in force', [given], nothingWithdrawn, 'GIVEN'],
    ['whose request came from a former version, while nothing was taken back', undefined, nothingWithdrawn, 'GIVEN'],
    ['under a consent that has not arrived yet', [again], withdrawn([given, refusal]), 'GIVEN'],
    ['under a consent given again after a withdrawal', [again], withdrawn([again], [given]), 'GIVEN'],
    ['not after a refusal', [given], withdrawn([given, refusal]), 'WITHDRAWN'],
    ['not after the deletion of its consent', [given], withdrawn([], [given]), 'WITHDRAWN'],
    ['not after either, where a former version requested it', undefined, withdrawn([given, refusal]), 'WITHDRAWN'],
    ['not if the withdrawal reached the worker first', [given, refusal], nothingWithdrawn, 'WITHDRAWN'],
    ['not where the worker knows that every consent was deleted', [], nothingWithdrawn, 'WITHDRAWN'],
    [
      'not after the last day of its consent',
      [consent('short', { validityPeriod: { to: '2026-03-08' } })],
      nothingWithdrawn,
      'WITHDRAWN',
    ],
    [
      'not after the last day of a later consent',
      [given],
      withdrawn([given, consent('short', { validityPeriod: { to: '2026-03-08' } })]),
      'WITHDRAWN',
    ],
  ])('%s', (_which, consents, withdrawals, permission) => {
    expect(permissionOf({ evidenceId: EVIDENCE, ...present({ consents }) }, withdrawals, today)).toBe(permission);
  });

  test('never when it was deleted, whatever the consents', () => {
    const deleted = { ...nothingWithdrawn, deletedEvidences: [EVIDENCE] };
    expect(permissionOf({ evidenceId: EVIDENCE, consents: [given] }, deleted, today)).toBe('GONE');
    expect(permissionOf({ evidenceId: 'evidence-00000000000002', consents: [given] }, deleted, today)).toBe('GIVEN');
  });
});

describe('a change of consents', () => {
  const changed = (consents: Consent[], type: 'ADD' | 'DELETE', change: Consent[]) =>
    consentChanges({
      consentsRevision: 3,
      consents,
      change: { type, consents: change },
      operationId: `operation-${formatDateTime(new Date(0)).slice(0, 12)}`,
    });
  const portrait = consent('portrait', { type: 'PORTRAIT' });

  test('has no effect if it does not concern issuing sources, or gives the only consent to them', () => {
    expect(changed([given, portrait], 'ADD', [portrait])).toBeUndefined();
    expect(changed([given], 'DELETE', [portrait])).toBeUndefined();
    expect(changed([portrait, given], 'ADD', [given])).toBeUndefined();
  });

  test('names the consents to issuing sources that exist, and those that were deleted', () => {
    expect(changed([given, portrait, refusal], 'ADD', [refusal])).toEqual({
      ...{ known: [given, refusal], revision: 3, deleted: [] },
    });
    expect(changed([refusal], 'ADD', [refusal])).toMatchObject({ known: [refusal] });
    expect(changed([portrait], 'DELETE', [given])).toEqual({ known: [], revision: 3, deleted: [given.consentId] });
  });
});
