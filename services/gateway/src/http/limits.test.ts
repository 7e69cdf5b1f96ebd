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
/** The result of a handler: undefined if it admits the request, or the error that refuses it. */
const ask = (handler: RequestHandler, response: Response): Promise<unknown> =>
  new Promise((resolve) => void handler({} as never, response, resolve));
const unavailable = { status: 503, headers: { 'Retry-After': '1' } };

describe('the limit of requests at a time', () => {
  test('refuses further ones until one has ended, however it ended', async () => {
    const handler = atMost(2);
    const [one, two] = [responseOf('a'), responseOf('a')];
    expect([await ask(handler, one), await ask(handler, two)]).toEqual([undefined, undefined]);
    const refused = responseOf('a');
    expect(await ask(handler, refused)).toMatchObject(unavailable);
    // The end of a refused request frees no place.
    refused.emit('close');
    expect(await ask(handler, responseOf('a'))).toMatchObject(unavailable);
    one.emit('close');
    one.emit('close');
    expect(await ask(handler, responseOf('a'))).toBeUndefined();
    expect(await ask(handler, responseOf('a'))).toMatchObject(unavailable);
  });
});

describe('the share of a key in all requests that run', () => {
  test('refuses a key that has its whole share while another is admitted', async () => {
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

  test('is free again at once when a client leaves before its turn', async () => {
    const handler = shareOut(2);
    for (let nth = 0; nth < 10; nth += 1)
      expect(await ask(handler, Object.assign(responseOf('a', 'acme'), { closed: true }))).toBeUndefined();
  });
});

describe('a client that left', () => {
  test('has no request begun for it, while a waiting client has', () => {
    const begun: string[] = [];
    const request = {} as never;
    unlessClientLeft(request, Object.assign(responseOf('a'), { closed: true }), () => begun.push('left'));
    unlessClientLeft(request, responseOf('a'), () => begun.push('waits'));
    expect(begun).toEqual(['waits']);
  });
});

describe('the limit of requests a minute', () => {
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

  test('counts for the key, within the limit of its tenant, and is shown in headers', async () => {
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

  test('refuses requests with the time to wait, and also applies to a key without a tenant', async () => {
    const asked: unknown[] = [];
    const refused = await ask(rated(false, 0, after(7), asked), responseOf('root'));
    expect(refused).toMatchObject({ status: 429, headers: { 'Retry-After': '7' } });
    expect(asked).toEqual([['root', 6000]]);
    expect(await ask(rated(false, 0, after(-3)), responseOf('root'))).toMatchObject({
      headers: { 'Retry-After': '0' },
    });
  });
});
