import { get } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Rig, startRig } from '../testing/rig.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.close());

test.each([
  ['/.well-known/jwks.json', 'application/json; charset=utf-8', '{"keys":[{"kty":"RSA"}]}'],
  ['/.well-known/signing-key.pem', 'application/x-pem-file', 'PEM of signing-key'],
  ['/.well-known/signing-certificate.pem', 'application/x-pem-file', 'PEM of signing-certificate'],
  ['/schemas', 'application/json; charset=utf-8', '{"items":["proof.schema.json"]}'],
  ['/schemas/proof.schema.json', 'application/schema+json; charset=utf-8', '{"title":"proof.schema.json"}'],
])('%s is available without a key', async (path, type, body) => {
  const response = await fetch(rig.baseUrl + path);
  expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([200, type, body]);
});

test('a schema that does not exist is 404', async () => {
  const response = await fetch(`${rig.baseUrl}/schemas/${encodeURIComponent('../jwks')}`);
  expect([response.status, ((await response.json()) as { status: number }).status]).toEqual([404, 404]);
});

// fetch itself would not send such a path.
test.each(['%2e', '%2E%2e', '.', '..'])('%s is no schema, nor another address of the service behind', async (name) => {
  const { hostname, port } = new URL(rig.baseUrl);
  const status = await new Promise((resolve, reject) =>
    get({ hostname, port, path: `/schemas/${name}`, agent: false }, (response) =>
      resolve(response.resume().statusCode),
    ).on('error', reject),
  );
  expect(status).toBe(404);
});

test.each([
  '/svc/healthcheck',
  '/openapi.json',
  '/.well-known/jwks.json',
  '/.well-known/signing-key.pem',
  '/.well-known/signing-certificate.pem',
  '/schemas',
  '/schemas/proof.schema.json',
  '/docs/errors',
  '/docs/errors/1006',
  '/docs/sandbox',
  '/pages-config.json',
  '/favicon.svg',
  '/sign-in/console',
])('OPTIONS of %s says what may be done, and nothing else may', async (path) => {
  const said = async (method: string) => {
    const { status, headers } = await fetch(rig.baseUrl + path, { method });
    return [status, headers.get('allow')];
  };
  expect(await said('OPTIONS')).toEqual([204, 'GET, HEAD']);
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) expect(await said(method)).toEqual([405, 'GET, HEAD']);
});
