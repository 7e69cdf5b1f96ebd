import { createAskCodeKey, createInternalClient } from '@assay/http';
import { noticeKeyOf, openJson, sealingContext } from '@assay/sealing';
import { loseReply, quietLog, testKeys, waitFor } from '@assay/testing';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { MOST_TO_ONE_DESTINATION } from '../store/code-limits.ts';
import { created, type Rig, startRig } from '../testing/rig.ts';

const MINUTE_MS = 60_000;
let aheadMs = 0;
let rig: Rig;
let acme: Awaited<ReturnType<Rig['tenant']>>;
beforeAll(async () => {
  rig = await startRig({ now: () => new Date(Date.now() + aheadMs) });
  acme = await rig.tenant();
});
afterEach(() => {
  aheadMs = 0;
});
afterAll(() => rig.close());

const requestsOf = (identityId: string) =>
  rig.published.filter((event) => event.type === 'one-time-code.requested' && event.identityId === identityId);

/** The nth message that was sent to this identity, decrypted as the notifier does it. */
const messageSent = async (identityId: string, nth = 1): Promise<{ to: string; code: string }> => {
  const { data } = await waitFor('the message', () => requestsOf(identityId)[nth - 1]);
  const key = (await rig.stores.keys.find(identityId))!;
  const context = sealingContext(acme.tenantId, identityId, 'message');
  return openJson(noticeKeyOf(key), context, String(data.sealedMessage));
};
const codeSent = async (identityId: string, nth = 1): Promise<string> => (await messageSent(identityId, nth)).code;
const otherThan = (code: string): string => (code === '000000' ? '000001' : '000000');

/** An identity whose person consented to one-time codes. */
const consenting = async () => {
  const identity = await created(acme.rs);
  const consents = [
    { approved: true, type: 'EMAIL_OTP' },
    { approved: true, type: 'MOBILE_OTP' },
  ];
  expect((await acme.rs.post(`${identity.at}/consents`, consents)).status).toBe(200);
  return identity;
};
/** An identity whose mobile number was sent a code. */
const started = async (value = '+49 170 1234567') => {
  const { id, at } = await consenting();
  const path = `${at}/contacts/mobile`;
  const answer = await acme.rs.post(path, { value });
  expect(answer).toMatchObject({ status: 200 });
  const { body } = answer;
  return { id, at, path, body, give: (otp: string) => acme.rs.post(`${path}/otp`, { otp }) };
};
const codeOf = (answer: { body: { errors: { code: string }[] } }): string | undefined => answer.body.errors[0]?.code;

/** Whether the gateway says that this code may be sent. */
const maySend = async (identityId: string, nth = 1): Promise<boolean> => {
  const { data } = await waitFor('the request', () => requestsOf(identityId)[nth - 1]);
  const keys = testKeys('notifier');
  const gateway = createInternalClient({ baseUrl: rig.internalUrl, keys, to: 'gateway', log: quietLog });
  const key = await createAskCodeKey(gateway, keys)({ tenantId: acme.tenantId, identityId }, String(data.codeId));
  return key !== undefined;
};

describe('a one-time code may be sent', () => {
  test('until its contact gets another one', async () => {
    const { id, path } = await started('+49 171 5550001');
    expect(await maySend(id)).toBe(true);
    expect((await acme.rs.post(path, { value: '+49 170 7654322' })).status).toBe(200);
    expect([await maySend(id), await maySend(id, 2)]).toEqual([false, true]);
  });

  test('until its contact is deleted', async () => {
    const { id, at, body } = await started('+49 171 5550002');
    expect((await acme.rs.delete(`${at}/evidences/${body.id}`)).status).toBe(200);
    expect(await maySend(id)).toBe(false);
  });

  test('until it is confirmed', async () => {
    const { id, give } = await started('+49 171 5550003');
    expect((await give(await codeSent(id))).status).toBe(200);
    expect(await maySend(id)).toBe(false);
  });

  test('until its identity is closed, also while its notices can be sent', async () => {
    const { id } = await started('+49 171 5550004');
    await rig.stores.identities.model.updateOne({ _id: id }, { $set: { state: 'CLOSING' } });
    expect(await maySend(id)).toBe(false);
  });
});

describe('a one-time code', () => {
  test('requested for the eleventh time, then the refusal does not say to try again', async () => {
    const path = `${(await consenting()).at}/contacts/mobile`;
    const value = '+49 170 7654321';
    for (let nth = 1; nth <= 10; nth += 1) expect(await acme.rs.post(path, { value })).toMatchObject({ status: 200 });
    const refused = await acme.rs.post(path, { value });
    expect(refused).toMatchObject({ status: 409, body: { errors: [{ code: '4304' }] } });
    expect(refused.headers.get('retry-after')).toBeNull();
  });

  test.each([
    ['+44 (0)7700 900123', '+447700900123'],
    ['0044 (0) 7700-900123', '00447700900123'],
    ['(02) 5550 1234', '0255501234'],
    ['+1 (202) 555-0123', '+12025550123'],
  ])('to %s is sent to %s', async (value, to) => {
    expect((await messageSent((await started(value)).id)).to).toBe(to);
  });

  test.each(['112   ', '7-------', '+1 () ()', '81190 (', '+49 170 1234567 and more'])(
    'is not sent to %j, which is no number of six digits',
    async (value) => {
      const answer = await acme.rs.post(`${(await consenting()).at}/contacts/mobile`, { value });
      expect([answer.status, answer.body.errors[0].field]).toEqual([400, 'value']);
    },
  );

  test('answered in time, then the contact is an evidence, and the code is used up', async () => {
    const { id, at, body, give } = await started();
    const code = await codeSent(id);
    expect(await give(code)).toMatchObject({ status: 200, body: { type: 'MOBILE_OTP', id: body.id } });
    expect((await give(code)).status).toBe(409);
    expect((await acme.rs.get(`${at}/contacts/mobile`)).body.otp.status).toBe('DONE');
  });

  test('answered while one for another address is requested, then the two contacts are two', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id, path, body, give } = await started(`+61 491 570 00${round}`);
      const code = await codeSent(id);
      const [given, next] = await Promise.all([give(code), acme.rs.post(path, { value: `+61 491 570 01${round}` })]);
      expect(next.status).toBe(200);
      // The request may have come first: it makes the code worthless.
      if (given.status !== 200) continue;
      expect(next.body.id).not.toBe(body.id);
      const { contacts } = (await rig.stores.identities.read(id))!;
      expect(contacts.map(({ evidenceId, verified }) => [evidenceId, verified])).toEqual([
        [body.id, true],
        [next.body.id, false],
      ]);
    }
  });

  test('answered wrongly as often as allowed, then the right one is refused as well', async () => {
    const { id, give } = await started();
    const code = await codeSent(id);
    const answers = [];
    for (let attempt = 0; attempt < 4; attempt += 1) answers.push(codeOf(await give(otherThan(code))));
    expect(answers).toEqual(['4301', '4301', '4302', '4302']);
    expect(codeOf(await give(code))).toBe('4302');
  });

  test('answered with its last attempt, and the reply of the database is lost, then this answer alone is compared again', async () => {
    const { id, give } = await started('+49 172 1234567');
    const code = await codeSent(id);
    for (let attempt = 1; attempt < 3; attempt += 1) await give(otherThan(code));
    const lost = loseReply(rig.stores.identities, 'takeAttempt');
    await Promise.all([give(code), lost]);
    expect(codeOf(await give(otherThan(code)))).toBe('4302');
    expect(await give(code)).toMatchObject({ status: 200, body: { type: 'MOBILE_OTP' } });
  });

  test('answered wrongly with its last attempt, and the reply of the database is lost, then it stays locked', async () => {
    const { id, at, give } = await started('+49 172 1234567');
    const code = await codeSent(id);
    const wrong = otherThan(code);
    for (let attempt = 1; attempt < 3; attempt += 1) await give(wrong);
    const lost = loseReply(rig.stores.identities, 'takeAttempt');
    await Promise.all([give(wrong), lost]);
    expect([codeOf(await give(code)), codeOf(await give(wrong)), codeOf(await give(code))]).toEqual(
      Array(3).fill('4302'),
    );
    expect((await acme.rs.get(`${at}/contacts/mobile`)).body.otp.status).toBe('ERROR');
  });

  test('guessed by many requests at once, then no more guesses are checked than allowed', async () => {
    const { id, give } = await started();
    const code = await codeSent(id);
    const answers = await Promise.all(Array.from({ length: 12 }, () => give(otherThan(code))));
    const looked = answers.filter((answer) => codeOf(answer) === '4301');
    expect(looked.length).toBeLessThanOrEqual(3);
    expect(codeOf(await give(code))).toBe('4302');
  });

  test('answered too late, then it has expired, and another one can be requested', async () => {
    const { id, path, body, give } = await started();
    const code = await codeSent(id);
    aheadMs = 11 * MINUTE_MS;
    expect(codeOf(await give(code))).toBe('4300');
    const again = await acme.rs.post(path, { value: '+49 170 1234567' });
    expect(again).toMatchObject({ status: 200, body: { id: body.id } });
    expect((await give(await codeSent(id, 2))).status).toBe(200);
  });

  test('that was replaced by another is wrong', async () => {
    const { id, path, give } = await started();
    const first = await codeSent(id);
    await acme.rs.post(path, { value: '+49 170 1234567' });
    const second = await codeSent(id, 2);
    expect(first === second || codeOf(await give(first)) === '4301').toBe(true);
    expect((await give(second)).status).toBe(200);
  });

  test('requested twice under one Idempotency-Key, then one is sent, and both answers are the same', async () => {
    const { id, at } = await consenting();
    const ask = () =>
      acme.rs.post(`${at}/contacts/email`, { value: 'a@example.org' }, { 'Idempotency-Key': 'the-same' });
    const answers = [await ask(), await ask()];
    expect(answers[1]?.body).toEqual(answers[0]?.body);
    await codeSent(id);
    expect(requestsOf(id)).toHaveLength(1);
  });

  test('and the number are in nothing that is stored or published', async () => {
    const { id } = await started();
    const code = await codeSent(id);
    const { contacts } = (await rig.stores.identities.read(id))!;
    const everything = JSON.stringify([contacts, requestsOf(id)]);
    expect(everything).not.toContain('1701234567');
    expect(everything).not.toContain(`"${code}"`);
  });

  test('refused for the state of its identity uses up no code of the number', async () => {
    const value = '+49 171 7654321';
    const [paused, open] = [await consenting(), await consenting()];
    const setState = (state: 'PAUSED' | 'OPEN') =>
      rig.stores.identities.change(paused.id, () => ({ set: { state }, events: [] }), { now: new Date() });
    await setState('PAUSED');
    for (let nth = 0; nth < MOST_TO_ONE_DESTINATION; nth += 1)
      expect((await acme.rs.post(`${paused.at}/contacts/mobile`, { value })).status).toBe(409);
    expect((await acme.rs.post(`${open.at}/contacts/mobile`, { value })).status).toBe(200);
  });

  test('of an identity of another tenant is not found', async () => {
    const { path } = await started();
    const other = await rig.tenant();
    const answers = [
      await other.rs.get(path),
      await other.rs.post(path, { value: '+49 170 1234567' }),
      await other.rs.post(`${path}/otp`, { otp: '123456' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  });

  test('of a deleted contact is no longer expected, and the proof can be retrieved', async () => {
    const { id, at, body, give } = await started();
    const code = await codeSent(id);
    expect((await acme.rs.delete(`${at}/evidences/${body.id}`)).status).toBe(200);
    expect((await give(code)).status).toBe(409);
    expect((await acme.rs.get(`${at}/proof`)).status).toBe(200);
  });
});
