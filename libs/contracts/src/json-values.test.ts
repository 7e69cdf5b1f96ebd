import { describe, expect, test } from '@jest/globals';
import { countValues } from './json-values.ts';

describe('the values of a JSON text', () => {
  test.each([
    ['{}', 1],
    ['[1,2,3]', 3],
    ['{"a":[{},{"b":1}],"c":2}', 6],
    ['{"a":"x,y[z{"}', 1],
    [String.raw`{"a":"\",[{\\","b":"\\\"{","c":1}`, 3],
    [String.raw`["\\",["\\\\"],"\""]`, 4],
    ['["without an end, [{', 1],
    ['["\\', 1],
    ['', 0],
  ])('%s are %d', (text, count) => expect(countValues(Buffer.from(text))).toBe(count));

  test('are counted in time where a text is full of escapes', () => {
    const began = performance.now();
    for (const inner of ['\\"', '\\\\', '\\\\\\"']) countValues(Buffer.from(`["${inner.repeat(500_000)}"]`));
    expect(performance.now() - began).toBeLessThan(5000);
  });
});
