import { expect, jest, test } from '@jest/globals';
import { createWindowStore } from './window-store.ts';

test('a window ends in time whatever the clock of the machine says, and counts each key by itself', async () => {
  let at = 0;
  const store = createWindowStore(60_000, () => at);
  const hits = async (key: string) => (await store.increment(key)).totalHits;
  expect([await hits('a'), await hits('a'), await hits('b')]).toEqual([1, 2, 1]);
  const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() - 3_600_000);
  at = 59_999;
  expect(await hits('a')).toBe(3);
  at = 60_000;
  expect([await hits('a'), await hits('b')]).toEqual([1, 1]);
  clock.mockRestore();
});

test('a call that does not count is taken back, and a key is forgotten', async () => {
  const store = createWindowStore(60_000, () => 0);
  await store.increment('a');
  await store.decrement('a');
  await store.decrement('a');
  expect(await store.increment('a')).toMatchObject({ totalHits: 1 });
  await store.resetKey('a');
  expect(await store.increment('a')).toMatchObject({ totalHits: 1 });
});
