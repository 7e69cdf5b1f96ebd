import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from '@jest/globals';
import { type Balancer, balanceConnections, balanceRequests } from './balancer.ts';
import { freePort } from './ports.ts';

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

/** A process that answers with its name and the request. `/break` breaks the connection instead. */
const target = async (name: string): Promise<{ port: number; server: Server }> => {
  const server = createServer(async (incoming, response) => {
    if (incoming.url === '/break') return incoming.socket.destroy();
    const { method, url, rawHeaders } = incoming;
    const body = await text(incoming);
    response.writeHead(201, { 'x-target': name, 'set-cookie': ['a', 'b'] });
    return response.end(JSON.stringify({ name, method, url, rawHeaders, body }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.push({ close: () => server.closeAllConnections() }, server);
  return { port: (server.address() as AddressInfo).port, server };
};

type Balance = (port: number, targets: readonly number[]) => Promise<Balancer>;
const before = async (balance: Balance, targets: readonly number[]): Promise<string> => {
  const port = await freePort();
  opened.unshift(await balance(port, targets));
  return `http://127.0.0.1:${port}`;
};

interface Reply {
  status: number | undefined;
  headers: IncomingMessage['headers'];
  body: { name: string; method: string; url: string; rawHeaders: string[]; body: string };
}
/** One request on a connection of its own. */
const ask = (url: string, headers: Record<string, string> = {}, body?: string): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const asking = request(url, { method: body === undefined ? 'GET' : 'POST', headers, agent: false }, async (reply) =>
      resolve({ status: reply.statusCode, headers: reply.headers, body: JSON.parse(await text(reply)) }),
    );
    asking.on('error', reject);
    if (headers.expect) asking.on('continue', () => asking.end(body));
    else asking.end(body);
  });
const names = async (url: string, count: number): Promise<string> => {
  const all: string[] = [];
  for (let asked = 0; asked < count; asked += 1) all.push((await ask(url)).body.name);
  return all.join('');
};

describe.each([
  ['requests', balanceRequests],
  ['connections', balanceConnections],
] as const)('a balancer of %s', (_what, balance) => {
  test('gives each of several processes its turn, and skips one that is down', async () => {
    const [a, b, c] = [await target('a'), await target('b'), await target('c')];
    const url = await before(balance, [a.port, b.port, c.port]);
    expect(await names(url, 4)).toBe('abca');
    b.server.close();
    b.server.closeAllConnections();
    expect(await names(url, 3)).toBe('cca');
  });

  test('forwards a request and its reply unchanged', async () => {
    const url = await before(balance, [(await target('a')).port]);
    const body = 'x'.repeat(300_000);
    const reply = await ask(`${url}/path?q=1`, { 'X-Odd': 'Value', expect: '100-continue' }, body);
    expect([reply.status, reply.headers['set-cookie']]).toEqual([201, ['a', 'b']]);
    expect(reply.body).toMatchObject({ method: 'POST', url: '/path?q=1', body });
    expect(reply.body.rawHeaders).toEqual(expect.arrayContaining(['X-Odd', 'Value', 'Host', new URL(url).host]));
  });

  test('breaks the connection of a client whose request broke, and repeats nothing', async () => {
    const [a, b] = [await target('a'), await target('b')];
    const url = await before(balance, [a.port, b.port]);
    await expect(ask(`${url}/break`)).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(await names(url, 1)).toBe('b');
  });

  test('breaks the connection when no process is up', async () => {
    const url = await before(balance, [await freePort(), await freePort()]);
    await expect(ask(url, {}, 'body')).rejects.toMatchObject({ code: 'ECONNRESET' });
  });
});

test('a balancer of requests forwards the address of the client, whatever the client claims', async () => {
  const url = await before(balanceRequests, [(await target('a')).port]);
  const { body } = await ask(url, {
    'x-forwarded-for': '203.0.113.7',
    'X-Forwarded-Proto': 'https',
    Forwarded: 'for=x',
  });
  expect(body.rawHeaders.join(' ')).toMatch(/X-Forwarded-For 127\.0\.0\.1/);
  expect(body.rawHeaders.join(' ')).not.toMatch(/203\.0|https|for=x/);
});

test('a client that leaves ends the forwarded request', async () => {
  let left: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    left = resolve;
  });
  const slow = createServer((incoming) => incoming.socket.once('close', left));
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
  opened.push(slow);
  const url = new URL(await before(balanceRequests, [(slow.address() as AddressInfo).port]));
  const arrived = new Promise((resolve) => slow.once('request', resolve));
  const client = net.connect(Number(url.port), url.hostname).end('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await arrived;
  client.destroy();
  await ended;
});
