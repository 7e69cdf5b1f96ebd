import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { asRound, isInRound, progressed } from './round.ts';

const ignore = (): void => undefined;

test('a round is recognised while another one ends, and after all had ended', async () => {
  const long = asRound(async () => {
    await asRound(() => nextTurn(isInRound()), ignore);
    await nextTurn();
    return isInRound();
  }, ignore);
  expect(isInRound()).toBe(false);
  expect(await long).toBe(true);
  expect(isInRound()).toBe(false);
  expect(await asRound(async () => isInRound(), ignore)).toBe(true);
});

test('progress counts for the round in which it was made, and has no effect outside of a round', async () => {
  const seen: string[] = [];
  const roundOf = (name: string) =>
    asRound(
      async () => {
        await nextTurn();
        progressed();
      },
      () => seen.push(name),
    );
  await Promise.all([roundOf('one'), roundOf('other')]);
  progressed();
  expect(seen).toEqual(['one', 'other']);
});

test('a failed round ends as well', async () => {
  const failing = asRound(() => Promise.reject(new Error('down')), ignore);
  await expect(failing).rejects.toThrow('down');
  expect(isInRound()).toBe(false);
});
