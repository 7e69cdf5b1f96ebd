import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { verifyWebhook } from './verify-webhook.ts';

const signed = (secret: string, body: Buffer) =>
  createHmac('sha256', Buffer.from(secret, 'utf8')).update(body).digest('base64');

describe('a webhook', () => {
  test('is genuine when its signature is that of the raw body, and not when a byte or the secret differs', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, maxLength: 512, unit: 'grapheme' }),
        fc.uint8Array({ minLength: 1 }),
        fc.nat(),
        (secret, bytes, at) => {
          const body = Buffer.from(bytes);
          const request = {
            mode: 'HMAC' as const,
            headerName: 'X-Signature',
            secret,
            body,
            headers: { 'x-signature': signed(secret, body) },
          };
          const altered = Buffer.from(body);
          altered[at % body.length]! ^= 1;
          expect(verifyWebhook(request)).toBe(true);
          expect(verifyWebhook({ ...request, body: altered })).toBe(false);
          expect(verifyWebhook({ ...request, secret: `${secret}x` })).toBe(false);
          expect(verifyWebhook({ ...request, headers: {} })).toBe(false);
        },
      ),
    );
  });

  test('with an API key is genuine when the header carries it', () => {
    const request = { mode: 'API_KEY' as const, headerName: 'x-key', secret: 'k', body: Buffer.alloc(0) };
    expect(verifyWebhook({ ...request, headers: { 'X-Key': 'k' } })).toBe(true);
    expect(verifyWebhook({ ...request, headers: { 'x-key': 'other' } })).toBe(false);
  });

  test('is never genuine by an empty secret, with which anybody can sign', () => {
    const body = Buffer.from('{}');
    const request = { headerName: 'x-signature', secret: '', body };
    const headers = { 'x-signature': signed('', body) };
    expect(verifyWebhook({ ...request, mode: 'HMAC', headers })).toBe(false);
    expect(verifyWebhook({ ...request, mode: 'API_KEY', headers: { 'x-signature': '' } })).toBe(false);
  });
});
