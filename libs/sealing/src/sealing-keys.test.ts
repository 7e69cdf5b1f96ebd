import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { createSealingKeys } from './sealing-keys.ts';

const [former, current, foreign] = [randomBytes(32), randomBytes(32), randomBytes(32)];
const CONTEXT = 'what it is for';

test('a key is exchanged while processes with either key run, and then the former one can be removed', () => {
  const before = createSealingKeys(former).seal(CONTEXT, 'a secret');
  const prepared = createSealingKeys(former, [current]);
  const exchanged = createSealingKeys(current, [former]);
  for (const one of [prepared, exchanged])
    for (const sealed of [before, exchanged.seal(CONTEXT, 'a secret')])
      expect(one.open(CONTEXT, sealed).toString()).toBe('a secret');
  const anew = exchanged.sealAnew(CONTEXT, before)!;
  expect(exchanged.sealAnew(CONTEXT, anew)).toBeUndefined();
  expect(createSealingKeys(current).open(CONTEXT, anew).toString()).toBe('a secret');
});

test('what none of the keys sealed, or for another purpose, is neither opened nor sealed again', () => {
  const keys = createSealingKeys(current, [former]);
  const sealed = createSealingKeys(foreign).seal(CONTEXT, 'x');
  expect(() => keys.open(CONTEXT, sealed)).toThrow();
  expect(() => keys.sealAnew(CONTEXT, sealed)).toThrow();
  expect(() => keys.open('another', createSealingKeys(former).seal(CONTEXT, 'x'))).toThrow();
});
