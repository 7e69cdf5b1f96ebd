import { expect, test } from '@jest/globals';
import { processorTime } from './processor-time.ts';

test('a process that waits uses none of its budget, one that computes does', () => {
  const spent = processorTime();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  expect(spent()).toBeLessThan(150);
  for (let sum = 0; spent() < 200; ) sum += Math.sqrt(sum + 1);
  expect(spent()).toBeGreaterThanOrEqual(200);
});
