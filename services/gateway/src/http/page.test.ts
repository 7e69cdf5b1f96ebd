import { present } from '@assay/contracts';
import { describe, expect, test } from '@jest/globals';
import type { Request } from 'express';
import { type CallOf, param, query, sourceOf } from './call.ts';
import { type PageCall, pageOf } from './page.ts';

const callWith = (given: Record<string, unknown>) => ({ request: { query: given } }) as unknown as PageCall;
const ITEMS = ['a', 'b', 'c', 'd', 'e'];
const list = async (after: string | undefined, limit: number): Promise<string[]> =>
  ITEMS.filter((item) => after === undefined || item > after).slice(0, limit);
const pageFor = (given: Record<string, unknown>) => pageOf(callWith(given), list, (item) => item);

describe('a page', () => {
  test('given more items than its limit, then its cursor leads to each of them once', async () => {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await pageFor({ limit: '2', ...present({ cursor }) });
      expect(page.items.length).toBeLessThanOrEqual(2);
      seen.push(...page.items);
      cursor = page.cursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(ITEMS);
  });

  test('given as many items as its limit, then there is no further page', async () => {
    expect(await pageFor({ limit: '5' })).toEqual({ items: ITEMS });
    expect(await pageFor({ cursor: 'e' })).toEqual({ items: [] });
  });

  test.each(['0', '201', '-1', '2.5', '1e2', ' 5', 'many'])('given the limit %j, then it is refused', async (limit) => {
    await expect(pageFor({ limit })).rejects.toMatchObject({ status: 400, errors: [{ field: 'limit' }] });
  });

  test('given a limit or cursor that is empty, then it counts as not given', async () => {
    expect((await pageFor({ limit: '', cursor: '' })).items).toEqual(ITEMS);
  });

  test.each(['limit', 'cursor'])('given a %s twice, then it is refused', async (field) => {
    await expect(pageFor({ [field]: ['1', '2'] })).rejects.toMatchObject({ status: 400, errors: [{ field }] });
  });
});

describe('what a request names', () => {
  const call = { request: { params: { id: ['a', 'b'] }, query: { name: { x: '1' } } } } as unknown as CallOf<
    'id',
    'name'
  >;
  test('given something other than one text, then a parameter of the path is absent, of the query refused', () => {
    expect(param(call, 'id')).toBe('');
    expect(() => query(call, 'name')).toThrow(
      expect.objectContaining({ errors: [expect.objectContaining({ field: 'name' })] }),
    );
  });

  const from = (ip: string | undefined, remoteAddress?: string, userAgent?: string) =>
    sourceOf({ ip, socket: { remoteAddress }, headers: { 'user-agent': userAgent } } as unknown as Request);
  test.each<[string, ReturnType<typeof sourceOf>, ReturnType<typeof sourceOf>]>([
    ['an address', from('192.0.2.1'), { ip: '192.0.2.1' }],
    ['an address mapped to IPv6', from('::ffff:192.0.2.1'), { ip: '192.0.2.1' }],
    ['a name put there by a client, the address of the connection', from('evil.example', '::1'), { ip: '::1' }],
    ['nothing that is an address', from(undefined, 'unix'), {}],
    [
      'a browser, the beginning of its name',
      from('::1', '::1', 'a'.repeat(9000)),
      { ip: '::1', userAgent: 'a'.repeat(512) },
    ],
  ])('given %s, then the proof records it', (_what, found, expected) => expect(found).toEqual(expected));
});
