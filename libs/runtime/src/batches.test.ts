import { expect, test } from '@jest/globals';
import { createBatches } from './batches.ts';

const recorded = (fails: (item: number) => boolean = () => false) => {
  const calls: number[][] = [];
  const work = async (items: readonly number[]): Promise<void> => {
    calls.push([...items]);
    if (items.some(fails)) throw new TypeError(`cannot do ${items.join()}`);
  };
  return { calls, work };
};

test('items that come within a short time are done together', async () => {
  const { calls, work } = recorded();
  const { add } = createBatches({ work, lingerMs: 5, most: 100 });
  await Promise.all([add(1), add(2), add(3)]);
  await add(4);
  expect(calls).toEqual([[1, 2, 3], [4]]);
});

test('a full batch does not wait, nor does one that is flushed', async () => {
  const { calls, work } = recorded();
  const { add, flush } = createBatches({ work, lingerMs: 3_600_000, most: 2 });
  await Promise.all([add(1), add(2)]);
  const third = add(3);
  await flush();
  await third;
  expect(calls).toEqual([[1, 2], [3]]);
});

test('a bad item fails alone', async () => {
  const { work } = recorded((item) => item === 2);
  const { add } = createBatches({ work, lingerMs: 1, most: 100 });
  const outcomes = await Promise.allSettled([add(1), add(2), add(3)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});
