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
