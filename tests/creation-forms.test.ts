import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { newTenant, readStack, type Tenant } from '@assay/testing';
import { beforeAll, describe, expect, test } from '@jest/globals';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant('creation forms');
});

/**
 * Sends bytes as they are, and reads the whole answer: what real clients put on the wire does not
 * come out of a client library.
 */
const raw = async (
  path: string,
  headers: string[],
  body: string | Buffer = '',
): Promise<{ status: number; body: string }> => {
  const { hostname, port } = new URL(readStack().baseUrl);
  const socket = connect(Number(port), hostname);
  const bytes = Buffer.from(body);
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: ${hostname}`,
    'Connection: close',
    `Content-Length: ${bytes.length}`,
    ...headers,
  ];
  socket.write(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), bytes]));
  const answer = (await buffer(socket)).toString();
  return { status: Number(answer.split(' ')[1]), body: answer.slice(answer.indexOf('\r\n\r\n') + 4) };
};
const part = (name: string, content: string, type = '') =>
  `--B\r\nContent-Disposition: form-data; name="${name}"\r\n${type ? `Content-Type: ${type}\r\n` : ''}\r\n${content}\r\n`;

const forms: [string, string | undefined, string][] = [
  ['nothing at all', undefined, ''],
  ['multipart without a boundary and without a body', 'multipart/form-data', ''],
  ['multipart without a boundary that is an empty object', 'multipart/form-data', '{}'],
  ['multipart without a boundary that is plain JSON', 'multipart/form-data', '[{"key":"BUSINESS_ID","value":"X"}]'],
  [
    'multipart without a boundary that is multipart all the same',
    'multipart/form-data',
    `${part('context', '[]')}--B--\r\n`,
  ],
  ['multipart with the closing delimiter only', 'multipart/form-data; boundary=B', '--B--\r\n'],
  [
    'a context of one NUL byte',
    'multipart/form-data; boundary=B',
    `${part('context', '\u0000', 'application/octet-stream')}--B--\r\n`,
  ],
  [
    'a context of key and value',
    'multipart/form-data; boundary=B',
    `${part('context', '[{"key":"BUSINESS_ID","value":"X"}]', 'application/json')}--B--\r\n`,
  ],
  ['plain JSON', 'application/json', '{"businessId":"X","email":"a@example.org"}'],
  ['JSON that does not parse', 'application/json', '{'],
];

describe.each(['svc', 'gips'])('creation below %s', (prefix) => {
  test.each(forms)('accepts %s', async (_what, type, body) => {
    const headers = [`ApiKey: ${tenant.keys.relyingService}`, 'Tenant-Role: undefined', 'X-Forwarded-For: to-specify'];
    const answer = await raw(
      `/${prefix}/v1/identities`,
      [...headers, ...(type ? [`Content-Type: ${type}`] : [])],
      body,
    );
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body)).toMatchObject({ status: 'EXPECTING_INPUT', levelOfAssurance: 'LOA0' });
  });
});

test('another content type is refused with 415, a body over 64 KiB with 413', async () => {
  const key = [`apikey: ${tenant.keys.relyingService}`];
  expect((await raw('/svc/v1/identities', [...key, 'Content-Type: text/plain'], 'x')).status).toBe(415);
  expect(
    (await raw('/svc/v1/identities', [...key, 'Content-Type: application/json'], `"${'x'.repeat(70_000)}"`)).status,
  ).toBe(413);
});
