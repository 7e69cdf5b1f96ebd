import { afterAll, describe, expect, test } from '@jest/globals';
import { fuzz } from './fuzz/fuzz.ts';
import { openTargets } from './fuzz/targets.ts';

/**
 * Mutated inputs for every reader of bytes from outside: none crashes, hangs or accepts something
 * false. `npm run fuzz` runs longer.
 */

const { targets, close } = openTargets();
afterAll(close);

describe('changed inputs', () => {
  test.each(targets)('$name', async (target) => {
    const { inputs, finding } = await fuzz(target, { seed: 20_261_122, budgetMs: 1000 });
    expect(
      finding && { reason: finding.reason, input: finding.input.subarray(0, 400).toString('latin1') },
    ).toBeUndefined();
    expect(inputs).toBeGreaterThan(10);
  });
});
