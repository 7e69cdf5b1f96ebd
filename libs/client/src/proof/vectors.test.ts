import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readKeys } from './keys.ts';
import { UnusableInput } from './report.ts';
import { verifyProof } from './verify-proof.ts';

const folder = join(import.meta.dirname, '../../test-vectors');
const read = (file: string): string => readFileSync(join(folder, file), 'utf8');

interface Vector {
  file: string;
  verdict: 'good' | 'refused' | 'unusable';
  check?: string;
  why: string;
}
const { vectors } = JSON.parse(read('index.json')) as { vectors: Vector[] };
const keys = readKeys(read('jwks.json'));

describe('a published vector', () => {
  test.each(vectors.filter(({ verdict }) => verdict === 'good'))('$file is good: $why', async ({ file }) => {
    const report = await verifyProof(join(folder, file), keys);
    expect(report.reasons).toEqual([]);
    expect(report.checks.every(({ outcome }) => outcome === 'ok')).toBe(true);
    expect(await verifyProof(readFileSync(join(folder, file)), keys)).toEqual(report);
  });

  test.each(vectors.filter(({ verdict }) => verdict === 'refused'))(
    '$file is refused: $why',
    async ({ file, check }) => {
      const report = await verifyProof(join(folder, file), keys);
      expect(report.ok).toBe(false);
      expect(report.reasons.map((reason) => reason.check)).toContain(check);
    },
  );

  test.each(vectors.filter(({ verdict }) => verdict === 'unusable'))('$file is unusable: $why', async ({ file }) => {
    await expect(verifyProof(join(folder, file), keys)).rejects.toThrow(UnusableInput);
  });
});

test('only the key that signed is accepted', async () => {
  const [key] = keys;
  expect((await verifyProof(join(folder, 'good.zip'), keys)).kid).toBe(key!.kid);
  await expect(verifyProof(join(folder, 'good.zip'), [])).rejects.toThrow(UnusableInput);
  expect(() => readKeys('{"keys":[{"kty":"oct","k":"c2VjcmV0"}]}')).toThrow('no RSA key');
});
