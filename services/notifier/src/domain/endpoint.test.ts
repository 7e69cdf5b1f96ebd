import { describe, expect, test } from '@jest/globals';
import { endpointViolations, endpointWarnings } from './endpoint.ts';

const url = 'https://client.example/hook';
const fieldsOf = (violations: readonly { field: string }[]) => violations.map(({ field }) => field);

describe('an endpoint without security', () => {
  test('needs neither header nor secret', () => {
    expect(endpointViolations({ url, mode: 'NONE' })).toEqual([]);
    expect(endpointWarnings({ url: 'http://client.example/', mode: 'NONE' })).toEqual([]);
  });
});

describe.each(['API_KEY', 'HMAC'] as const)('an endpoint of mode %s', (mode) => {
  const secret = 'a secret of the tenant';

  test('needs a header and a secret, and the error names the missing one', () => {
    expect(endpointViolations({ url, mode })).toEqual([
      { field: 'settings.webhook.headerName', message: `${mode} needs a header` },
      { field: 'settings.webhook.secret', message: `${mode} needs a secret` },
    ]);
    expect(fieldsOf(endpointViolations({ url, mode, secret }))).toEqual(['settings.webhook.headerName']);
    expect(fieldsOf(endpointViolations({ url, mode, headerName: 'X-Key' }))).toEqual(['settings.webhook.secret']);
    expect(endpointViolations({ url, mode, headerName: 'X-Key', secret })).toEqual([]);
  });

  test.each([
    'content-length',
    'Content-Type',
    'HOST',
    'Transfer-Encoding',
    'webhook-id',
    'Webhook-Signature',
    'Assay-Sandbox',
    'Accept-Encoding',
    'accept',
  ])('cannot take the header %s, in whatever case it is written', (headerName) => {
    const [violation] = endpointViolations({ url, mode, headerName, secret });
    expect(violation).toEqual({ field: 'settings.webhook.headerName', message: 'is a header of its own' });
  });

  test('has a warning for a secret shorter than 16 bytes; a letter may have several', () => {
    const warnings = (text: string) => fieldsOf(endpointWarnings({ url, mode, headerName: 'X-Key', secret: text }));
    expect(warnings('a'.repeat(15))).toEqual(['settings.webhook.secret']);
    expect(warnings('a'.repeat(16))).toEqual([]);
    expect(warnings('é'.repeat(8))).toEqual([]);
  });
});

describe('a secret that is sent in a header', () => {
  const settings = { url, headerName: 'X-Key' };
  test.each(['two\r\nlines', 'a\u0000byte', ' before', 'after ', '\u007f'])('cannot be %j', (secret) => {
    expect(endpointViolations({ ...settings, mode: 'API_KEY', secret })).toEqual([
      { field: 'settings.webhook.secret', message: 'cannot stand in a header' },
    ]);
    // The key of a MAC is never sent, so it may have any bytes.
    expect(endpointViolations({ ...settings, mode: 'HMAC', secret })).toEqual([]);
  });

  test('has a warning if it is sent unencrypted; a signature has none', () => {
    const open = { url: 'http://client.example/hook', headerName: 'X-Key', secret: 'a secret of the tenant' };
    expect(fieldsOf(endpointWarnings({ ...open, mode: 'API_KEY' }))).toEqual(['settings.webhook.url']);
    expect(endpointWarnings({ ...open, mode: 'HMAC' })).toEqual([]);
  });
});
