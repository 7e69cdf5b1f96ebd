import { EventEmitter } from 'node:events';
import { describe, expect, test } from '@jest/globals';
import type { RequestHandler, Response } from 'express';
import { atMost, perKeyRate, shareOut, unlessClientLeft } from './limits.ts';

const NOW = new Date('2026-03-01T10:00:00.000Z');
const after = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);

const responseOf = (keyId: string, tenantId?: string, requestsPerMinute = 100) => {
  const headers: Record<string, string> = {};
  const tenant = tenantId ? { tenantId, effective: { limits: { requestsPerMinute } } } : undefined;
  const parts = {
    locals: { call: { keyId, tenant } },
    closed: false,
    headers,
    set: (more: object) => Object.assign(headers, more),
  };
  return Object.assign(new EventEmitter(), parts) as unknown as Response & typeof parts;
};
/** What a handler lets pass: undefined, or the error it refuses with. */
const ask = (handler: RequestHandler, response: Response): Promise<unknown> =>
  new Promise((resolve) => void handler({} as never, response, resolve));
const unavailable = { status: 503, headers: { 'Retry-After': '1' } };

describe('at most so many requests at a time', () => {
  test('more are refused until one has ended, however it ended', async () => {
    const handler = atMost(2);
    const [one, two] = [responseOf('a'), responseOf('a')];
    expect([await ask(handler, one), await ask(handler, two)]).toEqual([undefined, undefined]);
    const refused = responseOf('a');
    expect(await ask(handler, refused)).toMatchObject(unavailable);
    // The end of one that was refused makes no room.
    refused.emit('close');
    expect(await ask(handler, responseOf('a'))).toMatchObject(unavailable);
    one.emit('close');
    one.emit('close');
    expect(await ask(handler, responseOf('a'))).toBeUndefined();
    expect(await ask(handler, responseOf('a'))).toMatchObject(unavailable);
  });
});

describe('shares of all that may run', () => {
  test('a key that has all it can have is refused while another is let in', async () => {
    const handler = shareOut(8);
    const mine: Response[] = [];
    let refused: unknown;
    while (!refused && mine.length < 20) {
      const response = responseOf('mine', 'acme');
      refused = await ask(handler, response);
      if (!refused) mine.push(response);
    }
    expect(refused).toMatchObject(unavailable);
    expect(mine.length).toBeLessThan(9);
    expect(await ask(handler, responseOf('theirs', 'other'))).toBeUndefined();
    mine[0]?.emit('close');
    expect(await ask(handler, responseOf('mine', 'acme'))).toBeUndefined();
  });

  test('a client that left before its turn gives its share back at once', async () => {
    const handler = shareOut(2);
    for (let nth = 0; nth < 10; nth += 1)
      expect(await ask(handler, Object.assign(responseOf('a', 'acme'), { closed: true }))).toBeUndefined();
  });
});

describe('a client that left', () => {
  test('has nothing begun for it, and one that waits has', () => {
    const begun: string[] = [];
    const request = {} as never;
    unlessClientLeft(request, Object.assign(responseOf('a'), { closed: true }), () => begun.push('left'));
    unlessClientLeft(request, responseOf('a'), () => begun.push('waits'));
    expect(begun).toEqual(['waits']);
  });
});

describe('so many requests a minute', () => {
  const rated = (isAdmitted: boolean, remaining: number, resetAt: Date, asked: unknown[] = []) =>
    perKeyRate(
      {
        take: async (keyId: string, limit: number) => {
          asked.push([keyId, limit]);
          return { isAdmitted, remaining, resetAt };
        },
      },
      () => NOW,
    );

  test('are counted for the key, within the limit of its tenant, and shown in headers', async () => {
    const asked: unknown[] = [];
    const response = responseOf('key', 'acme', 30);
    expect(await ask(rated(true, 29, after(41.2), asked), response)).toBeUndefined();
    expect(asked).toEqual([['key', 30]]);
    expect(response.headers).toEqual({
      'RateLimit-Policy': '30;w=60',
      'RateLimit-Limit': '30',
      'RateLimit-Remaining': '29',
      'RateLimit-Reset': '42',
    });
  });

  test('beyond the limit are refused, with the time to wait; a key without a tenant has a limit, too', async () => {
    const asked: unknown[] = [];
    const refused = await ask(rated(false, 0, after(7), asked), responseOf('root'));
    expect(refused).toMatchObject({ status: 429, headers: { 'Retry-After': '7' } });
    expect(asked).toEqual([['root', 6000]]);
    expect(await ask(rated(false, 0, after(-3)), responseOf('root'))).toMatchObject({
      headers: { 'Retry-After': '0' },
    });
  });
});
