import { expect, test } from '@jest/globals';
import { oneAtATime } from './revision.ts';

const blocked = () => {
  let release: () => void = () => undefined;
  const until = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { until, release };
};

test('work of one name waits for earlier work of that name, and work of another name does not', async () => {
  const oneByOne = oneAtATime();
  const seen: string[] = [];
  const first = blocked();
  const begun = oneByOne('a', async () => {
    await first.until;
    seen.push('a1');
  });
  const second = oneByOne('a', async () => seen.push('a2'));
  await oneByOne('b', async () => seen.push('b1'));
  expect(seen).toEqual(['b1']);
  first.release();
  await Promise.all([begun, second]);
  expect(seen).toEqual(['b1', 'a1', 'a2']);
});

test('work that fails, fails for its own caller', async () => {
  const oneByOne = oneAtATime();
  const failed = oneByOne('a', () => Promise.reject(new Error('no')));
  const next = oneByOne('a', async () => 'yes');
  await expect(failed).rejects.toThrow('no');
  await expect(next).resolves.toBe('yes');
});
