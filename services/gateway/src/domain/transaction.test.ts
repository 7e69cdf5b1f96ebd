import { formatDateTime } from '@assay/contracts';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { after, anEvidence, anIdentity, LIFETIME, NOW, outcome } from '../testing/builders.ts';
import { applied, isRefusal } from './change.ts';
import type { Identity } from './identity.ts';
import { reserve } from './reservations.ts';
import { buildFailed, endGrace, giveUpBuild, proofBuilt, stillSending, winProof, withinGrace } from './retrieval.ts';
import { identityStatusOf } from './status.ts';
import { commit } from './submissions.ts';
import { beginClosing, close, dropStaleReservations, expire, fail, resume, whyNotWritable } from './transaction.ts';

const DAY = 24 * 3600;
const never = { enabled: false, pauseDurationSeconds: 60 };
const pausing = { enabled: true, pauseDurationSeconds: 60 };
const paused = anIdentity({ state: 'PAUSED', expiresAt: after(60) });
const reservation = {
  evidenceId: 'e',
  type: 'PASSPORT',
  operation: 'ID_DOCUMENT',
  at: NOW,
  leaseUntil: after(15),
} as const;

describe('a transaction whose time is up', () => {
  test('ends if the tenant has no pause', () => {
    const { identity } = outcome(anIdentity(), expire(anIdentity(), never, after(LIFETIME)));
    expect(identity).toMatchObject({ state: 'CLOSING', closing: { reason: 'TIMEOUT' } });
    expect(identityStatusOf(identity)).toBe('TIMEOUT');
    const { identity: closed, published } = outcome(identity, close(identity, 10, after(LIFETIME)));
    expect(published).toEqual(['identity.status-changed', 'identity.closed']);
    expect(closed).toMatchObject({ state: 'CLOSED', answersUntil: after(LIFETIME + 10) });
  });

  test.each([
    ['outlives every message, however soon nobody finds it', 10, 40 * DAY],
    ['stays as long as clients find it', 100 * DAY, 100 * DAY],
  ])('has a tombstone in every service that %s', (_what, tombstoneSeconds, stays) => {
    const closing = outcome(anIdentity(), expire(anIdentity(), never, after(LIFETIME))).identity;
    const change = close(closing, tombstoneSeconds, NOW);
    expect(change?.set).toMatchObject({ answersUntil: after(tombstoneSeconds), forgetAt: after(stays) });
    expect(change?.events.at(-1)?.data).toMatchObject({ forgetAt: formatDateTime(after(stays)) });
  });

  test('pauses if the tenant has that feature, and announces when the pause ends', () => {
    const change = expire(anIdentity({ sealedBusinessId: 'b' }), pausing, after(LIFETIME));
    expect(change?.set).toEqual({ state: 'PAUSED', expiresAt: after(LIFETIME + 60), reservations: [] });
    expect(change?.events[0]?.data).toEqual({
      identityStatus: 'PAUSED',
      completedAt: '2026-03-01T10:30:00.000',
      expireAt: '2026-03-01T10:31:00.000',
      sealedBusinessId: 'b',
      notify: true,
    });
  });

  test.each([
    ['not before its time', anIdentity(), after(LIFETIME - 1)],
    [
      'not while a submission is under way',
      anIdentity({ reservations: [reservation], expiresAt: after(5) }),
      after(10),
    ],
    ['not while its proof is fetched', anIdentity({ state: 'PROVING' }), after(LIFETIME)],
    ['not again', anIdentity({ state: 'CLOSED' }), after(LIFETIME)],
  ])('%s', (_what, identity, now) => expect(expire(identity, never, now)).toBeUndefined());

  test('a pause that is over ends in TIMEOUT', () =>
    expect(outcome(paused, expire(paused, pausing, after(60))).identity.closing?.reason).toBe('TIMEOUT'));
});

describe('a paused transaction', () => {
  test('continues with a new lifetime, and no client is notified', () => {
    const change = resume(paused, LIFETIME, after(30));
    const { identity } = outcome(paused, change);
    expect(identity).toMatchObject({ state: 'OPEN', expiresAt: after(30 + LIFETIME) });
    expect(change).toMatchObject({ events: [{ data: { identityStatus: 'EXPECTING_INPUT', notify: false } }] });
  });
  test('fails for good when its work does, and can still be read', () => {
    const { identity, published } = outcome(paused, fail(paused, NOW));
    expect([identityStatusOf(identity), published]).toEqual(['ERROR', ['identity.status-changed']]);
    expect(outcome(identity, resume(identity, 1, NOW)).refused).toBe('STATE_CONFLICT');
    expect(outcome(identity, expire(identity, never, after(60))).identity.closing?.reason).toBe('ERROR');
  });
  test.each([
    ['OPEN', 'STATE_CONFLICT'],
    ['CLOSED', 'CLOSED'],
  ] as const)('only a paused one resumes: %s is refused', (state, refused) =>
    expect(outcome(anIdentity({ state }), resume(anIdentity({ state }), 1, NOW)).refused).toBe(refused),
  );
});

describe('the retrieval of the proof', () => {
  const retrieval = (proofId = 'p') => ({ proofId, role: 'RELYING_SERVICE' as const, now: NOW });
  const proving = outcome(anIdentity(), winProof(anIdentity(), retrieval())).identity;

  test('is refused while anything is under way', () => {
    const busy = [
      anIdentity({ evidences: [anEvidence(1)] }),
      anIdentity({ evidences: [anEvidence(1, { status: 'ADJUDICATION' })] }),
      anIdentity({ reservations: [reservation] }),
    ];
    for (const identity of busy)
      expect(outcome(identity, winProof(identity, retrieval())).refused).toBe('PROOF_WHILE_PROCESSING');
  });
  test('is joined by a second one, and taken over when its builder has died', () => {
    expect(winProof(proving, retrieval('q'))).toBeUndefined();
    const late = outcome(proving, winProof(proving, { ...retrieval('q'), now: after(16) })).identity;
    expect(late.proof).toMatchObject({ proofId: 'p', leaseUntil: after(31) });
  });
  test('refuses submissions, and admits them again when it fails', () => {
    expect(whyNotWritable(proving)).toBe('STATE_CONFLICT');
    const open = outcome(proving, buildFailed(proving, 'p')).identity;
    expect([open.state, open.proof]).toEqual(['OPEN', undefined]);
    expect(buildFailed(proving, 'another')).toBeUndefined();
  });
  test('can be repeated until the grace ends', () => {
    const ready = { proofId: 'p', bytes: 1, filename: 'f' };
    const { identity } = outcome(proving, proofBuilt(proving, ready, 10, NOW));
    expect([withinGrace(identity, after(9)), withinGrace(identity, after(10))]).toEqual([true, false]);
  });

  const ready = { proofId: 'p', bytes: 1, filename: 'f' };
  const built = outcome(proving, proofBuilt(proving, ready, 10, NOW)).identity;
  const closedAs = (reason: 'PROOF_RETRIEVED' | 'DELETED', seconds: number) => {
    const closing = outcome(built, beginClosing(built, reason, after(seconds))).identity;
    const change = close(closing, 60, after(seconds + 20))!;
    const published = change.events.find(({ event }) => event.type === 'identity.closed')?.data;
    return { identity: outcome(closing, change).identity, published };
  };
  test('restarts the grace period while it is downloaded', () => {
    const downloading = outcome(built, stillSending(built, 'p', after(8))).identity;
    expect([withinGrace(downloading, after(17)), withinGrace(downloading, after(18))]).toEqual([true, false]);
    expect(stillSending(built, 'another', NOW)).toBeUndefined();
    expect(stillSending(proving, 'p', NOW)).toBeUndefined();
  });
  test('leaves its archive for the grace period, which begins with the closing', () => {
    const { identity, published } = closedAs('PROOF_RETRIEVED', 9);
    expect(published).toMatchObject({ proofId: 'p' });
    expect([withinGrace(identity, after(38)), withinGrace(identity, after(39))]).toEqual([true, false]);
    expect(stillSending(identity, 'p', after(30))).toBeUndefined();
  });
  test.each([
    ['the tenant wants a closed identity found for a shorter time', 10, 40 * DAY],
    ['no tombstone would stay that long', 90 * DAY, 90 * DAY],
  ])('is found as long as its archive can be fetched, also if %s', (_case, graceSeconds, stays) => {
    const inGrace = outcome(proving, proofBuilt(proving, ready, graceSeconds, NOW)).identity;
    const change = close(outcome(inGrace, beginClosing(inGrace, 'PROOF_RETRIEVED', NOW)).identity, 1, NOW);
    expect(change?.set).toMatchObject({ answersUntil: after(graceSeconds), forgetAt: after(stays) });
  });
  test.each([
    ['no client retrieved it in time', 'PROOF_RETRIEVED', 10],
    ['the client deleted the identity', 'DELETED', 1],
  ] as const)('leaves nothing when %s', (_case, reason, seconds) => {
    const { identity, published } = closedAs(reason, seconds);
    expect(published).not.toHaveProperty('proofId');
    expect(identity.proof).toBeUndefined();
  });
});

test('stale reservations are removed, live ones stay', () => {
  const stale = { ...reservation, evidenceId: 's', leaseUntil: after(-1) };
  expect(dropStaleReservations(anIdentity({ reservations: [reservation] }), NOW)).toBeUndefined();
  expect(dropStaleReservations(anIdentity({ reservations: [stale, reservation] }), NOW)?.set.reservations).toEqual([
    reservation,
  ]);
});

/** Everything that can happen to a transaction, in any order. */
const steps: Record<string, (identity: Identity, now: Date) => ReturnType<typeof expire> | ReturnType<typeof resume>> =
  {
    reserve: (identity, now) =>
      reserve(
        identity,
        { evidenceId: `e${now.getTime()}`, type: 'PASSPORT', operation: 'ID_DOCUMENT', consent: 'NONE' },
        now,
      ),
    commit: (identity, now) => {
      const [first] = identity.reservations;
      return first && commit(identity, { ...first, submitDateTime: '2026-03-01T10:00:00.000' }, 60, now);
    },
    finish: (identity) => ({
      set: { evidences: identity.evidences.map((evidence) => ({ ...evidence, status: 'VERIFIED' as const })) },
      events: [],
    }),
    prove: (identity, now) => winProof(identity, { proofId: 'p', role: 'USER_AGENT', now }),
    built: (identity, now) => proofBuilt(identity, { proofId: 'p', bytes: 1, filename: '' }, 60, now),
    failed: (identity) => buildFailed(identity, 'p'),
    delete: (identity, now) => beginClosing(identity, 'DELETED', now),
    closeAfterProof: (identity, now) =>
      identity.proof?.built ? beginClosing(identity, 'PROOF_RETRIEVED', now) : undefined,
    endGrace,
    giveUpBuild,
    close: (identity, now) => close(identity, 60, now),
    expire: (identity, now) => expire(identity, pausing, now),
    resume: (identity, now) => resume(identity, 60, now),
    fail: (identity, now) => fail(identity, now),
  };

test('whatever happens: closed stays closed, is published once, and contains nothing; a proof is won only when nothing is in process', () => {
  const move = fc.tuple(fc.constantFrom(...Object.keys(steps)), fc.integer({ min: 0, max: 120 }));
  fc.assert(
    fc.property(fc.array(move, { maxLength: 40 }), (moves) => {
      let identity = anIdentity();
      let now = NOW;
      let closings = 0;
      for (const [name, seconds] of moves) {
        now = new Date(now.getTime() + seconds * 1000);
        const before = identity;
        const decision = steps[name]!(before, now);
        if (decision === undefined || isRefusal(decision)) continue;
        identity = name === 'finish' && before.state === 'CLOSED' ? before : applied(before, decision);
        closings += decision.events.filter(({ event }) => event.type === 'identity.closed').length;
        if (before.state === 'CLOSED') expect(identity.state).toBe('CLOSED');
        if (before.state !== 'PROVING' && identity.state === 'PROVING')
          expect([before.reservations, identityStatusOf(before)]).toEqual([[], 'EXPECTING_INPUT']);
        if (before.state === 'PROVING')
          expect(identity.evidences).toHaveLength(identity.state === 'CLOSED' ? 0 : before.evidences.length);
      }
      expect(closings).toBe(identity.state === 'CLOSED' ? 1 : 0);
      if (identity.state === 'CLOSED')
        expect([identity.evidences, identity.consents, identity.contacts]).toEqual([[], [], []]);
    }),
    { numRuns: 2000 },
  );
});
