import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isRefusal } from './change.ts';
import {
  finish,
  handOver,
  handoverOf,
  isFollower,
  originOfUrl,
  takeBack,
  type UserAgentSession,
  useSession,
  whyNotAllowed,
} from './user-agent-session.ts';

const NOW = new Date('2026-03-01T10:00:00.000Z');
const END = new Date('2026-03-01T10:30:00.000Z');
const aSession = (more: Partial<UserAgentSession> = {}): UserAgentSession => ({
  _id: 's',
  revision: 0,
  tenantId: 't',
  identityId: 'i',
  createdAt: NOW,
  expiresAt: END,
  tokenHash: 'token-0',
  tokenHashes: ['token-0'],
  formerTokenHashes: [],
  steps: ['DOCUMENT'],
  ...more,
});
const REQUEST = { seedId: 'request', attempt: 0 };
/** The session after a use or a handover, and the refusal if there was one. */
const after = (session: UserAgentSession, change: ReturnType<typeof useSession>) => {
  if (change === undefined || isRefusal(change)) return { session, refused: change?.refused };
  const next = { ...session, ...change.set };
  for (const field of change.unset ?? []) delete next[field];
  return { session: next, refused: undefined };
};
const use = (session: UserAgentSession, tokenHash: string, deviceHash: string, now = NOW) =>
  after(session, useSession(session, { tokenHash, deviceHash, now }));

describe('a session', () => {
  test('given it was not used, when a device uses it, then it is that device\u2019s and no other\u2019s', () => {
    const { session } = use(aSession(), 'token-0', 'phone');
    expect(use(session, 'token-0', 'phone').refused).toBeUndefined();
    expect(use(session, 'token-0', 'laptop').refused).toBe('SESSION_ELSEWHERE');
  });

  test('given its end, when it is used, then it is unknown', () => {
    expect(use(aSession(), 'token-0', 'phone', END).refused).toBe('UNAUTHENTICATED');
  });

  test('given a handover, when the other device comes, then the former one is refused; until then it is admitted', () => {
    const bound = use(aSession(), 'token-0', 'laptop').session;
    const { session } = after(bound, handOver(bound, 'token-0', 'token-1', REQUEST));
    expect(use(session, 'token-0', 'laptop').refused).toBeUndefined();
    const moved = use(session, 'token-1', 'phone').session;
    expect(use(moved, 'token-0', 'laptop').refused).toBe('SESSION_ELSEWHERE');
    expect(use(moved, 'token-1', 'phone').refused).toBeUndefined();
    expect(use(moved, 'token-1', 'laptop').refused).toBe('SESSION_ELSEWHERE');
  });

  test('given two handovers, then the first token is invalid', () => {
    const once = after(aSession(), handOver(aSession(), 'token-0', 'token-1', REQUEST)).session;
    const second = after(once, handOver(once, 'token-0', 'token-2', REQUEST)).session;
    expect(use(second, 'token-1', 'phone').refused).toBe('SESSION_ELSEWHERE');
    expect(use(second, 'token-2', 'phone').refused).toBeUndefined();
  });

  test('given a repeat that was answered, then a late attempt at the same request is refused, and another request is not', () => {
    const repeated = { ...REQUEST, attempt: 1 };
    const answered = after(aSession(), handOver(aSession(), 'token-0', 'token-2', repeated)).session;
    expect(after(answered, handOver(answered, 'token-0', 'token-1', REQUEST)).refused).toBe('IDEMPOTENCY_RUNNING');
    const other = { seedId: 'another request', attempt: 0 };
    expect(after(answered, handOver(answered, 'token-0', 'token-3', other)).refused).toBeUndefined();
  });

  test('given as many handovers as there may be, when another is asked for, then no waiting helps', () => {
    let session = aSession();
    for (let nth = 1; nth <= 20; nth += 1)
      ({ session } = after(session, handOver(session, 'token-0', `token-${nth}`, REQUEST)));
    expect(after(session, handOver(session, 'token-0', 'token-21', REQUEST)).refused).toBe('STATE_CONFLICT');
  });

  test('given a session that moved, then the former device hands over no more, and says no more that all is done', () => {
    const waiting = after(aSession(), handOver(aSession(), 'token-0', 'token-1', REQUEST)).session;
    const moved = use(waiting, 'token-1', 'phone').session;
    const acts = [handOver(moved, 'token-0', 'token-2', REQUEST), finish(moved, 'token-0', NOW)];
    expect(acts.map((one) => after(moved, one).refused)).toEqual(['SESSION_ELSEWHERE', 'SESSION_ELSEWHERE']);
    expect(after(moved, finish(moved, 'token-1', NOW)).session.doneAt).toEqual(NOW);
  });

  test('given a handover, then the device that handed over can follow it to its end, and no other can', () => {
    const bound = use(aSession(), 'token-0', 'laptop').session;
    expect(handoverOf(bound)).toBe('NONE');
    const waiting = after(bound, handOver(bound, 'token-0', 'token-1', REQUEST)).session;
    expect(handoverOf(waiting)).toBe('WAITING');
    const taken = use(waiting, 'token-1', 'phone').session;
    expect(handoverOf(taken)).toBe('TAKEN');
    const follows = (tokenHash: string, deviceHash: string, now = NOW) =>
      isFollower(taken, { tokenHash, deviceHash, now });
    expect([follows('token-0', 'laptop'), follows('token-0', 'phone'), follows('token-1', 'phone')]).toEqual([
      ...[true, false, false],
    ]);
    expect(follows('token-0', 'laptop', END)).toBe(false);
    expect(handoverOf(after(taken, finish(taken, 'token-1', NOW)).session)).toBe('DONE');
  });

  test('given the other device is lost, when the first takes the session back, then it acts again and the other no more', () => {
    const bound = use(aSession(), 'token-0', 'laptop').session;
    const waiting = after(bound, handOver(bound, 'token-0', 'token-1', REQUEST)).session;
    const taken = use(waiting, 'token-1', 'phone').session;
    expect(after(taken, takeBack(taken, 'token-2')).refused).toBe('SESSION_ELSEWHERE');
    const { session } = after(taken, takeBack(taken, 'token-0'));
    expect(handoverOf(session)).toBe('NONE');
    expect(use(session, 'token-0', 'laptop').refused).toBeUndefined();
    expect(use(session, 'token-0', 'phone').refused).toBe('SESSION_ELSEWHERE');
    expect(use(session, 'token-1', 'phone').refused).toBe('SESSION_ELSEWHERE');
    expect(isFollower(session, { tokenHash: 'token-1', deviceHash: 'phone', now: NOW })).toBe(false);
    expect(takeBack(session, 'token-0')).toBeUndefined();
  });

  test('given an address nobody opened, when the session is taken back, then the address opens nothing', () => {
    const waiting = after(aSession(), handOver(aSession(), 'token-0', 'token-1', REQUEST)).session;
    const { session } = after(waiting, takeBack(waiting, 'token-0'));
    expect(handoverOf(session)).toBe('NONE');
    expect(use(session, 'token-1', 'phone').refused).toBe('SESSION_ELSEWHERE');
  });

  test('given a third device, when the second takes the session back, then neither the first nor the third acts', () => {
    const first = after(aSession(), handOver(aSession(), 'token-0', 'token-1', REQUEST)).session;
    const second = use(first, 'token-1', 'phone').session;
    const given = after(second, handOver(second, 'token-1', 'token-2', REQUEST)).session;
    const third = use(given, 'token-2', 'tablet').session;
    expect(after(third, takeBack(third, 'token-0')).refused).toBe('SESSION_ELSEWHERE');
    const { session } = after(third, takeBack(third, 'token-1'));
    const acting = (
      [
        ['token-0', 'laptop'],
        ['token-1', 'phone'],
        ['token-2', 'tablet'],
      ] as const
    ).filter(([token, device]) => !use(session, token, device).refused);
    expect(acting).toEqual([['token-1', 'phone']]);
  });

  test('given all steps are done, when the session is taken back, then nothing changes', () => {
    const waiting = after(aSession(), handOver(aSession(), 'token-0', 'token-1', REQUEST)).session;
    const taken = use(waiting, 'token-1', 'phone').session;
    const done = after(taken, finish(taken, 'token-1', NOW)).session;
    expect(takeBack(done, 'token-0')).toBeUndefined();
    expect(handoverOf(done)).toBe('DONE');
  });

  test('given handovers that are taken back again and again, then they are counted and end', () => {
    let session = use(aSession(), 'token-0', 'laptop').session;
    let nth = 0;
    while (nth < 30) {
      nth += 1;
      const given = after(session, handOver(session, 'token-0', `token-${nth}`, REQUEST));
      if (given.refused) break;
      const taken = use(given.session, `token-${nth}`, 'phone').session;
      session = after(taken, takeBack(taken, 'token-0')).session;
    }
    expect(nth).toBe(21);
  });

  test('whatever is done, at most one device is admitted, with one token', () => {
    const act = fc.record({
      kind: fc.constantFrom('handover', 'take back', 'use'),
      token: fc.nat(6),
      device: fc.constantFrom('a', 'b', 'c'),
    });
    fc.assert(
      fc.property(fc.array(act, { maxLength: 30 }), (acts) => {
        let session = aSession();
        let tokens = 1;
        for (const { kind, token, device } of acts) {
          if (kind === 'take back') session = after(session, takeBack(session, `token-${token}`)).session;
          else if (kind === 'handover') {
            const next = after(session, handOver(session, `token-${token}`, `token-${tokens}`, REQUEST));
            if (!next.refused) tokens += 1;
            session = next.session;
          } else session = use(session, `token-${token}`, device).session;
          const bound = session.deviceHash;
          const entries = session.tokenHashes.flatMap((hash) =>
            ['a', 'b', 'c'].filter(
              (one) =>
                hash !== session.nextTokenHash &&
                useSession(session, { tokenHash: hash, deviceHash: one, now: NOW }) === undefined,
            ),
          );
          expect(entries).toEqual(bound === undefined ? [] : [bound]);
        }
      }),
    );
  });
});

describe('the request for a session', () => {
  const tenant = ['https://shop.example', 'https://other.example:8443', 'myapp://return'];
  test.each([
    [{ returnUrl: 'https://shop.example/done?x=1' }, undefined],
    [{ returnUrl: 'myapp://return/done' }, undefined],
    [{ returnUrl: 'https://shop.example.evil.example/' }, 'returnUrl'],
    [{ returnUrl: 'https://shop.example@evil.example/' }, 'returnUrl'],
    [{ returnUrl: 'https://user@shop.example/' }, 'returnUrl'],
    [{ returnUrl: 'https://shop.example\\@evil.example/' }, 'returnUrl'],
    [{ returnUrl: 'https://shop.example\t/done' }, 'returnUrl'],
    [{ returnUrl: 'https://shop\n.example/done' }, 'returnUrl'],
    [{ returnUrl: 'http://shop.example/' }, 'returnUrl'],
    [{ returnUrl: 'javascript:alert(1)' }, 'returnUrl'],
    [{ returnUrl: 'nowhere' }, 'returnUrl'],
    [{ allowedOrigins: ['https://shop.example'], returnUrl: 'https://other.example:8443/' }, 'returnUrl'],
    [{ allowedOrigins: ['https://shop.example', 'https://evil.example'] }, 'allowedOrigins[1]'],
    [{}, undefined],
  ])('%j is refused at %s', (wishes, field) => {
    expect(whyNotAllowed(wishes, tenant)?.field).toBe(field);
  });

  test('an origin has the form that browsers send', () => {
    expect(originOfUrl('HTTPS://Shop.Example:443/a')).toBe('https://shop.example');
  });
});
