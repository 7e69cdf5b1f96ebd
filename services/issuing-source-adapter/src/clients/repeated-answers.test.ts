import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import type { Asking } from './connector.ts';
import { openSources } from './connectors.ts';

const replyOf = (number: string): string => {
  const body = JSON.stringify({ outcome: number === 'KNOWN' ? 'Y' : 'N', check: `check-${number}` });
  return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
};

/** A source that sends each answer again as soon as the connection has its next question. */
const startStutteringSource = async () => {
  const server = createServer((socket) => {
    let former = '';
    socket
      .on('error', () => undefined)
      .on('data', (data) => {
        const reply = replyOf(/number=(\w+)/.exec(data.toString())?.[1] ?? '');
        socket.write(former === '' ? reply : former);
        former = reply;
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => void server.close() };
};

const YES_OR_NO = { pointer: '/outcome', values: { Y: 'VERIFIED', N: 'FAILED' } };

test.each([
  ['no answer repeats the question', { result: YES_OR_NO }],
  ['an answer may be a status alone', { result: YES_OR_NO, echo: '/check', statuses: { 404: 'FAILED' } }],
])('an answer that is sent twice counts for its own question alone, where %s', async (_where, reply) => {
  const { url, close } = await startStutteringSource();
  const request = { method: 'GET', url: `${url}/?number={{number}}` };
  const { connectors } = openSources({
    mapped: [{ name: 'MAPPED', request, reply }] as unknown as NonNullable<Parameters<typeof openSources>[0]['mapped']>,
    credentials: { default: { MAPPED: {} } },
    now: () => new Date(),
  });
  const ask = (number: string) => {
    const question = { type: 'PASSPORT', country: 'AUS', values: { number } };
    const asking = { checkId: `check-${number}`, tenantId: 'acme', timeoutMs: 5000, question } as unknown as Asking;
    return connectors.get('MAPPED')?.ask(asking);
  };
  expect(await ask('KNOWN')).toMatchObject({ kind: 'ANSWER', answer: { result: 'VERIFIED' } });
  expect(await ask('OTHER')).toMatchObject({ kind: 'ANSWER', answer: { result: 'FAILED' } });
  close();
});
