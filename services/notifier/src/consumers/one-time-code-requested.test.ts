import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { formatDateTime } from '@assay/contracts';
import { newId } from '@assay/runtime';
import { waitFor } from '@assay/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SMTPServer } from 'smtp-server';
import { createMailer } from '../clients/mail.ts';
import { createTexter } from '../clients/sms.ts';
import { type Rig, startRig } from '../testing/rig.ts';

const mails: { to: string; text: string }[] = [];
const texts: { to: string; text: string; id: string }[] = [];
let smsStatuses: number[] = [];
const smtp = new SMTPServer({
  disabledCommands: ['AUTH', 'STARTTLS'],
  onRcptTo: ({ address }, _session, done) => {
    if (address.startsWith('nobody')) done(Object.assign(new Error('no such mailbox'), { responseCode: 550 }));
    else done();
  },
  onData: (stream, session, done) => {
    buffer(stream).then((bytes) => {
      mails.push({ to: session.envelope.rcptTo[0]?.address ?? '', text: bytes.toString() });
      done();
    }, done);
  },
});
let provider: Server;
let rig: Rig;

beforeAll(async () => {
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
  provider = createServer(async (request, response) => {
    texts.push({ ...JSON.parse((await buffer(request)).toString()), id: String(request.headers['idempotency-key']) });
    response.writeHead(smsStatuses.shift() ?? 202).end();
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;
  rig = await startRig({
    senders: {
      EMAIL: createMailer(`smtp://127.0.0.1:${portOf(smtp.server)}`, 'Assay <no-reply@localhost>'),
      MOBILE: createTexter(`http://127.0.0.1:${portOf(provider)}/sms`, 'token'),
    },
  });
});
afterAll(async () => {
  await rig.close();
  await new Promise<void>((resolve) => smtp.close(resolve));
  await new Promise<void>((resolve) => {
    provider.close(() => resolve());
  });
});

const sent = (codeId: string) =>
  waitFor('one-time-code.sent', () => rig.published.find(({ data }) => data.codeId === codeId));

describe('a one-time code', () => {
  test('is sent by mail, in the requested language', async () => {
    const codeId = await rig.code('EMAIL', 'person@example.org', '314159', { language: 'fr' });
    expect(await sent(codeId)).toMatchObject({ type: 'one-time-code.sent', data: { accepted: true } });
    const mail = mails.find(({ to }) => to === 'person@example.org');
    expect(mail?.text).toMatch(/314159/);
    expect(mail?.text).toMatch(new RegExp(`Message-ID: <${codeId}@assay>`, 'i'));
  });

  test.each(['x:list@example.org;', '(a)list@example.org', 'list@example.org,', 'list@example.org, b@example.org'])(
    'is sent to %j as one address or not at all, never to the addresses in a list, group or comment',
    async (to) => {
      const before = mails.length;
      await sent(await rig.code('EMAIL', to, '161803'));
      expect(mails.slice(before).filter((mail) => mail.to.replaceAll('"', '') !== to)).toEqual([]);
    },
  );

  test('is sent by SMS, again while the provider fails, under one id', async () => {
    smsStatuses = [503, 429];
    const codeId = await rig.code('MOBILE', '+61491570156', '271828');
    expect(await sent(codeId)).toMatchObject({ data: { accepted: true } });
    const mine = texts.filter(({ id }) => id === codeId);
    expect(mine.map(({ to }) => to)).toEqual(Array.from({ length: 3 }, () => '+61491570156'));
    expect(mine[0]?.text).toContain('271828');
  });

  test('that the provider refuses, or that has expired, is reported as such', async () => {
    smsStatuses = [400];
    const refused = await rig.code('MOBILE', '+1', '1');
    expect(await sent(refused)).toMatchObject({ data: { accepted: false } });
    const unknown = await rig.code('EMAIL', 'nobody@example.org', '2');
    expect(await sent(unknown)).toMatchObject({ data: { accepted: false } });
    const late = await rig.code('EMAIL', 'late@example.org', '3', { expiresAt: '2020-01-01T00:00:00.000' });
    expect(await sent(late)).toMatchObject({ data: { accepted: false } });
    expect(mails.some(({ to }) => to === 'late@example.org')).toBe(false);
  });

  test('that cannot be confirmed any more is not sent', async () => {
    const codeId = newId();
    rig.withdrawCode(codeId);
    await rig.code('EMAIL', 'former@example.org', '4', { codeId });
    expect(await sent(codeId)).toMatchObject({ data: { accepted: false } });
    expect(mails.some(({ to }) => to === 'former@example.org')).toBe(false);
  });

  test('that is withdrawn while the provider fails is not sent again', async () => {
    const codeId = newId();
    const mine = () => texts.filter(({ id }) => id === codeId).length;
    smsStatuses = [503, 202];
    await rig.code('MOBILE', '+61491570156', '5', { codeId });
    await waitFor('the first attempt', () => mine() === 1);
    rig.withdrawCode(codeId);
    expect(await sent(codeId)).toMatchObject({ data: { accepted: false } });
    expect(mine()).toBe(1);
    smsStatuses = [];
  });

  test('is stored nowhere', async () => {
    const codeId = await rig.code('EMAIL', 'canary@example.org', '987654');
    await sent(codeId);
    const all = await rig.mongodb.connection.collection('codes').find({}).toArray();
    expect(JSON.stringify(all)).not.toMatch(/canary|987654/);
  });
});

describe('a notice of a waiting case', () => {
  const waiting = (to: string, more: object = {}) => rig.waiting({ to, ...more });
  const mailsTo = (address: string) => mails.filter(({ to }) => to === address);

  test('is sent by mail to the address of the tenant, once, with ids and times alone', async () => {
    const event = await waiting('desk@acme.example', { url: 'https://assay.example/console/#/cases/1' });
    await waitFor('the mail', () => mailsTo('desk@acme.example').length === 1);
    await rig.republish(event);
    await waiting('other@acme.example');
    await waitFor('the next mail', () => mailsTo('other@acme.example').length === 1);
    const [mail, ...more] = mailsTo('desk@acme.example');
    expect(more).toEqual([]);
    expect(mail?.text).toMatch(/Subject: A case has waited for an operator for 5 hours/);
    expect(mail?.text).toMatch(/\(passport\) has waited for 5 hours/);
    expect(mail?.text).toContain('https://assay.example/console/#/cases/1');
    expect(mail?.text).not.toMatch(/BUSINESSCANARY/);
  });

  test('is not sent if the mail server refuses, or once the case is over', async () => {
    await waiting('nobody@acme.example');
    await waiting('late@acme.example', { expiresAt: '2020-01-01T00:00:00.000' });
    await waiting('after@acme.example');
    await waitFor('the last one', () => mailsTo('after@acme.example').length === 1);
    expect(mailsTo('late@acme.example')).toEqual([]);
  });
});

test('codes by SMS go out while the mail server answers nothing', async () => {
  let asked = 0;
  let hangUp: () => void = () => undefined;
  const hangs = new Promise<'unavailable'>((resolve) => {
    hangUp = () => resolve('unavailable');
  });
  const hanging = await startRig({
    senders: {
      EMAIL: () => {
        asked += 1;
        return hangs;
      },
      MOBILE: async () => 'accepted',
    },
  });
  for (let n = 0; n < 30; n += 1) await hanging.code('EMAIL', 'person@example.org', '1');
  await waitFor('the mails under way', () => asked === 10);
  const codeId = await hanging.code('MOBILE', '+61491570156', '2');
  const isSent = (): boolean => hanging.published.some(({ data }) => data.codeId === codeId);
  const then = await waitFor('the SMS', () => isSent() && { asked }, 10_000).finally(hangUp);
  expect(then).toEqual({ asked: 10 });
  await hanging.close();
}, 30_000);

test('a code that expires while others of its channel go out is not sent', async () => {
  const asked: string[] = [];
  let answer: () => void = () => undefined;
  const answered = new Promise<'accepted'>((resolve) => {
    answer = () => resolve('accepted');
  });
  const hanging = await startRig({
    senders: {
      EMAIL: ({ to }) => {
        asked.push(to);
        return answered;
      },
    },
  });
  for (let n = 0; n < 10; n += 1) await hanging.code('EMAIL', 'person@example.org', '1');
  await waitFor('the mails under way', () => asked.length === 10);
  const expiresAt = new Date(Date.now() + 700);
  const codeId = await hanging.code('EMAIL', 'late@example.org', '2', { expiresAt: formatDateTime(expiresAt) });
  await waitFor('the code to expire', () => Date.now() > expiresAt.getTime());
  answer();
  const outcome = await waitFor('its outcome', () => hanging.published.find(({ data }) => data.codeId === codeId));
  expect(outcome).toMatchObject({ data: { accepted: false } });
  expect(asked).not.toContain('late@example.org');
  await hanging.close();
}, 30_000);
