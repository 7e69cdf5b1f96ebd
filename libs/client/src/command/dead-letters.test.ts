import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { main } from './main.ts';

let waiting = 0;
const asked: unknown[] = [];
const answerTo = async (request: IncomingMessage): Promise<object> => {
  if (request.method === 'GET') return { items: [{ queue: 'some.queue', count: waiting }] };
  const { limit } = JSON.parse(await text(request));
  const replayed = Math.min(limit, waiting);
  waiting -= replayed;
  asked.push(limit);
  return { replayed };
};
const suite = createServer(async (request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(await answerTo(request)));
});
beforeAll(() => new Promise<void>((resolve) => suite.listen(0, '127.0.0.1', resolve)));
afterAll(() => void suite.close());
beforeEach(() => {
  asked.length = 0;
});

/** What the command prints. */
const replay = async (...args: string[]): Promise<unknown> => {
  const written = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  const url = `http://127.0.0.1:${(suite.address() as AddressInfo).port}`;
  const code = await main(['node', 'assay', '--url', url, '--key', 'a-key', 'dead-letters', 'replay', ...args]);
  const printed = written.mock.calls.map(([chunk]) => String(chunk)).join('');
  written.mockRestore();
  expect(code).toBe(0);
  return JSON.parse(printed);
};

test('more dead letters than a suite replays in one answer are replayed by several calls', async () => {
  waiting = 2500;
  expect(await replay('some.queue.dead')).toEqual({ replayed: 2500 });
  expect(asked).toEqual([1000, 1000, 500]);
});

test('no more are replayed than wanted, nor asked for once none is left', async () => {
  waiting = 1800;
  expect(await replay('some.queue', '--limit', '1200')).toEqual({ replayed: 1200 });
  expect(await replay('some.queue', '--limit', '5000')).toEqual({ replayed: 600 });
  expect(await replay('other.queue')).toEqual({ replayed: 0 });
  expect(asked).toEqual([1000, 200, 600, 1]);
});
