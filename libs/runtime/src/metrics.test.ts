import { expect, test } from '@jest/globals';
import { boundedLabel } from './metrics.ts';

test('a bounded label distinguishes only the first values', () => {
  const label = boundedLabel(2);
  expect(['a', 'b', 'c', 'a', 'd', 'b'].map(label)).toEqual(['a', 'b', 'other', 'a', 'other', 'b']);
});
