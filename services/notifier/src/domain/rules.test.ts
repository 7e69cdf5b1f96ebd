import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { codeMessage } from './code-message.ts';
import { afterAttempt, DEFAULT_SCHEDULE, retryAfterOf } from './delivery.ts';
import { endpointViolations, endpointWarnings, isGivenUp } from './endpoint.ts';
import { evaluationNotification, statusNotification } from './notification.ts';
import { headersOf } from './signing.ts';
import { mayReach, parseCidrs, parseTarget } from './target.ts';

const now = new Date('2026-01-01T00:00:00.000Z');

describe('after an attempt', () => {
  const status = fc.integer({ min: 100, max: 599 });
  test('2xx and nothing else delivers; the last attempt or a 410 fails; otherwise it is tried again after the delay', () => {
    fc.assert(
      fc.property(fc.option(status, { nil: undefined }), fc.integer({ min: 1, max: 9 }), (statusCode, made) => {
        const attempt = { at: now, ...(statusCode === undefined ? { error: 'TIMEOUT' } : { statusCode }) };
        const next = afterAttempt(attempt, made, DEFAULT_SCHEDULE, now);
        const accepted = statusCode !== undefined && Math.floor(statusCode / 100) === 2;
        if (accepted) return next.state === 'DELIVERED';
        if (statusCode === 410 || made >= 3) return next.state === 'FAILED' && next.nextAttemptAt === undefined;
        return next.state === 'PENDING' && next.nextAttemptAt?.getTime() === now.getTime() + 10_000;
      }),
    );
  });
});

test('a 410 of an address that the endpoint has no more fails like any other status', () => {
  const after = (made: number) =>
    afterAttempt({ at: now, statusCode: 410 }, made, { ...DEFAULT_SCHEDULE, isFormer: true }, now);
  expect([after(1).state, after(3).state]).toEqual(['PENDING', 'FAILED']);
});

test('a schedule takes the place of attempts and delay, up to days', () => {
  const schedule = { attempts: 3, delaySeconds: 10, schedule: [60, 3600, 172_800] };
  const after = (made: number) => afterAttempt({ at: now, statusCode: 500 }, made, schedule, now);
  expect([1, 2, 3].map((made) => (after(made).nextAttemptAt!.getTime() - now.getTime()) / 1000)).toEqual([
    60, 3600, 172_800,
  ]);
  expect(after(4)).toEqual({ state: 'FAILED' });
});

test.each([
  [429, { 'retry-after': '120' }, 120],
  [503, { 'retry-after': '0' }, 0],
  [503, { 'retry-after': 'Wed, 21 Oct 2026 07:30:00 GMT', date: 'Wed, 21 Oct 2026 07:28:00 GMT' }, 120],
  [503, { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT', date: 'Wed, 21 Oct 2026 07:30:00 GMT' }, undefined],
  [503, { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }, undefined],
  [503, { 'retry-after': 'soon', date: 'Wed, 21 Oct 2026 07:30:00 GMT' }, undefined],
  [503, { 'retry-after': '-5' }, undefined],
  [503, {}, undefined],
  [500, { 'retry-after': '120' }, undefined],
])('a receiver that answers %i with %j asks for a pause of %p seconds', (status, headers, seconds) => {
  expect(retryAfterOf(status, headers)).toBe(seconds);
});

test('the next attempt is made after the pause that the receiver asks for, or the longer one of the schedule', () => {
  const secondsAfter = (retryAfterSeconds: number) =>
    (afterAttempt({ at: now, statusCode: 503, retryAfterSeconds }, 1, DEFAULT_SCHEDULE, now).nextAttemptAt!.getTime() -
      now.getTime()) /
    1000;
  expect([1, 120, 999_999_999].map(secondsAfter)).toEqual([10, 120, 86_400]);
  expect(afterAttempt({ at: now, statusCode: 503, retryAfterSeconds: 120 }, 3, DEFAULT_SCHEDULE, now)).toEqual({
    state: 'FAILED',
  });
});

test('an endpoint is disabled once every attempt has failed for a time, five days by default', () => {
  const at = (seconds: number) => new Date(now.getTime() + seconds * 1000);
  expect(isGivenUp({}, at(1e9))).toBe(false);
  expect(isGivenUp({ failingSince: now }, at(432_000 - 1))).toBe(false);
  expect(isGivenUp({ failingSince: now }, at(432_000))).toBe(true);
  expect(isGivenUp({ failingSince: now, disableAfterSeconds: 60 }, at(60))).toBe(true);
});

// The example from the libraries of the Standard Webhooks specification.
test('webhook-signature is that of Standard Webhooks, one for each valid secret', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const body = Buffer.from('{"test": 2432232314}');
  const at = new Date(1_614_265_330_000);
  const sign = (more: object) =>
    headersOf({ mode: 'HMAC', headerName: 'X-S', secret, ...more }, body, 'msg_p5jXN8AQM9LWM0D4loKWxJek', at);
  expect(sign({})['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  const [first, second] = sign({ formerSecret: 'another' })['webhook-signature']!.split(' ');
  expect(first).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  expect(second).toBe(sign({ secret: 'another' })['webhook-signature']);
  expect(headersOf({ mode: 'API_KEY', headerName: 'X-K', secret }, body, 'm', at)).not.toHaveProperty(
    'webhook-signature',
  );
});

describe('a target', () => {
  const allowed = parseCidrs(['10.9.0.0/16', 'fd12::/16']);
  test.each(['10.9.4.4', 'fd12::1', '93.184.216.34', '2606:4700::1111'])('%s may be reached', (address) => {
    expect(mayReach(address, allowed)).toBe(true);
  });
  test('is no private address in any mapped or translated form, whatever else is allowed', () => {
    const byte = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(
        fc.constantFrom('10.8', '127.0', '169.254', '172.16', '192.168', '100.64', '0.0', '224.0'),
        byte,
        byte,
        (head, a, b) => {
          const v4 = `${head}.${a}.${b}`;
          const hex = [...v4.split('.')].map((part) => Number(part).toString(16).padStart(2, '0')).join('');
          const tail = `${hex.slice(0, 4)}:${hex.slice(4)}`;
          const forms = [v4, `::ffff:${v4}`, `::${tail}`, `64:ff9b::${tail}`, `2002:${tail}::`];
          return forms.every((form) => !mayReach(form, allowed));
        },
      ),
    );
  });
  test.each(['168.63.129.16', '1::1', '4000::1', '5f00::1', '100:0:0:1::1', '64:ff9b:1::a00:1', 'fec0::1', 'f000::1'])(
    'is not %s: a host of the cloud, or an address that is not routed',
    (address) => expect(mayReach(address, [])).toBe(false),
  );
  test('is always a plain web address', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const url = parseTarget(text);
        return url === undefined || /^https?:$/.test(url.protocol);
      }),
    );
    expect(parseTarget('https://example.org:8443/hook?x=1')?.port).toBe('8443');
  });
});

describe('notifications', () => {
  test('carry no field of the event that the specification does not name', () => {
    const evidence = { evidenceId: 'e', evidenceType: 'PORTRAIT', evidenceOperation: 'UPDATED' } as const;
    const notification = evaluationNotification('i', { identityStatus: 'PROCESSING', completedAt: 'c', evidence });
    expect(notification).toEqual({
      event: 'Evaluation',
      identityId: 'i',
      identityStatus: 'PROCESSING',
      completedAt: 'c',
      evidence,
    });
    const timeout = { identityStatus: 'TIMEOUT', completedAt: 'c', notify: true } as const;
    expect(statusNotification('i', timeout)).toEqual({
      event: 'IdentityStatusUpdate',
      identityId: 'i',
      identityStatus: 'TIMEOUT',
      completedAt: 'c',
    });
    expect(statusNotification('i', { ...timeout, notify: false })).toBeUndefined();
  });
});

describe('security settings', () => {
  test('any secret of an HMAC is accepted, a short one with a warning', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 512 }), (secret) => {
        const settings = { url: 'https://x/', mode: 'HMAC' as const, headerName: 'X-S', secret };
        const short = Buffer.byteLength(secret) < 16;
        return endpointViolations(settings).length === 0 && endpointWarnings(settings).length === (short ? 1 : 0);
      }),
    );
  });
});

describe('the message of a code', () => {
  test.each([
    ['de-AT', 'Ihr Bestätigungscode lautet 42. Er ist 5 Minuten gültig.'],
    [undefined, 'Your verification code is 42. It is valid for 5 minutes.'],
    ['xx', 'Your verification code is 42. It is valid for 5 minutes.'],
  ])('in %s', (language, text) => {
    expect(codeMessage('42', language, new Date(now.getTime() + 300_000), now).text).toBe(text);
  });
});
