import { describe, expect, test } from '@jest/globals';
import { anEvidence, anIdentity, idOf, LIFETIME, NOW, outcome, settings } from '../testing/builders.ts';
import { release, reserve } from './reservations.ts';
import { arm, playOf, policyUsed } from './sandbox.ts';
import { effectiveSettings } from './settings.ts';
import { commit, takeIn } from './submissions.ts';
import { dropStaleReservations } from './transaction.ts';

const sandbox = effectiveSettings({ sandbox: true });
const live = effectiveSettings({});
const inSandbox = () => anIdentity({ settings: { ...settings, sandbox: {} } });
const play = { outcome: 'portrait-unusable', webhookFailures: 2 };
const other = { outcome: 'portrait-adjudication' };
const LATER = new Date(NOW.getTime() + 60_000);
const stored = (number: number) => ({ ...submission(number), submitDateTime: '2026-03-01T10:00:01.000' });
const submission = (number: number) => ({
  evidenceId: idOf(number),
  type: 'PORTRAIT' as const,
  operation: 'PORTRAIT_CAPTURE' as const,
  consent: 'NONE' as const,
});
const armed = () => outcome(inSandbox(), arm(inSandbox(), play, { effective: sandbox, now: NOW })).identity;

test('an indicator that no check raises cannot be armed: a misspelt one would play another outcome', () => {
  const given = (indicators: string[]) => arm(inSandbox(), { ...play, indicators }, { effective: sandbox, now: NOW });
  expect(given(['DOC_EXPIRATION_DATE_FAILED', 'DOC_EXPIRATION_FAILED'])).toMatchObject({
    refused: 'BAD_FIELD',
    field: 'indicators[1]',
  });
  expect(given(['DOC_EXPIRATION_DATE_FAILED'])).not.toHaveProperty('refused');
});

describe('an armed outcome', () => {
  test('applies to the next submission of its kind, from its reservation to its evidence', () => {
    const text = { ...submission(1), type: 'PASSPORT' as const, operation: 'ID_DOCUMENT' as const };
    const other = outcome(armed(), reserve(armed(), text, NOW)).identity;
    expect(playOf(other, sandbox, idOf(1))).toEqual({ sandbox: {} });
    const reserved = outcome(other, reserve(other, submission(2), NOW)).identity;
    expect(reserved.armed).toEqual({});
    expect(playOf(reserved, sandbox, idOf(2))).toEqual({ sandbox: { play } });
    const stored = { ...submission(2), submitDateTime: '2026-03-01T10:00:01.000' };
    const taken = outcome(reserved, commit(reserved, stored, LIFETIME, NOW)).identity;
    expect(playOf(taken, sandbox, idOf(2))).toEqual({ sandbox: { play } });
  });

  test('is the same if the request is repeated, and is armed again if it is refused', () => {
    const once = outcome(armed(), reserve(armed(), submission(1), NOW)).identity;
    const twice = outcome(once, reserve(once, submission(1), NOW)).identity;
    expect(twice.reservations).toMatchObject([{ play }]);
    expect(outcome(twice, release(twice, idOf(1))).identity.armed).toEqual({ portrait: play });
  });

  test('of a repeated request is its own, not one that was armed later for another', () => {
    const once = outcome(armed(), reserve(armed(), submission(1), NOW)).identity;
    const anew = outcome(once, arm(once, other, { effective: sandbox, now: NOW })).identity;
    const repeated = outcome(anew, reserve(anew, submission(1), NOW)).identity;
    expect(repeated).toMatchObject({ reservations: [{ play }], armed: { portrait: other } });
  });

  describe('that a submission with an unknown result had taken', () => {
    const given = () => {
      const reserved = outcome(armed(), reserve(armed(), submission(1), NOW)).identity;
      const change = dropStaleReservations(reserved, LATER);
      return outcome(reserved, change!).identity;
    };

    test('applies to its repetition', () => {
      const repeated = outcome(given(), reserve(given(), submission(1), LATER)).identity;
      expect(repeated).toMatchObject({ reservations: [{ play }], armed: {} });
      expect(playOf(repeated, sandbox, idOf(1))).toEqual({ sandbox: { play } });
    });

    test('applies to the next of its kind', () => {
      const next = outcome(given(), reserve(given(), submission(2), LATER)).identity;
      expect(next).toMatchObject({ reservations: [{ play }], armed: {} });
    });

    test('belongs to that submission if it was stored after all', () => {
      const late = outcome(given(), takeIn(given(), stored(1), LATER)!).identity;
      expect(late).toMatchObject({ evidences: [{ play }], armed: {} });
    });

    test('applies to the next if another is stored', () => {
      const late = outcome(given(), takeIn(given(), stored(2), LATER)!).identity;
      expect(late.evidences[0]).not.toHaveProperty('play');
      expect(late.armed).toMatchObject({ portrait: play });
    });

    test('is replaced by what was armed later', () => {
      const reserved = outcome(armed(), reserve(armed(), submission(1), NOW)).identity;
      const anew = outcome(reserved, arm(reserved, other, { effective: sandbox, now: NOW })).identity;
      const dropped = outcome(anew, dropStaleReservations(anew, LATER)!).identity;
      expect(dropped.armed).toEqual({ portrait: other });
    });
  });

  test('is one of the catalogue', () => {
    const refused = arm(inSandbox(), { outcome: 'wealth' }, { effective: sandbox, now: NOW });
    expect(refused).toMatchObject({ refused: 'BAD_FIELD', field: 'outcome' });
    const code = arm(inSandbox(), { outcome: 'code-right' }, { effective: sandbox, now: NOW });
    expect(code).toMatchObject({ refused: 'BAD_FIELD', message: expect.stringContaining('codes') });
  });
});

describe('outside of a sandbox', () => {
  test('nothing is armed: tenant and identity must both be marked', () => {
    for (const [identity, effective] of [
      [anIdentity(), sandbox],
      [inSandbox(), live],
    ] as const)
      expect(arm(identity, play, { effective, now: NOW })).toEqual({ refused: 'NO_SANDBOX' });
  });

  test('nothing is played, whatever is stored', () => {
    const identity = anIdentity({ evidences: [anEvidence(1, { play })], armed: { portrait: play } });
    expect(playOf(identity, live, idOf(1))).toEqual({});
    expect(policyUsed(identity)).toBe('default 1.0');
    expect(policyUsed(inSandbox())).toBe('default 1.0 sandbox');
  });
});
