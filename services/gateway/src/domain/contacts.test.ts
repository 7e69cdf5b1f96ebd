import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { after, anEvidence, anIdentity, idOf, LIFETIME, NOW, outcome } from '../testing/builders.ts';
import { rightCode, whyNotAnswerable, wrongCode } from './code-answer.ts';
import { codeSent, codeView, contactOf, expireCodes, startCode, withoutContact } from './contacts.ts';
import { BOUNDS, type Identity } from './identity.ts';

const SECONDS = 60;
const startOf = (nth: number, now: Date) =>
  ({
    channel: 'EMAIL',
    evidenceId: idOf(nth),
    codeId: `code-${nth}`,
    hash: `hash-${nth}`,
    sealedContact: 'contact',
    sealedMessage: 'message',
    timeoutSeconds: SECONDS,
    attempts: 3,
    lifetimeSeconds: LIFETIME,
    operationId: `operation-${nth}`,
    now,
  }) as const;
const start = (identity: Identity, nth = 1, now = NOW) => startCode(identity, startOf(nth, now));
const answer = (nth: number, now = NOW) =>
  ({ channel: 'EMAIL', codeId: `code-${nth}`, lifetimeSeconds: LIFETIME, operationId: 'answer', now }) as const;
const started = outcome(anIdentity(), start(anIdentity()));

describe('a one-time code', () => {
  test('given none, when one is requested, then it is on its way and the contact is no evidence yet', () => {
    expect(started.published).toEqual(['contact.changed', 'one-time-code.requested']);
    expect(started.identity.evidences).toEqual([]);
    expect(started.identity.otpDueAt).toEqual(after(SECONDS));
    expect(contactOf(started.identity, 'EMAIL')).toMatchObject({ evidenceId: idOf(1), verified: false, sent: 1 });
  });

  test('given one, when another is requested, then the contact has the same id and the former code is invalid', () => {
    const { identity } = outcome(started.identity, start(started.identity, 2));
    expect(contactOf(identity, 'EMAIL')).toMatchObject({ evidenceId: idOf(1), contactRevision: 2, sent: 2 });
    expect(outcome(identity, rightCode(identity, answer(1))).refused).toBe('OTP_NOT_STARTED');
    expect(outcome(identity, rightCode(identity, answer(2))).refused).toBeUndefined();
  });

  test('given ten were sent, when another is requested, then it is refused', () => {
    let { identity } = started;
    for (let nth = 2; nth <= 10; nth += 1) ({ identity } = outcome(identity, start(identity, nth)));
    expect(outcome(identity, start(identity, 11)).refused).toBe('OTP_USED_UP');
  });

  test('answered in time, then the contact is an evidence, and the lifetime begins again', () => {
    const { identity, published } = outcome(started.identity, rightCode(started.identity, answer(1, after(10))));
    expect(published).toEqual(['contact.changed']);
    expect(identity.evidences).toMatchObject([{ evidenceId: idOf(1), type: 'EMAIL', status: 'PROCESSING' }]);
    expect(identity.expiresAt).toEqual(after(10 + LIFETIME));
    expect(identity.otpDueAt).toBeUndefined();
    expect(outcome(identity, rightCode(identity, answer(1))).refused).toBe('OTP_NOT_STARTED');
  });

  test('given its time is up, then it times out once and no answer is accepted', () => {
    expect(expireCodes(started.identity, after(SECONDS - 1))).toBeUndefined();
    expect(whyNotAnswerable(started.identity, 'EMAIL', after(SECONDS))).toBe('OTP_EXPIRED');
    const { identity } = outcome(started.identity, expireCodes(started.identity, after(SECONDS)));
    expect(contactOf(identity, 'EMAIL')?.otp.status).toBe('TIMEOUT');
    expect(expireCodes(identity, after(2 * SECONDS))).toBeUndefined();
    expect(outcome(identity, rightCode(identity, answer(1))).refused).toBe('OTP_EXPIRED');
  });

  test('given its message was refused, then it was not started while it could be valid, and expired afterwards', () => {
    const { identity } = outcome(started.identity, codeSent(started.identity, 'code-1', false));
    expect(whyNotAnswerable(identity, 'EMAIL', after(SECONDS - 1))).toBe('OTP_NOT_STARTED');
    expect(whyNotAnswerable(identity, 'EMAIL', after(SECONDS))).toBe('OTP_EXPIRED');
  });

  test('the provider\u2019s report counts once, and not for a former code', () => {
    const { identity } = outcome(started.identity, codeSent(started.identity, 'code-1', true));
    expect(contactOf(identity, 'EMAIL')?.otp.status).toBe('PENDING');
    expect(codeSent(identity, 'code-1', false)).toBeUndefined();
    expect(codeSent(identity, 'code-0', true)).toBeUndefined();
  });

  test('given as many evidences as an identity may have, then no code is sent and no answer makes one more', () => {
    const evidences = Array.from({ length: BOUNDS.evidences }, (_, at) => anEvidence(100 + at, { status: 'VERIFIED' }));
    const full = { ...started.identity, evidences };
    expect(outcome(full, start(full, 2)).refused).toBe('STATE_CONFLICT');
    expect(whyNotAnswerable(full, 'EMAIL', NOW)).toBe('STATE_CONFLICT');
    expect(outcome(full, rightCode(full, answer(1))).refused).toBe('STATE_CONFLICT');
    // When one of them is deleted, then the code that was sent counts
    const roomy = { ...full, evidences: evidences.slice(1) };
    expect(whyNotAnswerable(roomy, 'EMAIL', NOW)).toBeUndefined();
    expect(outcome(roomy, rightCode(roomy, answer(1))).identity.evidences).toHaveLength(BOUNDS.evidences);
  });

  test.each([
    ['OPEN', undefined],
    ['PAUSED', 'STATE_CONFLICT'],
    ['PROVING', 'STATE_CONFLICT'],
    ['CLOSED', 'CLOSED'],
  ] as const)('of an identity that is %s: %s', (state, refused) => {
    const identity = { ...started.identity, state };
    expect(outcome(identity, start(identity, 2)).refused).toBe(refused);
    expect(outcome(identity, rightCode(identity, answer(1))).refused).toBe(refused);
  });

  test('is shown with its contact: NOT_VERIFIED until the contact is an evidence, and then with its status', () => {
    const view = codeView(started.identity, contactOf(started.identity, 'EMAIL')!);
    expect(view).toEqual({
      status: 'NOT_VERIFIED',
      type: 'EMAIL',
      id: idOf(1),
      otp: { status: 'INITIATE', creationTime: '2026-03-01T10:00:00.000', timeout: SECONDS },
    });
    const { identity } = outcome(started.identity, rightCode(started.identity, answer(1)));
    expect(codeView(identity, contactOf(identity, 'EMAIL')!)).toMatchObject({
      status: 'PROCESSING',
      otp: { status: 'DONE' },
    });
  });

  test('of one channel says nothing of another, and the next code that expires is that of either', () => {
    const mobile = { ...startOf(2, after(10)), channel: 'MOBILE' as const, timeoutSeconds: 10 };
    const { identity } = outcome(started.identity, startCode(started.identity, mobile));
    expect(contactOf(identity, 'MOBILE')).toMatchObject({ evidenceId: idOf(2), sent: 1 });
    expect(whyNotAnswerable(started.identity, 'MOBILE', NOW)).toBe('OTP_NOT_STARTED');
    expect(identity.otpDueAt).toEqual(after(20));
    // When the contact whose code expires first is deleted, then the other is next
    const left = outcome(identity, { events: [], ...withoutContact(identity, idOf(2))! }).identity;
    expect([left.otpDueAt, left.contacts.map(({ channel }) => channel)]).toEqual([after(SECONDS), ['EMAIL']]);
    expect(withoutContact(left, idOf(2))).toBeUndefined();
  });

  test('whatever happens, a contact is an evidence once at most, and only after a right answer', () => {
    const step = fc.oneof(
      fc.record({
        act: fc.constantFrom('start', 'sent', 'failed', 'wrong', 'right'),
        code: fc.integer({ min: 1, max: 6 }),
      }),
      fc.record({ act: fc.constant('expire'), code: fc.integer({ min: 0, max: 120 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let identity = anIdentity();
        let rights = 0;
        let next = 1;
        for (const { act, code } of steps) {
          const codeId = `code-${code}`;
          const decision = {
            start: () => start(identity, next),
            sent: () => codeSent(identity, codeId, true),
            failed: () => codeSent(identity, codeId, false),
            wrong: () => wrongCode(identity, { channel: 'EMAIL', codeId }),
            right: () => rightCode(identity, answer(code)),
            expire: () => expireCodes(identity, after(code)),
          }[act]?.();
          const result = outcome(identity, decision);
          if (act === 'start' && !result.refused) next += 1;
          if (act === 'right' && !result.refused && decision) rights += 1;
          ({ identity } = result);
          expect(identity.evidences).toHaveLength(rights);
          expect(new Set(identity.evidences.map(({ evidenceId }) => evidenceId)).size).toBe(rights);
          const waits = identity.contacts.some(({ otp }) => otp.status === 'INITIATE' || otp.status === 'PENDING');
          expect(identity.otpDueAt !== undefined).toBe(waits);
        }
      }),
    );
  });
});
