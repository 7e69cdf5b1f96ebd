import { CONSENT_TYPES, type Consent, present, todayAt } from '@assay/contracts';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { after, anEvidence, anIdentity, idOf, LIFETIME, NOW, outcome } from '../testing/builders.ts';
import { type CONSENT_RULES, consentMissing } from './consent-rules.ts';
import { recordConsents, recorded, withdrawConsent } from './consents.ts';
import { release, renew, reserve } from './reservations.ts';
import { commit, takeIn } from './submissions.ts';
import { currentPortrait } from './views.ts';

const submission = (number: number, more = {}) => ({
  evidenceId: idOf(number),
  type: 'PORTRAIT' as const,
  operation: 'PORTRAIT_CAPTURE' as const,
  consent: 'NONE' as const,
  ...more,
});
const stored = (number: number, more = {}) => ({
  ...submission(number),
  submitDateTime: '2026-03-01T10:00:01.000',
  ...more,
});
const consent = (type: Consent['type'], approved = true, validityPeriod?: Consent['validityPeriod']): Consent => ({
  consentId: idOf(50),
  type,
  approved,
  ...present({ validityPeriod }),
});

describe('a submission', () => {
  test('reserves, renews while on its way, becomes an evidence, and restarts the lifetime', () => {
    const reserved = outcome(anIdentity(), reserve(anIdentity(), submission(1), NOW)).identity;
    expect(reserved.reservations[0]).toMatchObject({ evidenceId: idOf(1), leaseUntil: after(15) });
    const renewed = outcome(reserved, renew(reserved, idOf(1), after(10))).identity;
    expect(renewed.reservations[0]?.leaseUntil).toEqual(after(25));
    const done = outcome(renewed, commit(renewed, stored(1), LIFETIME, after(20))).identity;
    expect(done).toMatchObject({
      reservations: [],
      expiresAt: after(20 + LIFETIME),
      evidences: [{ status: 'PROCESSING' }],
    });
  });
  test('that is refused leaves nothing', () => {
    const reserved = outcome(anIdentity(), reserve(anIdentity(), submission(1), NOW)).identity;
    expect(outcome(reserved, release(reserved, idOf(1))).identity).toEqual(anIdentity());
  });
  test.each(['PAUSED', 'ERROR', 'PROVING', 'CLOSING', 'CLOSED'] as const)(
    'is not accepted by an identity that is %s',
    (state) => {
      const identity = anIdentity({ state });
      const refused = state.startsWith('CLOS') ? 'CLOSED' : 'STATE_CONFLICT';
      expect(outcome(identity, reserve(identity, submission(1), NOW)).refused).toBe(refused);
      expect(outcome(identity, commit(identity, stored(1), 1, NOW)).refused).toBe(refused);
    },
  );
  test('the event and the request may come in either order, and more than once', () => {
    const reserved = outcome(anIdentity(), reserve(anIdentity(), submission(1), NOW)).identity;
    const byEvent = outcome(reserved, takeIn(reserved, stored(1), NOW)).identity;
    expect(takeIn(byEvent, stored(1), NOW)).toBeUndefined();
    expect(outcome(byEvent, commit(byEvent, stored(1), LIFETIME, NOW)).identity.evidences).toHaveLength(1);
  });
});

describe('a new portrait', () => {
  const first = outcome(anIdentity(), takeIn(anIdentity(), stored(1), NOW)).identity;
  test('replaces the former, which is deleted for good', () => {
    const { identity, published } = outcome(first, takeIn(first, stored(2), NOW));
    expect(published).toEqual(['evidence.deleted']);
    expect(identity.evidences.map(({ evidenceId }) => evidenceId)).toEqual([idOf(2)]);
    expect(takeIn(identity, stored(1), NOW)).toBeUndefined();
  });
  test('a live session replaces it only once it has captured something', () => {
    const session = stored(2, { sessionId: 's', media: [] });
    const began = outcome(first, takeIn(first, session, NOW)).identity;
    expect(currentPortrait(began)?.evidenceId).toBe(idOf(1));
    const ended = outcome(began, takeIn(began, { ...session, media: [{}] }, NOW));
    expect(ended.published).toEqual(['evidence.deleted']);
    expect(currentPortrait(ended.identity)?.evidenceId).toBe(idOf(2));
  });
  test('documents do not replace each other', () => {
    const one = anIdentity({ evidences: [anEvidence(1)] });
    const two = outcome(one, takeIn(one, { ...stored(2), type: 'PASSPORT', operation: 'ID_DOCUMENT_CAPTURE' }, NOW));
    expect(two.identity.evidences).toHaveLength(2);
  });
});

describe('consents', () => {
  const needs = (name: keyof typeof CONSENT_RULES, ...consents: Consent[]) =>
    consentMissing(consents, name, todayAt(new Date('2026-03-01T11:59:00Z')))?.refused;
  test('a portrait and one-time codes need theirs; text and health cards need GIV; images need none', () => {
    expect(needs('PORTRAIT')).toBe('CONSENT_MISSING');
    expect(needs('PORTRAIT', consent('PORTRAIT'))).toBeUndefined();
    expect(needs('DOCUMENT_TEXT')).toBe('CONSENT_MISSING');
    expect(needs('HEALTH_CARD', consent('GIV'))).toBeUndefined();
    expect(needs('EMAIL', consent('EMAIL_OTP'))).toBeUndefined();
    expect(needs('MOBILE', consent('EMAIL_OTP'))).toBe('CONSENT_MISSING');
    expect(needs('DOCUMENT_CAPTURE')).toBeUndefined();
  });
  test('refusing a type refuses its submission', () => {
    expect(needs('DOCUMENT_CAPTURE', consent('ID_DOCUMENT', false))).toBe('CONSENT_MISSING');
    expect(needs('ATTRIBUTES', consent('ATTRIBUTES', false), consent('ATTRIBUTES'))).toBeUndefined();
  });
  test.each([
    [{ from: '2020-01-01' }, undefined],
    [{ to: '2026-03-01' }, undefined],
    [{ to: '2026-02-28' }, 'CONSENT_MISSING'],
    [{ from: '2026-03-02' }, undefined],
    [{ from: '2026-03-03' }, 'CONSENT_MISSING'],
  ])('the period %j begins where its day begins first, and ends with its last day in UTC', (period, refused) =>
    expect(needs('PORTRAIT', consent('PORTRAIT', true, period))).toBe(refused),
  );
  test('only the fields of the specification are stored', () => {
    const given = { approved: true, type: 'GIV' as const, extra: 1, validityPeriod: { to: '2027-01-01', more: 2 } };
    expect(recorded(given, 'c')).toEqual({
      consentId: 'c',
      approved: true,
      type: 'GIV',
      validityPeriod: { to: '2027-01-01' },
    });
  });
  test('a withdrawn consent is no longer in force, whatever was recorded before it', () => {
    const entry = fc.record({ type: fc.constantFrom(...CONSENT_TYPES), approved: fc.boolean() });
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1, maxLength: 12 }), (entries) => {
        const consents = entries.map((one, index) => ({ ...one, consentId: idOf(index) }));
        const recording = { consents, operationId: idOf(99), lifetimeSeconds: 60, now: NOW };
        const { identity } = outcome(anIdentity(), recordConsents(anIdentity(), recording));
        const last = consents.at(-1)!;
        const { identity: left } = outcome(identity, withdrawConsent(identity, last.consentId, idOf(98)));
        expect(left.consents.some(({ type }) => type === last.type)).toBe(false);
        expect(left.consents).toEqual(consents.filter(({ type }) => type !== last.type));
        expect(left.consentsRevision).toBe(2);
      }),
    );
  });
});
