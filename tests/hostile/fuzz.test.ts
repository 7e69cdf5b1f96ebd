import { afterAll, describe, expect, test } from '@jest/globals';
import { fuzz } from './fuzz/fuzz.ts';
import { openTargets } from './fuzz/targets.ts';

/**
 * Readers of strangers' bytes, fed with changed inputs: nothing they read ends them, hangs them or
 * makes them say what is not so. `npm run fuzz` goes on for longer.
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
