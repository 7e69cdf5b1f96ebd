import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { signingKeyFinding } from './signing-findings.ts';
import { publicJwkOf } from './signing-keys.ts';

const jwkOf = (modulusLength: number) =>
  publicJwkOf(
    generateKeyPairSync('rsa', { modulusLength }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  );
const YEAR_SECONDS = 365 * 24 * 3600;
const now = new Date('2026-06-01T00:00:00.000Z');
const key = (jwk: ReturnType<typeof jwkOf>, activeFrom: string) => [{ kid: jwk.kid, jwk, activeFrom, retired: false }];

describe('the signing key', () => {
  const long = jwkOf(3072);
  test.each([
    ['is fine', key(long, '2026-01-01T00:00:00.000'), YEAR_SECONDS, 'OK'],
    ['should have been rotated', key(long, '2025-01-01T00:00:00.000'), YEAR_SECONDS, 'PROBLEM'],
    ['is never rotated', key(long, '2026-01-01T00:00:00.000'), 3 * YEAR_SECONDS, 'WARNING'],
    ['is short', key(jwkOf(2048), '2026-01-01T00:00:00.000'), YEAR_SECONDS, 'WARNING'],
    ['does not exist yet', [], YEAR_SECONDS, 'UNKNOWN'],
  ])('%s', (_name, keys, maxAgeSeconds, status) => {
    expect(signingKeyFinding(keys, now, maxAgeSeconds)).toMatchObject({ check: 'signing-key', status });
  });
});
