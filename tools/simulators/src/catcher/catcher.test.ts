import { connect } from 'node:net';
import { type Listening, listen } from '@assay/http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createCatcher } from './app.ts';
import { createCaught } from './messages.ts';
import { listenSmtp } from './smtp.ts';

const nothing = (): void => undefined;
const log = { info: nothing, warn: nothing, error: nothing, debug: nothing, fatal: nothing };
const caught = createCaught();
let http: Listening;
let smtp: Awaited<ReturnType<typeof listenSmtp>>;
beforeAll(async () => {
  smtp = await listenSmtp({ port: 0, host: '127.0.0.1', caught, log });
  http = await listen(createCatcher({ caught, log }), { port: 0 });
});
afterAll(async () => {
  const closed = http.close();
  http.server.closeAllConnections();
  await Promise.all([closed, smtp.close()]);
});

/** Sends these SMTP lines, one after each reply. */
const mail = (lines: string[]): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect(smtp.port, '127.0.0.1');
    const left = [...lines];
    socket.on('data', (data) => {
      if (/^[45]/m.test(data.toString())) reject(new Error(data.toString()));
      const next = left.shift();
      if (next === undefined) socket.end();
      else socket.write(`${next}\r\n`);
    });
    socket.on('close', () => resolve());
    socket.on('error', reject);
  });
const messages = async (to = '') => {
  const reply = await fetch(`http://127.0.0.1:${http.port}/messages${to && `?to=${encodeURIComponent(to)}`}`);
  return ((await reply.json()) as { items: { channel: string; to: string; subject: string; text: string }[] }).items;
};

test('mail and text messages are caught, shown by receiver, and forgotten', async () => {
  await mail([
    'EHLO test',
    'MAIL FROM:<service@assay.test>',
    'RCPT TO:<Noor@example.test>',
    'DATA',
    [
      'Subject: =?utf-8?Q?Ihr_Code_f=C3=BCr_heute?=',
      'MIME-Version: 1.0',
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      'Code: 123456 =C3=BC=\r\nber',
      '.',
    ].join('\r\n'),
    'QUIT',
  ]);
  const sms = await fetch(`http://127.0.0.1:${http.port}/sms`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ to: '+61 491 570 156', text: 'Code: 654321' }),
  });
  expect(sms.status).toBe(202);
  expect(await messages('noor@example.test')).toMatchObject([
    { channel: 'EMAIL', subject: 'Ihr Code für heute', text: expect.stringContaining('Code: 123456 über') },
  ]);
  expect(await messages('+61491570156')).toMatchObject([{ channel: 'SMS', text: 'Code: 654321' }]);
  expect(await messages()).toHaveLength(2);
  const notified = await fetch(`http://127.0.0.1:${http.port}/webhooks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ event: 'Evaluation', note: '<b>&' }),
  });
  expect(notified.status).toBe(204);
  const page = await (await fetch(`http://127.0.0.1:${http.port}/`)).text();
  expect(page).toMatch(/Notification at <strong>\/webhooks<.*&lt;b&gt;&amp;.*Mail to|Text message to/s);
  expect(page).not.toContain('<b>');
  await fetch(`http://127.0.0.1:${http.port}/messages`, { method: 'DELETE' });
  expect(await messages()).toEqual([]);
});
