import { describe, expect, test } from '@jest/globals';
import { aContact, after, anEvidence, anIdentity, idOf, LIFETIME, NOW, outcome } from '../testing/builders.ts';
import { BOUNDS, type Identity, STATES } from './identity.ts';
import {
  beginClosing,
  close,
  isForgotten,
  postAccepted,
  whyNotAddable,
  whyNotReadable,
  whyNotTakenBack,
  withReceipt,
} from './transaction.ts';

const PERSONAL = 'PERSONAL';
const contact = aContact({ sealedContact: PERSONAL, otp: { ...aContact().otp, hash: PERSONAL } });
/** An identity that has everything an identity can have of a person. */
const full: Identity = anIdentity({
  sealedBusinessId: PERSONAL,
  businessRef: PERSONAL,
  sealedPreviousProofId: PERSONAL,
  previousProofId: PERSONAL,
  consents: [{ consentId: PERSONAL, approved: true, type: 'GIV' }],
  evidences: [
    anEvidence(1, { status: 'VERIFIED', sealedData: PERSONAL, sessionId: 'session-1' }),
    anEvidence(2, { status: 'VERIFIED', sessionId: 'session-2' }),
  ],
  deletedEvidenceIds: [PERSONAL],
  operationIds: [PERSONAL],
  evaluated: { levelOfAssurance: 'LOA2', evaluationDateTime: PERSONAL, upgradePaths: {} },
  awaited: { deletions: 1, consentsRevision: 1 },
  markers: [{ lockId: PERSONAL, status: 200, sealedBody: PERSONAL }],
  contacts: [contact],
  otpDueAt: after(300),
  said: [{ data: PERSONAL }],
  saidDueAt: after(120),
});
const closing = outcome(full, beginClosing(full, 'DELETED', after(5))).identity;
const closed = outcome(closing, close(closing, 60, after(10))).identity;

describe('the tombstone of an identity', () => {
  test('has nothing of the person', () => {
    expect(JSON.stringify(full)).toContain(PERSONAL);
    expect(JSON.stringify(closed)).not.toContain(PERSONAL);
  });

  test('has these members, and no others', () => {
    const left = Object.entries(closed).flatMap(([name, value]) =>
      Array.isArray(value) && value.length === 0 ? [] : name,
    );
    expect(left.sort()).toEqual(
      [
        ...['_id', 'tenantId', 'revision', 'state', 'createdAt', 'expiresAt', 'creatorRole', 'settings'],
        ...['consentsRevision', 'caseRevision', 'closing', 'closedAt', 'endedSessionIds'],
        ...['answersUntil', 'forgetAt', 'repeatAt'],
      ].sort(),
    );
  });

  test('knows the sessions that ended with it, so that their ids answer as its own does', () => {
    expect(closed.endedSessionIds).toEqual(['session-1', 'session-2']);
    const bare = outcome(anIdentity(), beginClosing(anIdentity(), 'DELETED', NOW)).identity;
    expect(outcome(bare, close(bare, 60, NOW)).identity).not.toHaveProperty('endedSessionIds');
  });

  test('is written once: what is closed is neither closed nor begun to be closed again', () => {
    expect(beginClosing(closing, 'TIMEOUT', after(6))).toBeUndefined();
    expect([beginClosing(closed, 'TIMEOUT', after(20)), close(closed, 60, after(20))]).toEqual([undefined, undefined]);
    expect(close(full, 60, NOW)).toBeUndefined();
  });

  test('is found until its answers are over; one of a former release, until it is removed', () => {
    expect([isForgotten(closed, after(69)), isForgotten(closed, after(70))]).toEqual([false, true]);
    const former = { forgetAt: after(100) };
    expect([isForgotten(former, after(99)), isForgotten(former, after(100))]).toEqual([false, true]);
    expect(isForgotten(anIdentity(), after(1_000_000))).toBe(false);
  });

  test('stores the first receipt that is signed, and only once it is closed', () => {
    const receipt = { jws: 'first', kid: 'kid' };
    const signed = outcome(closed, withReceipt(closed, receipt)).identity;
    expect(signed.receipt).toEqual(receipt);
    expect(withReceipt(signed, { jws: 'second', kid: 'kid' })).toBeUndefined();
    for (const state of STATES.filter((each) => each !== 'CLOSED'))
      expect(withReceipt(anIdentity({ state }), receipt)).toBeUndefined();
  });
});

describe('what an identity still allows', () => {
  test.each([
    ['OPEN', [undefined, undefined, undefined]],
    ['PAUSED', ['STATE_CONFLICT', undefined, undefined]],
    ['ERROR', ['STATE_CONFLICT', undefined, undefined]],
    ['PROVING', ['STATE_CONFLICT', 'STATE_CONFLICT', undefined]],
    ['CLOSING', ['CLOSED', 'CLOSED', 'CLOSED']],
    ['CLOSED', ['CLOSED', 'CLOSED', 'CLOSED']],
  ] as const)('to add, to take back and to read while it is %s: %j', (state, refused) => {
    const identity = anIdentity({ state });
    expect([whyNotAddable(identity), whyNotTakenBack(identity), whyNotReadable(identity)]).toEqual(refused);
    expect(outcome(identity, postAccepted(identity, LIFETIME, NOW)).refused).toBe(refused[0]);
  });

  test('ends, for what adds something, with the most operations that it may have', () => {
    const operationIds = Array.from({ length: BOUNDS.operations }, (_, number) => idOf(number));
    expect(whyNotAddable(anIdentity({ operationIds }))).toBe('STATE_CONFLICT');
    expect(whyNotAddable(anIdentity({ operationIds: operationIds.slice(1) }))).toBeUndefined();
  });

  test('lasts its whole lifetime again after every accepted POST', () => {
    const { identity } = outcome(anIdentity(), postAccepted(anIdentity(), LIFETIME, after(1000)));
    expect(identity.expiresAt).toEqual(after(1000 + LIFETIME));
  });
});
