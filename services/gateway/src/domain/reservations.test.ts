import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { after, anEvidence, anIdentity, idOf, LIFETIME, NOW, outcome } from '../testing/builders.ts';
import type { ChangeResult } from './change.ts';
import { BOUNDS, type Identity, type Reservation } from './identity.ts';
import { release, renew, reserve } from './reservations.ts';
import { commit, takeIn } from './submissions.ts';
import { dropStaleReservations, isReserved } from './transaction.ts';

const submission = (number: number) => ({
  evidenceId: idOf(number),
  type: 'PASSPORT' as const,
  operation: 'ID_DOCUMENT_CAPTURE' as const,
  consent: 'NONE' as const,
});
const stored = (number: number) => ({ ...submission(number), submitDateTime: '2026-03-01T10:00:01.000' });
const aReservation = (number: number): Reservation => {
  const { consent: _, ...reserved } = submission(number);
  return { ...reserved, at: NOW, leaseUntil: after(15) };
};
const verified = (count: number) =>
  Array.from({ length: count }, (_, at) => anEvidence(1000 + at, { status: 'VERIFIED' }));

describe('the room that an identity has for evidence', () => {
  test('counts what is on its way, and is free again once that is refused', () => {
    const almost = anIdentity({ evidences: verified(BOUNDS.evidences - 1) });
    const full = outcome(almost, reserve(almost, submission(1), NOW)).identity;
    expect(outcome(full, reserve(full, submission(2), NOW)).refused).toBe('STATE_CONFLICT');
    const roomy = outcome(full, release(full, idOf(1))).identity;
    expect(outcome(roomy, reserve(roomy, submission(2), NOW)).refused).toBeUndefined();
  });

  test('is not taken twice by a submission that is repeated, neither while it is on its way nor once it is stored', () => {
    const almost = anIdentity({ evidences: verified(BOUNDS.evidences - 1) });
    const full = outcome(almost, reserve(almost, submission(1), NOW)).identity;
    const again = outcome(full, reserve(full, submission(1), after(20)));
    expect([again.refused, again.identity.reservations]).toMatchObject([undefined, [{ leaseUntil: after(35) }]]);
    const taken = outcome(again.identity, takeIn(again.identity, stored(1), NOW)).identity;
    expect(taken.evidences).toHaveLength(BOUNDS.evidences);
    expect(outcome(taken, reserve(taken, submission(1), NOW)).refused).toBeUndefined();
  });

  test('is for a bounded number of submissions at the same time; the next is asked to come again soon', () => {
    const reservations = Array.from({ length: BOUNDS.reservations }, (_, at) => aReservation(at));
    const crowded = anIdentity({ reservations });
    expect(outcome(crowded, reserve(crowded, submission(99), NOW)).refused).toBe('TOO_MANY_REQUESTS');
    expect(outcome(crowded, reserve(crowded, submission(0), NOW)).refused).toBeUndefined();
  });
});

describe('the lease of a submission', () => {
  const reserved = anIdentity({ reservations: [aReservation(1), aReservation(2)] });

  test('is renewed for that submission alone', () => {
    const { reservations } = outcome(reserved, renew(reserved, idOf(2), after(10))).identity;
    expect(reservations.map(({ leaseUntil }) => leaseUntil)).toEqual([after(15), after(25)]);
  });

  test('of what is not on its way is neither renewed nor given back', () => {
    expect(renew(reserved, idOf(3), NOW)).toBeUndefined();
    expect(release(reserved, idOf(3))).toBeUndefined();
  });

  test('ends at its time: the submission is dropped then, and not before', () => {
    expect([isReserved(reserved, idOf(1), after(14)), isReserved(reserved, idOf(1), after(15))]).toEqual([true, false]);
    expect(dropStaleReservations(reserved, after(14))).toBeUndefined();
    const renewed = outcome(reserved, renew(reserved, idOf(2), after(10))).identity;
    const { reservations } = outcome(renewed, dropStaleReservations(renewed, after(15))).identity;
    expect(reservations.map(({ evidenceId }) => evidenceId)).toEqual([idOf(2)]);
  });
});

test('whatever becomes of submissions, an identity has each evidence once, and never more than it may have', () => {
  const acts: Readonly<Record<string, (identity: Identity, number: number) => ChangeResult>> = {
    reserve: (identity, number) => reserve(identity, submission(number), NOW),
    renew: (identity, number) => renew(identity, idOf(number), NOW),
    refused: (identity, number) => release(identity, idOf(number)),
    answered: (identity, number) =>
      isReserved(identity, idOf(number), NOW) ? commit(identity, stored(number), LIFETIME, NOW) : undefined,
    forgotten: (identity) => dropStaleReservations(identity, after(16)),
  };
  const step = fc.tuple(fc.constantFrom(...Object.keys(acts)), fc.integer({ min: 1, max: 6 }));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let identity = anIdentity({ evidences: verified(BOUNDS.evidences - 1) });
      for (const [act, number] of steps) {
        const before = identity;
        const result = outcome(before, acts[act]?.(before, number));
        ({ identity } = result);
        const ids = identity.evidences.map(({ evidenceId }) => evidenceId);
        const onTheWay = identity.reservations.map(({ evidenceId }) => evidenceId);
        expect(new Set(ids).size).toBe(ids.length);
        expect(new Set(onTheWay).size).toBe(onTheWay.length);
        expect(new Set([...ids, ...onTheWay]).size).toBeLessThanOrEqual(BOUNDS.evidences);
        // Only an evidence that is new is refused for want of room
        if (
          act === 'reserve' &&
          [...before.evidences, ...before.reservations].some((one) => one.evidenceId === idOf(number))
        )
          expect(result.refused).toBeUndefined();
      }
    }),
  );
});
