import { describe, expect, test } from '@jest/globals';
import { anEvidence, anIdentity, idOf, LIFETIME, NOW, outcome, settings } from '../testing/builders.ts';
import { arm, playOf, policyUsed } from './sandbox.ts';
import { effectiveSettings } from './settings.ts';
import { commit, release, reserve } from './submissions.ts';

const sandbox = effectiveSettings({ sandbox: true });
const live = effectiveSettings({});
const inSandbox = () => anIdentity({ settings: { ...settings, sandbox: {} } });
const play = { outcome: 'portrait-unusable', webhookFailures: 2 };
const submission = (number: number) => ({
  evidenceId: idOf(number),
  type: 'PORTRAIT' as const,
  operation: 'PORTRAIT_CAPTURE' as const,
  consent: 'NONE' as const,
});
const armed = () => outcome(inSandbox(), arm(inSandbox(), play, { effective: sandbox, now: NOW })).identity;

describe('an armed outcome', () => {
  test('goes with the next submission of its kind, from its reservation to its evidence', () => {
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

  test('is the same where the request is repeated, and comes back where it is refused', () => {
    const once = outcome(armed(), reserve(armed(), submission(1), NOW)).identity;
    const twice = outcome(once, reserve(once, submission(1), NOW)).identity;
    expect(twice.reservations).toMatchObject([{ play }]);
    expect(outcome(twice, release(twice, idOf(1))).identity.armed).toEqual({ portrait: play });
  });

  test('is one of the catalogue', () => {
    const refused = arm(inSandbox(), { outcome: 'wealth' }, { effective: sandbox, now: NOW });
    expect(refused).toMatchObject({ refused: 'BAD_FIELD', field: 'outcome' });
    const code = arm(inSandbox(), { outcome: 'code-right' }, { effective: sandbox, now: NOW });
    expect(code).toMatchObject({ refused: 'BAD_FIELD', message: expect.stringContaining('codes') });
  });
});

describe('outside of a sandbox', () => {
  test('nothing is armed: neither the tenant nor the identity may lack the mark', () => {
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
