import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { trustOf } from '../chip/trust.ts';
import { readKeys } from './keys.ts';
import { UnusableInput } from './report.ts';
import { verifyProof } from './verify-proof.ts';

const folder = join(import.meta.dirname, '../../test-vectors');
const read = (file: string): string => readFileSync(join(folder, file), 'utf8');

interface Vector {
  file: string;
  verdict: 'good' | 'refused' | 'unusable';
  check?: string;
  csca?: string;
  why: string;
}
const { vectors } = JSON.parse(read('index.json')) as { vectors: Vector[] };
const keys = readKeys(read('jwks.json'));
const optionsOf = ({ csca }: Pick<Vector, 'csca'>) =>
  csca ? { trust: trustOf([{ name: csca, bytes: readFileSync(join(folder, csca)) }]) } : {};

describe('a published vector', () => {
  test.each(vectors.filter(({ verdict }) => verdict === 'good'))('$file is good: $why', async ({ file, ...more }) => {
    const report = await verifyProof(join(folder, file), keys, optionsOf(more));
    expect(report.reasons).toEqual([]);
    expect(report.checks.every(({ outcome }) => outcome === 'ok')).toBe(true);
    expect(await verifyProof(readFileSync(join(folder, file)), keys, optionsOf(more))).toEqual(report);
  });

  test.each(vectors.filter(({ verdict }) => verdict === 'refused'))(
    '$file is refused: $why',
    async ({ file, check, ...more }) => {
      const report = await verifyProof(join(folder, file), keys, optionsOf(more));
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

describe('the chips of a proof', () => {
  const trust = trustOf([{ name: 'csca.pem', bytes: readFileSync(join(folder, 'csca.pem')) }]);

  test('are not checked without authorities', async () => {
    const report = await verifyProof(join(folder, 'chip-cloned.zip'), keys);
    expect(report.ok).toBe(true);
    expect(report).not.toHaveProperty('chips');
  });

  test('are listed with the results in the proof', async () => {
    const { chips, reasons } = await verifyProof(join(folder, 'chip-cloned.zip'), keys, { trust });
    expect(reasons).toMatchObject([{ check: 'chip', reason: expect.stringContaining('ACTIVE_AUTHENTICATION_CHECK') }]);
    expect(chips![0]!.checks).toContainEqual({ name: 'ACTIVE_AUTHENTICATION_CHECK', state: 'FAILED', inProof: 'OK' });
    expect(chips![0]!.checks).toContainEqual({ name: 'PASSIVE_AUTHENTICATION_CHECK', state: 'OK', inProof: 'OK' });
  });

  test('may be none', async () => {
    expect(await verifyProof(join(folder, 'good.zip'), keys, { trust })).toMatchObject({ ok: true, chips: [] });
  });

  test('cannot be verified with a file without an authority', () => {
    expect(() => trustOf([{ name: 'a proof', bytes: readFileSync(join(folder, 'good.zip')) }])).toThrow(UnusableInput);
    expect(() => trustOf([])).toThrow('there is no authority');
  });
});
