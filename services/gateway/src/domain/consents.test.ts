import { type Consent, type ConsentType, consentInForce, todayAt } from '@assay/contracts';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { after, anEvidence, anIdentity, idOf, LIFETIME, outcome } from '../testing/builders.ts';
import { recordConsents, recorded, withdrawConsent } from './consents.ts';
import { BOUNDS, type Identity } from './identity.ts';

const record = (identity: Identity, consents: Consent[], seconds = 0) =>
  recordConsents(identity, { consents, operationId: idOf(900), lifetimeSeconds: LIFETIME, now: after(seconds) });
const consent = (number: number, type: ConsentType = 'PORTRAIT', approved = true): Consent => ({
  consentId: idOf(number),
  approved,
  type,
});
const inForce = ({ consents }: Identity, type: ConsentType) =>
  consentInForce(consents, type, todayAt(new Date('2026-03-01T12:00:00Z')));

/** Consents are recorded and withdrawn in any order. `nth` says which one is withdrawn. */
const anyStep = fc.oneof(
  fc.record({ approved: fc.boolean(), type: fc.constantFrom<ConsentType>('PORTRAIT', 'GIV') }),
  fc.record({ nth: fc.nat(9) }),
);

describe('consents', () => {
  test('allow what the newest of each type says, whatever was recorded and withdrawn', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 12 }), (steps) => {
        // Given the expected consent of each type: only the withdrawal of the newest one ends it
        const newest = new Map<ConsentType, Consent>();
        let identity = anIdentity();
        for (const [number, step] of steps.entries()) {
          if ('type' in step) {
            const given = consent(number, step.type, step.approved);
            newest.set(step.type, given);
            identity = outcome(identity, record(identity, [given])).identity;
          } else {
            const withdrawn = identity.consents[step.nth % identity.consents.length];
            if (!withdrawn) continue;
            if (newest.get(withdrawn.type) === withdrawn) newest.delete(withdrawn.type);
            identity = outcome(identity, withdrawConsent(identity, withdrawn.consentId, idOf(901))).identity;
          }
        }
        // Then that consent is in force, and no other
        for (const type of ['PORTRAIT', 'GIV'] as const)
          expect(inForce(identity, type)).toBe(newest.get(type)?.approved === true);
      }),
    );
  });

  test('are announced completely, with a revision that counts them, and restart the lifetime', () => {
    const first = outcome(anIdentity(), record(anIdentity(), [consent(1)], 60)).identity;
    const decision = record(first, [consent(2, 'GIV')], 120);
    expect(outcome(first, decision)).toMatchObject({
      published: ['consents.changed'],
      identity: { consentsRevision: 2, expiresAt: after(120 + LIFETIME) },
    });
    expect(decision).toMatchObject({
      events: [{ data: { consentsRevision: 2, consents: [consent(1), consent(2, 'GIV')], change: { type: 'ADD' } } }],
    });
  });

  test('make evaluated evidence wait for a new evaluation, if there is any evidence', () => {
    const [empty, used] = [anIdentity(), anIdentity({ evidences: [anEvidence(5, { status: 'VERIFIED' })] })];
    expect(outcome(empty, record(empty, [consent(1)])).identity.awaited).toBeUndefined();
    expect(outcome(used, record(used, [consent(1)])).identity.awaited).toEqual({ deletions: 0, consentsRevision: 1 });
  });

  test.each([
    ['PROVING', 'STATE_CONFLICT'],
    ['CLOSING', 'CLOSED'],
    ['CLOSED', 'CLOSED'],
  ] as const)('of an identity that is %s stay as they are: %s', (state, refused) => {
    const identity = anIdentity({ state, consents: [consent(1)] });
    for (const approved of [true, false])
      expect(record(identity, [consent(2, 'PORTRAIT', approved)])).toEqual({ refused });
    expect(withdrawConsent(identity, idOf(1), idOf(901))).toEqual({ refused });
  });

  test.each(['PAUSED', 'ERROR'] as const)('of an identity that is %s can be withdrawn, not given', (state) => {
    // Given a portrait that rests on its consent, and an identity whose time is up
    const evidences = [anEvidence(5, { status: 'VERIFIED' })];
    const identity = anIdentity({ state, evidences, consents: [consent(1)], expiresAt: after(500) });
    // Then no consent is given, also not beside a refusal
    for (const given of [[consent(2)], [consent(2, 'GIV', false), consent(3)]])
      expect(record(identity, given)).toEqual({ refused: 'STATE_CONFLICT' });
    // And each way of withdrawing does so; it ends no pause, and makes it no longer or shorter
    const ended = { ...consent(2), validityPeriod: { from: '2020-01-01', to: '2020-01-02' } };
    const ways = [record(identity, [consent(2, 'PORTRAIT', false)]), record(identity, [ended])];
    for (const change of [...ways, withdrawConsent(identity, idOf(1), 'o')]) {
      const { identity: left, published } = outcome(identity, change);
      expect(inForce(left, 'PORTRAIT')).toBe(false);
      expect(left).toMatchObject({ state, expiresAt: after(500), awaited: { consentsRevision: 1 } });
      expect(published).toEqual(['consents.changed']);
    }
  });

  test('that do not exist cannot be withdrawn', () => {
    expect(withdrawConsent(anIdentity({ consents: [consent(1)] }), idOf(2), idOf(901))).toEqual({
      refused: 'NOT_FOUND',
    });
  });

  test('beyond the limit of an identity are refused, and can still be withdrawn', () => {
    const consents = Array.from({ length: BOUNDS.consents }, (_, number) => consent(number));
    const full = anIdentity({ consents });
    expect(record(full, [consent(600)])).toEqual({ refused: 'STATE_CONFLICT' });
    expect(outcome(full, withdrawConsent(full, idOf(0), idOf(901))).identity.consents).toHaveLength(499);
  });

  test('are refused once the identity has all its operations, and can still be withdrawn', () => {
    // Given an identity with the most recorded operations that it can have
    const operationIds = Array.from({ length: BOUNDS.operations }, (_, number) => idOf(number));
    const worn = anIdentity({ operationIds, consents: [consent(1)] });
    // Then nothing can be added, and the consents can be withdrawn
    expect(record(worn, [consent(2)])).toEqual({ refused: 'STATE_CONFLICT' });
    expect(outcome(worn, withdrawConsent(worn, idOf(1), idOf(901)))).toMatchObject({
      refused: undefined,
      identity: { consents: [] },
    });
  });
});

test('a consent is recorded with the fields that the specification names, and no others', () => {
  const request = { approved: true, type: 'GIV', validityPeriod: { from: '2026-01-01' }, note: 'more' } as const;
  expect(recorded(request, 'id')).toEqual({
    ...{ consentId: 'id', approved: true, type: 'GIV' },
    validityPeriod: { from: '2026-01-01' },
  });
  const refused = { approved: false, type: 'PORTRAIT' } as const;
  for (const more of [{}, { validityPeriod: {} }])
    expect(recorded({ ...refused, ...more }, 'id')).toEqual({ consentId: 'id', ...refused });
});
