import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { newTenant, readStack, specimen, type Tenant, waitFor } from '@assay/testing';
import { beforeAll, describe, expect, test } from '@jest/globals';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant('creation forms');
});

const CHUNKED = 'Transfer-Encoding: chunked';
const CHUNK = 30_000;
const inChunks = (bytes: Buffer): Buffer => {
  const starts = Array.from({ length: Math.ceil(bytes.length / CHUNK) }, (_, at) => at * CHUNK);
  const chunks = starts.map((from) => {
    const chunk = bytes.subarray(from, from + CHUNK);
    return Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')]);
  });
  return Buffer.concat([...chunks, Buffer.from('0\r\n\r\n')]);
};

/**
 * Sends the bytes as they are and reads the whole answer. No client library can send what some real
 * clients send.
 */
const raw = async (
  path: string,
  headers: string[],
  body: string | Buffer = '',
  method = 'POST',
): Promise<{ status: number; body: string }> => {
  const { hostname, port } = new URL(readStack().baseUrl);
  const socket = connect(Number(port), hostname);
  const bytes = Buffer.from(body);
  const isChunked = headers.includes(CHUNKED);
  const head = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${hostname}`,
    'Connection: close',
    ...(isChunked ? [] : [`Content-Length: ${bytes.length}`]),
    ...headers,
  ];
  socket.write(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), isChunked ? inChunks(bytes) : bytes]));
  // A client that expects `100 Continue` gets it before the answer.
  const answer = (await buffer(socket)).toString('latin1').replace(/^HTTP\/1.1 100 .*\r\n\r\n/, '');
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

/**
 * A form whose parts have no file name, the type application/octet-stream and one further header.
 */
const formOf = (parts: Readonly<Record<string, Buffer>>): Buffer =>
  Buffer.concat([
    ...Object.entries(parts).flatMap(([name, content]) => [
      Buffer.from(
        `--B\r\nContent-Disposition: form-data; name="${name}"\r\nContent-Type: application/octet-stream\r\n` +
          'Content-Transfer-Encoding: binary\r\n\r\n',
      ),
      content,
      Buffer.from('\r\n'),
    ]),
    Buffer.from('--B--\r\n'),
  ]);

describe.each(['svc', 'gips'])('the typical flow below %s, with the headers that real clients send', (prefix) => {
  const habits = () => [
    `ApiKey: ${tenant.keys.relyingService}`,
    'Tenant-Role: undefined',
    'X-Forwarded-For: to-specify',
  ];
  const JSON_TYPE = 'Content-Type: application/json';
  const FORM_TYPE = 'Content-Type: multipart/form-data; boundary=B';
  const post = async (path: string, headers: string[], body: string | Buffer) => {
    const answer = await raw(path, [...habits(), ...headers], body);
    expect(answer.status).toBe(200);
    return JSON.parse(answer.body);
  };
  /** A GET with a Content-Type, though it has no body. */
  const get = (path: string) => raw(path, [...habits(), JSON_TYPE], '', 'GET');
  const read = async (path: string) => JSON.parse((await get(path)).body);

  test('passes from the creation to the proof', async () => {
    const context = '[{"key":"BUSINESS_ID","value":"W-1"}]';
    const { id } = await post(`/${prefix}/v1/identities`, ['Content-Type: multipart/form-data'], context);
    const at = `/${prefix}/v1/identities/${id}`;
    await post(`${at}/consents`, [JSON_TYPE], '[{"approved":true,"type":"PORTRAIT"}]');
    const details = Buffer.from('{"documentType":"PASSPORT","unknownField":1}');
    const document = await post(
      `${at}/id-documents/capture`,
      [FORM_TYPE, CHUNKED, 'Expect: 100-continue'],
      formOf({ DocumentCaptureDetails: details, DocumentFront: specimen('passport.jpg') }),
    );
    const becomesVerified = (evidenceId: string) =>
      waitFor('VERIFIED', async () => (await read(`${at}/status/${evidenceId}`)).status === 'VERIFIED', 60_000);
    await becomesVerified(document.id);
    const portrait = await post(
      `${at}/attributes/portrait/capture`,
      [FORM_TYPE],
      formOf({ Portrait: specimen('selfie-same.jpg') }),
    );
    await becomesVerified(portrait.id);
    const { globalStatus } = await read(`${at}/status`);
    expect(globalStatus).toMatchObject({ id, status: 'EXPECTING_INPUT', levelOfAssurance: 'LOA2' });
    expect(await read(`${at}?detailed=true`)).toMatchObject({
      globalStatus,
      idDocuments: [{ type: 'PASSPORT', evidenceStatus: { status: 'VERIFIED' } }],
      portrait: { evidenceStatus: { status: 'VERIFIED' } },
    });
    const proof = await get(`${at}/proof`);
    expect(proof.status).toBe(200);
    expect(proof.body).toContain('Content-Type: application/zip');
    expect((await get(at)).status).toBe(410);
  }, 150_000);
});
