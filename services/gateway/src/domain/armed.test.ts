import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { after, anEvidence, anIdentity, idOf, LIFETIME, NOW, outcome, settings } from '../testing/builders.ts';
import { armedFor, armedWithout, leftArmed, rearmed, takenLate } from './armed.ts';
import type { ChangeResult } from './change.ts';
import type { Identity } from './identity.ts';
import { release, reserve } from './reservations.ts';
import { arm } from './sandbox.ts';
import { effectiveSettings } from './settings.ts';
import { commit, takeIn } from './submissions.ts';
import { dropStaleReservations } from './transaction.ts';

const portrait = { outcome: 'portrait-unusable' };
const document = { outcome: 'document-expired' };
const both = { armed: { portrait, documentImage: document } };

describe('an armed outcome', () => {
  test('is for submissions of its kind alone, by whichever call they come', () => {
    expect(armedFor(both, 'PORTRAIT_CAPTURE')).toEqual(portrait);
    expect(armedFor(both, 'LIVENESS_VIDEO')).toEqual(portrait);
    expect(armedFor(both, 'CONSENTS')).toBeUndefined();
    expect(armedFor({}, 'PORTRAIT_CAPTURE')).toBeUndefined();
  });

  test('that is used leaves those of other kinds armed', () => {
    expect(armedWithout(both, 'PORTRAIT_CAPTURE')).toEqual({ armed: { documentImage: document } });
    for (const operation of ['CONSENTS', 'PORTRAIT_CAPTURE'] as const)
      expect(armedWithout({ armed: {} }, operation)).toEqual({});
  });

  test('that a refused submission returns does not replace one that was armed since', () => {
    const refused = { operation: 'PORTRAIT_CAPTURE', play: portrait } as const;
    expect(rearmed({}, refused)).toEqual({ armed: { portrait } });
    expect(rearmed({ armed: { portrait: document } }, refused)).toEqual({ armed: { portrait: document } });
    expect(rearmed(both, { operation: 'PORTRAIT_CAPTURE' })).toEqual({});
  });

  test('that a lost submission left is played without the name of that submission', () => {
    const lost = { evidenceId: idOf(1), type: 'PORTRAIT', operation: 'PORTRAIT_CAPTURE', play: portrait } as const;
    const left = leftArmed({}, [{ ...lost, at: NOW, leaseUntil: NOW }]);
    expect(left.armed?.portrait).toMatchObject({ leftBy: idOf(1) });
    expect(armedFor(left, 'PORTRAIT_CAPTURE')).toEqual(portrait);
    expect(takenLate(left, lost)).toEqual({ play: portrait, armed: {} });
    expect(takenLate(left, { ...lost, evidenceId: idOf(2) })).toEqual({});
    expect(leftArmed(both, [])).toEqual({});
  });
});

const effective = effectiveSettings({ sandbox: true });
const submission = (number: number) => ({
  evidenceId: idOf(number),
  type: 'ATTRIBUTES' as const,
  operation: 'PORTRAIT_CAPTURE' as const,
  consent: 'NONE' as const,
});
const stored = (number: number) => ({ ...submission(number), submitDateTime: '2026-03-01T10:00:01.000' });
const isOnTheWay = ({ reservations }: Identity, number: number): boolean =>
  reservations.some(({ evidenceId }) => evidenceId === idOf(number));

/** Where an outcome is at present; its number of webhook failures tells it from others. */
const placesOf = ({ armed = {}, reservations, evidences }: Identity, failures: number): number =>
  [...Object.values(armed), ...[...reservations, ...evidences].map(({ play }) => play)].filter(
    (play) => play?.webhookFailures === failures,
  ).length;

test('whatever becomes of submissions, an armed outcome is at one place at most, and lost to another one alone', () => {
  const acts: Readonly<Record<string, (identity: Identity, number: number) => ChangeResult>> = {
    reserve: (identity, number) => reserve(identity, submission(number), NOW),
    refused: (identity, number) => release(identity, idOf(number)),
    answered: (identity, number) =>
      isOnTheWay(identity, number) ? commit(identity, stored(number), LIFETIME, NOW) : undefined,
    lost: (identity) => dropStaleReservations(identity, after(16)),
    reported: (identity, number) => takeIn(identity, stored(number), NOW),
  };
  const step = fc.tuple(fc.constantFrom('arm', ...Object.keys(acts)), fc.integer({ min: 1, max: 4 }));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let identity = anIdentity({ settings: { ...settings, sandbox: {} } });
      let newest = 0;
      for (const [act, number] of steps) {
        const play = { ...portrait, webhookFailures: newest + 1 };
        const decision = act === 'arm' ? arm(identity, play, { effective, now: NOW }) : acts[act]?.(identity, number);
        if (act === 'arm') newest += 1;
        ({ identity } = outcome(identity, decision));
        const places = Array.from({ length: newest }, (_, before) => placesOf(identity, before + 1));
        expect(Math.max(0, ...places)).toBeLessThanOrEqual(1);
        if (newest > 0) expect(places).toContain(1);
      }
    }),
  );
});

test('the repeat of a submission that arrived leaves what was armed since to the next one', () => {
  const known = anIdentity({ evidences: [anEvidence(1)], armed: { portrait } });
  const { identity } = outcome(known, reserve(known, submission(1), NOW));
  expect(identity.armed).toEqual({ portrait });
  expect(identity.reservations).toMatchObject([{ evidenceId: idOf(1) }]);
  expect(identity.reservations[0]?.play).toBeUndefined();
});

test('of two submissions that were lost, the later outcome is for the next one, also after a repeat', () => {
  let identity = anIdentity({ settings: { ...settings, sandbox: {} } });
  const apply = (decision: ChangeResult) => ({ identity } = outcome(identity, decision));
  for (const number of [1, 2]) {
    apply(arm(identity, { ...portrait, webhookFailures: number }, { effective, now: NOW }));
    apply(reserve(identity, submission(number), NOW));
  }
  apply(reserve(identity, submission(1), NOW));
  apply(dropStaleReservations(identity, after(16)));
  expect(identity.armed?.portrait).toMatchObject({ webhookFailures: 2, leftBy: idOf(2) });
});

test('an evidence that is there already takes no outcome that was armed since', () => {
  const known = anIdentity({ evidences: [anEvidence(1)], armed: { portrait: { ...portrait, leftBy: idOf(1) } } });
  expect(takeIn(known, { ...stored(1), submitDateTime: '2026-03-01T10:00:00.000' }, NOW)).toBeUndefined();
});
