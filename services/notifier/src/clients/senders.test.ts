import { ENDLESS_PEERS, type EndlessPeer, startEndlessPeer, startStutteringPeer, waitFor } from '@assay/testing';
import { describe, expect, test } from '@jest/globals';
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
