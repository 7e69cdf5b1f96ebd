import { createPublicKey, generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { readKeys } from './keys.ts';
import { verifyProof } from './verify-proof.ts';

const folder = join(import.meta.dirname, '../../test-vectors');
const jwks = readFileSync(join(folder, 'jwks.json'), 'utf8');
const [jwk] = (JSON.parse(jwks) as { keys: JsonWebKey[] }).keys;
const SPKI = { format: 'pem', type: 'spki' } as const;
const own = createPublicKey({ key: jwk!, format: 'jwk' }).export(SPKI).toString();
const another = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey;
const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export(SPKI).toString();
const certificate = readFileSync(join(folder, 'csca.pem'), 'utf8');

test.each([
  ['behind another one', `${another.export(SPKI)}${own}`],
  ['before another one', `${own}${another.export(SPKI)}`],
  ['behind one in the older form', `${another.export({ format: 'pem', type: 'pkcs1' })}${own}`],
  ['behind a key and a certificate that are not RSA', `${elliptic}${certificate}${own}`],
  ['with ends of lines and words of another system', `a key\r\n${own.replaceAll('\n', '\r\n')}`],
])('a proof is good with its key in PEM %s', async (_place, text) => {
  const keys = readKeys(text);
  expect(keys.map(({ kid }) => kid)).toContain(readKeys(jwks)[0]!.kid);
  expect((await verifyProof(join(folder, 'good.zip'), keys)).reasons).toEqual([]);
});

test.each([
  ['a key of another kind', elliptic, 'a key is not RSA'],
  [
    'a key that is too short',
    `${own}${generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export(SPKI)}`,
    'a key is not RSA',
  ],
  ['a block that is no key', own.replace('MII', 'AAA'), 'neither a JWKS nor a PEM'],
  ['a block without an end', own.slice(0, 100), 'neither a JWKS nor a PEM'],
])('PEM with %s is unusable', (_what, text, message) => {
  expect(() => readKeys(text)).toThrow(message);
});
