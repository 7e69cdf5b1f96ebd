import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { creationDetails } from '../domain/creation.ts';
import { readCreationBody } from './creation-body.ts';

const part = (name: string, content: string, more = '') =>
  `--B\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${content}\r\n`;
const NUL = '\u0000';
const read = async (body: string, contentType?: string) =>
  creationDetails(await readCreationBody(Buffer.from(body), contentType));

describe('what clients are known to send at creation', () => {
  const context =
    '[{"key":"BUSINESS_ID","value":"X"},{"key":"PREVIOUS_PROOF_ID","value":"p"},{"key":"OTHER","value":"o"}]';
  test.each<[string, string, string | undefined, object]>([
    ['nothing', '', undefined, {}],
    ['nothing, called multipart', '', 'multipart/form-data', {}],
    ['an empty object, called multipart', '{}', 'multipart/form-data', {}],
    ['plain JSON, called multipart', context, 'multipart/form-data', { businessId: 'X', previousProofId: 'p' }],
    [
      'a form without a boundary in its type',
      `${part('context', context)}--B--\r\n`,
      'multipart/form-data',
      { businessId: 'X', previousProofId: 'p' },
    ],
    ['the closing delimiter only', '--B--\r\n', 'multipart/form-data; boundary=B', {}],
    [
      'a context of one NUL byte',
      `${part('context', NUL, '\r\nContent-Type: application/octet-stream')}--B--\r\n`,
      'multipart/form-data; boundary=B',
      {},
    ],
    [
      'a context that is a file',
      `${part('context', context, '; filename="c.json"')}--B--\r\n`,
      'multipart/form-data; boundary="B"',
      { businessId: 'X', previousProofId: 'p' },
    ],
    [
      'plain fields',
      `${part('businessId', 'Y')}${part('email', 'a@b.c')}--B--\r\n`,
      'multipart/form-data; boundary=B',
      { businessId: 'Y', contact: { email: 'a@b.c' } },
    ],
    [
      'a form whose boundary has a blank and a semicolon',
      `${part('businessId', 'Y')}--B--\r\n`.replaceAll('--B', '--a ;b'),
      'multipart/form-data; charset="; boundary=B"; boundary="a ;b"',
      { businessId: 'Y' },
    ],
    [
      'JSON with both',
      JSON.stringify({ context: JSON.parse(context), mobile: '+1', language: 5 }),
      'application/json',
      { businessId: 'X', previousProofId: 'p', contact: { mobile: '+1', language: '5' } },
    ],
    [
      'a long part without a name',
      `--B\r\nX: y\r\n\r\n${'x'.repeat(60_000)}\r\n${part('businessId', 'Y')}--B--\r\n`,
      'multipart/form-data; boundary=B',
      { businessId: 'Y' },
    ],
    ['broken JSON', '{"businessId":', 'application/json', {}],
    ['a scalar', '"x"', 'application/json', {}],
  ])('%s', async (_what, body, contentType, expected) =>
    expect(await read(body, contentType)).toEqual({ contact: {}, ...expected }),
  );

  test.each([
    ['a part', `${part('businessId', 'M\u00fcller')}${part('username', 'm')}--B--\r\n`, { username: 'm' }],
    ['JSON', '{"businessId":"M\u00fcller"}', {}],
  ])('%s that is not UTF-8 is ignored, and not stored as something else', async (_what, text, contact) => {
    const body = await readCreationBody(Buffer.from(text, 'latin1'), 'multipart/form-data; boundary=B');
    expect(creationDetails(body)).toEqual({ contact });
  });

  test('any body is understood or ignored', async () => {
    const types = fc.constantFrom(
      undefined,
      'multipart/form-data',
      'multipart/form-data; boundary=B',
      'application/json',
    );
    const body = fc.oneof(
      fc.string(),
      fc.json(),
      fc.string().map((text) => `${part('context', text)}--B--`),
    );
    await fc.assert(
      fc.asyncProperty(body, types, async (text, type) => {
        expect(await read(text, type)).toHaveProperty('contact');
      }),
      { numRuns: 500 },
    );
  });
});
