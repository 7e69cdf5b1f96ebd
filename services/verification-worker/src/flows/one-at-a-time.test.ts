import { expect, test } from '@jest/globals';
import { createOneAtATime } from './one-at-a-time.ts';

const held = () => {
  let release: () => void = () => undefined;
  const until = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { until, release };
};

test('work of one name waits for what came before it, and work of another does not', async () => {
  const oneAtATime = createOneAtATime();
  const seen: string[] = [];
  const first = held();
  const begun = oneAtATime('a', async () => {
    await first.until;
    seen.push('a1');
  });
  const second = oneAtATime('a', async () => seen.push('a2'));
  await oneAtATime('b', async () => seen.push('b1'));
  expect(seen).toEqual(['b1']);
  first.release();
  await Promise.all([begun, second]);
  expect(seen).toEqual(['b1', 'a1', 'a2']);
});

test('work that fails, fails for its own caller', async () => {
  const oneAtATime = createOneAtATime();
  const failed = oneAtATime('a', () => Promise.reject(new Error('no')));
  const next = oneAtATime('a', async () => 'yes');
  await expect(failed).rejects.toThrow('no');
  await expect(next).resolves.toBe('yes');
});
