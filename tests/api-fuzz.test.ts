import { readStack } from '@assay/testing';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Schema, valid } from '../bench/fuzz/arbitrary.ts';

/** What `npm run fuzz:api` sends. */

const patternsIn = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return [];
  const { pattern } = value as Schema;
  return [...(typeof pattern === 'string' ? [pattern] : []), ...Object.values(value).flatMap(patternsIn)];
};

test('texts are made for every pattern of the API', async () => {
  const document = await (await fetch(`${readStack().baseUrl}/openapi.json`)).json();
  const patterns = [...new Set(patternsIn(document))];
  expect(patterns.length).toBeGreaterThan(10);
  for (const pattern of patterns)
    for (const made of fc.sample(
      valid({ type: 'string', pattern }, () => ({})),
      20,
    ))
      expect(made).toMatch(new RegExp(pattern));
});
