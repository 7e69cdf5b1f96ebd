import { type AddressInfo, createServer } from 'node:net';
import { ENDLESS_PEERS, type EndlessPeer, startEndlessPeer, startStutteringPeer, waitFor } from '@assay/testing';
import { describe, expect, test } from '@jest/globals';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { createMailer } from './mail.ts';
import { createTexter } from './sms.ts';

const message = { id: 'code-1', to: 'person@example.org', subject: 'A code', text: '314159' };

const outcomeAt = async (peer: EndlessPeer, send: (port: number) => Promise<string>): Promise<string> => {
  const { port, close } = await startEndlessPeer(peer);
  return send(port).finally(close);
};

describe.each(Object.entries(ENDLESS_PEERS))('a provider that %s', (_name, peer) => {
  test('costs an SMS no more than its time', async () => {
    const send = (port: number) => createTexter(`http://127.0.0.1:${port}/sms`, 'token', 300)(message);
    expect(await outcomeAt(peer, send)).toBe('unavailable');
  });
});

test.each([
  ['a status that has none', '204 No Content\r\ncontent-length: 2\r\n\r\n{}'],
  ['half of it', '202 Accepted\r\ncontent-length: 20\r\n\r\n{}'],
  ['more of it than announced', '200 OK\r\ncontent-length: 2\r\n\r\n{}{}'],
  ['what is not compressed as it says', '200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 2\r\n\r\n{}'],
  ['very much', `200 OK\r\n\r\n${' '.repeat(200_000)}`],
])('an SMS is accepted by a provider that answers so, with a body of %s', async (_what, answer) => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined).once('data', () => socket.end(`HTTP/1.1 ${answer}`));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  expect(await createTexter(`http://127.0.0.1:${port}/sms`, 'token', 2000)(message)).toBe('accepted');
  server.close();
});

test('an answer that is sent twice counts for its own SMS alone', async () => {
  const { url, close } = await startStutteringPeer((question) => ({
    status: question.includes(message.to) ? 200 : 400,
    body: {},
  }));
  const send = createTexter(`${url}/sms`, 'token');
  expect(await send(message)).toBe('accepted');
  expect(await send({ ...message, id: 'code-2', to: 'nobody' })).toBe('refused');
  expect(await send({ ...message, id: 'code-3' })).toBe('accepted');
  close();
});

test('a mail server that sends its greeting byte by byte costs a mail no more than its time, and keeps no connection', async () => {
  const { port, open, close } = await startEndlessPeer({ greeting: '220 ready\r\n', drips: '250-more\r\n' });
  const send = createMailer(`smtp://127.0.0.1:${port}`, 'Assay <no-reply@localhost>', 300);
  expect(await Promise.all([send(message), send(message)])).toEqual(['unavailable', 'unavailable']);
  await waitFor('the connections to end', () => open() === 0, 5000).finally(close);
});

const refusal = (responseCode: number): Error => Object.assign(new Error('no'), { responseCode });
const REFUSING: Record<string, [SMTPServerOptions, string]> = {
  'the connection': [{ onConnect: (_session, done) => done(refusal(554)) }, 'unavailable'],
  'the login': [{ onAuth: (_auth, _session, done) => done(refusal(535)) }, 'unavailable'],
  'the sender': [{ onMailFrom: (_address, _session, done) => done(refusal(550)) }, 'unavailable'],
  'the recipient': [{ onRcptTo: (_address, _session, done) => done(refusal(550)) }, 'refused'],
  'the recipient for now': [{ onRcptTo: (_address, _session, done) => done(refusal(450)) }, 'unavailable'],
  'the content': [
    { onData: (stream, _session, done) => stream.resume().on('end', () => done(refusal(554))) },
    'refused',
  ],
};

test.each(Object.entries(REFUSING))('a mail to a server that refuses %s', async (_what, [options, outcome]) => {
  const onAuth: SMTPServerOptions['onAuth'] = (_auth, _session, done) => done(null, { user: 'assay' });
  const server = new SMTPServer({ disabledCommands: ['STARTTLS'], allowInsecureAuth: true, onAuth, ...options });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  const send = createMailer(`smtp://assay:secret@127.0.0.1:${port}`, 'Assay <no-reply@localhost>');
  expect(await send(message)).toBe(outcome);
  await new Promise<void>((resolve) => server.close(resolve));
});

test.each([
  [204, 'accepted'],
  [400, 'refused'],
  [401, 'unavailable'],
  [429, 'unavailable'],
  [503, 'unavailable'],
])('an SMS to a provider that answers %i is %s', async (status, outcome) => {
  const { url, close } = await startStutteringPeer(() => ({ status, body: {} }));
  expect(await createTexter(`${url}/sms`, 'token')(message)).toBe(outcome);
  close();
});
