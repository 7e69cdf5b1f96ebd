import { describe, expect, test } from '@jest/globals';
import type { Request } from 'express';
import { cookieHeader, isOwnPage, readCookie } from './cookies.ts';

const PUBLIC = 'https://assay.example';
const request = (headers: Record<string, string> = {}, method = 'POST', secure = false): Request =>
  ({ headers: { host: 'assay.example', ...headers }, method, secure }) as unknown as Request;

describe('the cookie of a session', () => {
  test('over TLS has a name that only this host can set, and no script reads it', () => {
    const header = cookieHeader(request(), 'console', 'token', PUBLIC);
    expect(header).toBe('__Host-assay-console=token; Path=/; HttpOnly; Secure; SameSite=Strict');
    expect(cookieHeader(request({}, 'POST', true), 'console', 'token', undefined)).toBe(header);
    expect(cookieHeader(request(), 'sign-in', 'x', PUBLIC)).toContain('SameSite=Lax');
    expect(cookieHeader(request(), 'admin', undefined, PUBLIC)).toMatch(/^__Host-assay-admin=; Max-Age=0;/);
  });

  test('without TLS has a plain name, which is not read with TLS', () => {
    expect(cookieHeader(request(), 'console', 'token', undefined)).toBe(
      'assay-console=token; Path=/; HttpOnly; SameSite=Strict',
    );
    const plain = request({ cookie: 'assay-console=planted' });
    expect([readCookie(plain, 'console', undefined), readCookie(plain, 'console', PUBLIC)]).toEqual([
      'planted',
      undefined,
    ]);
  });

  test('is read by its own name only, and only up to a length', () => {
    const both = request({ cookie: `other=1; __Host-assay-admin=a; __Host-assay-console=${'c'.repeat(4096)}` });
    expect(readCookie(both, 'admin', PUBLIC)).toBe('a');
    expect(readCookie(both, 'console', PUBLIC)).toHaveLength(4096);
    const long = request({ cookie: `__Host-assay-console=${'c'.repeat(4097)}` });
    expect([readCookie(long, 'console', PUBLIC), readCookie(request(), 'console', PUBLIC)]).toEqual([
      undefined,
      undefined,
    ]);
  });
});

describe('a request with a session', () => {
  const own = { origin: 'https://assay.example', 'sec-fetch-site': 'same-origin' };
  test.each([
    ['of our own page', own, 'POST', true],
    ['of our own page, from a browser that sends the origin only', { origin: own.origin }, 'DELETE', true],
    ['that reads, typed into the address bar', { 'sec-fetch-site': 'none' }, 'GET', true],
    ['that reads, from a browser that sends no origin', {}, 'GET', true],
    ['that changes something and names no origin', { 'sec-fetch-site': 'same-origin' }, 'POST', false],
    ['of another origin', { origin: 'https://evil.example' }, 'POST', false],
    ['that reads for another origin', { origin: 'https://evil.example' }, 'GET', false],
    ['of a neighbour of the same site', { ...own, 'sec-fetch-site': 'same-site' }, 'POST', false],
    ['of another site that only reads', { 'sec-fetch-site': 'cross-site' }, 'GET', false],
    ['of a page without an origin', { origin: 'null' }, 'POST', false],
    ['of our name at another port', { origin: 'https://assay.example:8443' }, 'POST', false],
  ] as const)('%s', (_what, headers, method, expected) => {
    expect(isOwnPage(request(headers, method), PUBLIC)).toBe(expected);
  });

  test('is recognised by the public address if a proxy changes the host', () => {
    const behind = { ...own, host: '10.0.0.7:8080' };
    expect([isOwnPage(request(behind), PUBLIC), isOwnPage(request(behind), undefined)]).toEqual([true, false]);
  });
});
