import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { headersOf, type Security } from './signing.ts';

const body = Buffer.from('{"event":"Evaluation","name":"Zoë"}');
const at = new Date('2026-01-02T03:04:05.999Z');
const headers = (security: Security) => headersOf(security, body, 'message-1', at);

describe('the headers of an attempt', () => {
  test('without security describe the message: its bytes, its id, the whole second', () => {
    expect(headers({ mode: 'NONE' })).toEqual({
      'content-type': 'application/json',
      'content-length': '36',
      'user-agent': 'Assay',
      'webhook-id': 'message-1',
      'webhook-timestamp': String(Date.UTC(2026, 0, 2, 3, 4, 5) / 1000),
    });
  });

  test('mark a sandbox tenant, and no other', () => {
    expect(headers({ mode: 'NONE', sandbox: true })).toHaveProperty('assay-sandbox', 'true');
    expect(headers({ mode: 'NONE', sandbox: false })).not.toHaveProperty('assay-sandbox');
  });

  test.each(['whsec_', 'whsec_!!!!!!!!!!!!!!!!', 'whsec_=', 'whsec_MfKQ9'])(
    'sign with all of %s, which is no base64 after its prefix, and never with an empty key',
    (secret) => {
      const signature = headers({ mode: 'HMAC', headerName: 'X-S', secret })['webhook-signature'];
      const signed = `message-1.${at.getTime() / 1000 - 0.999}.${body}`;
      const mac = (key: string) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
      expect(signature).toBe(mac(secret));
      expect(signature).not.toBe(mac(''));
    },
  );

  test('by key carry the key as its UTF-8 bytes, and no signature', () => {
    const made = headers({ mode: 'API_KEY', headerName: 'X-Key', secret: 'clé' });
    expect(Buffer.from(made['X-Key'] ?? '', 'latin1').toString('utf8')).toBe('clé');
    expect(made).not.toHaveProperty('webhook-signature');
  });

  test('by MAC sign the bytes that are sent, with the newest secret', () => {
    const mac = (secret: string) => createHmac('sha256', secret).update(body).digest('base64');
    const made = headers({ mode: 'HMAC', headerName: 'X-MAC', secret: 'new', formerSecret: 'old' });
    expect(made['X-MAC']).toBe(mac('new'));
    expect(made['webhook-signature']?.split(' ')).toHaveLength(2);
    expect(
      headersOf({ mode: 'HMAC', headerName: 'X-MAC', secret: 'new' }, Buffer.from('{}'), 'm', at)['X-MAC'],
    ).not.toBe(mac('new'));
  });

  test.each(['API_KEY', 'HMAC'] as const)('of mode %s without a secret carry none', (mode) => {
    expect(headers({ mode, headerName: 'X-Key' })).toEqual(headers({ mode: 'NONE' }));
  });
});
