import { newId } from '@assay/runtime';
import { apiWith } from '@assay/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { created, type Rig, startRig } from '../testing/rig.ts';

/* A gateway behind a proxy that it believes, and that passes on what clients say. */

let rig: Rig;
let behind: Awaited<ReturnType<Rig['another']>>;
beforeAll(async () => {
  rig = await startRig();
  behind = await rig.another({ trustedProxies: ['loopback'] });
});
afterAll(async () => {
  await behind.close();
  await rig.close();
});

const MOST_A_MINUTE = 120;

describe('requests to sign in', () => {
  const statusOf = async (client: string): Promise<number> =>
    (await fetch(`${behind.baseUrl}/sign-in/nowhere`, { headers: { 'x-forwarded-for': client } })).status;

  test.each([
    ['203.0.113.1 from any port', '203.0.113.1', (nth: number) => `203.0.113.1:${1024 + nth}`],
    ['a network of IPv6', '2001:db8::7', (nth: number) => `[2001:db8::${nth.toString(16)}]:443`],
    ['what is no address', 'another word', (nth: number) => `a word ${nth}`],
  ])('of %s are limited together', async (_what, one, nth) => {
    const clients = Array.from({ length: MOST_A_MINUTE }, (_, at) => nth(at));
    expect(new Set(await Promise.all(clients.map(statusOf)))).toEqual(new Set([404]));
    expect([await statusOf(one), await statusOf('203.0.113.99')]).toEqual([429, 404]);
  });
});

describe.each(['javascript', 'https://elsewhere.example/?', ' a b', 'ftp'])('a scheme "%s"', (scheme) => {
  const headers = { 'x-forwarded-proto': scheme, 'x-forwarded-for': '203.0.113.50' };

  test('is not that of the address which a device opens', async () => {
    const { tenantId, rs } = await rig.tenant();
    const { id } = await created(rs);
    const { apiKey } = await rig.stores.apiKeys.create({ tenantId, role: 'RELYING_SERVICE', keyId: newId() });
    const path = `/svc/v1/identities/${id}/user-agent-sessions`;
    const { body } = await apiWith(behind.baseUrl, apiKey).post(path, {}, headers);
    expect(body.url).toBe(`${behind.baseUrl}/capture#${body.token}`);
  });

  test('does not break the way back from the issuer', async () => {
    const back = await fetch(`${behind.baseUrl}/sign-in/callback?state=x`, { headers, redirect: 'manual' });
    expect([back.status, back.headers.get('location')]).toEqual([303, '/console/?sign-in=expired#/']);
  });
});
