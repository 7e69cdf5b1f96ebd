import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createGroupCommit, type Outcome } from './group-commit.ts';

/** Commands that end when the test ends them. */
const pausedWork = () => {
  const groups: { items: readonly number[]; end: (outcomes: readonly Outcome<string>[]) => void }[] = [];
  const work = (items: readonly number[]): Promise<readonly Outcome<string>[]> =>
    new Promise((end) => groups.push({ items, end }));
  const values = (items: readonly number[]) => items.map((item) => ({ value: `did ${item}` }));
  return { groups, work, values };
};
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('items of one turn are sent together, and a single item does not wait', async () => {
  const { groups, work, values } = pausedWork();
  const add = createGroupCommit({ work, most: 100 });
  const asked = [add(1), add(2), add(3)];
  await turn();
  expect(groups.map(({ items }) => items)).toEqual([[1, 2, 3]]);
  groups[0]!.end(values([1, 2, 3]));
  expect(await Promise.all(asked)).toEqual(['did 1', 'did 2', 'did 3']);
  void add(4);
  await turn();
  expect(groups.at(-1)!.items).toEqual([4]);
});

test('items that come while enough commands are running are sent with the next one, and none is in an earlier command', async () => {
  const { groups, work, values } = pausedWork();
  const add = createGroupCommit({ work, most: 100, atOnce: 1 });
  const first = add(1);
  await turn();
  const others = [add(2), add(3)];
  await turn();
  expect(groups.map(({ items }) => items)).toEqual([[1]]);
  groups[0]!.end(values([1]));
  await first;
  while (groups.length === 1) await turn();
  expect(groups.map(({ items }) => items)).toEqual([[1], [2, 3]]);
  groups[1]!.end(values([2, 3]));
  expect(await Promise.all(others)).toEqual(['did 2', 'did 3']);
});

test('a slow command does not delay later ones', async () => {
  const { groups, work, values } = pausedWork();
  const add = createGroupCommit({ work, most: 100, atOnce: 2 });
  void add(1);
  await turn();
  const second = add(2);
  await turn();
  groups[1]!.end(values([2]));
  expect(await second).toBe('did 2');
});

/** An item is done, refused alone, or part of a command with an unknown outcome. */
type Fate = 'done' | 'refused' | 'lost';
const fates = fc.array(fc.tuple(fc.constantFrom<Fate>('done', 'refused', 'lost'), fc.boolean()), { maxLength: 40 });

test('each caller gets the outcome of its own item, and every caller in a lost command that it is lost', async () => {
  await fc.assert(
    fc.asyncProperty(
      fates,
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 1, max: 3 }),
      async (all, most, atOnce) => {
        const sent: number[][] = [];
        const lost = new Set<number>();
        let underWay = 0;
        const work = async (items: readonly number[]): Promise<readonly Outcome<number>[]> => {
          sent.push([...items]);
          underWay += 1;
          expect(underWay).toBeLessThanOrEqual(atOnce);
          await turn();
          underWay -= 1;
          if (items.some((item) => all[item]![0] === 'lost')) {
            for (const item of items) lost.add(item);
            throw new TypeError('lost');
          }
          return items.map((item) =>
            all[item]![0] === 'done' ? { value: item } : { error: new RangeError(String(item)) },
          );
        };
        const add = createGroupCommit({ work, most, atOnce });
        const asked: Promise<number>[] = [];
        for (const [item, [, waits]] of all.entries()) {
          asked.push(add(item));
          if (waits) await turn();
        }
        const outcomes = await Promise.allSettled(asked);
        // Each item is sent once, in order, and never more than the limit together.
        expect(sent.flat()).toEqual(all.map((_, item) => item));
        expect(sent.every(({ length }) => length <= most)).toBe(true);
        for (const [item, outcome] of outcomes.entries()) {
          if (outcome.status === 'fulfilled') expect([outcome.value, all[item]![0]]).toEqual([item, 'done']);
          else if (lost.has(item)) expect(outcome.reason).toBeInstanceOf(TypeError);
          else expect(outcome.reason).toEqual(new RangeError(String(item)));
        }
      },
    ),
  );
});

test('an item without an outcome in the reply does not count as done', async () => {
  const add = createGroupCommit<number, number>({ work: async () => [{ value: 1 }], most: 10 });
  const [first, second] = await Promise.allSettled([add(1), add(2)]);
  expect(first).toEqual({ status: 'fulfilled', value: 1 });
  expect(second.status).toBe('rejected');
});
