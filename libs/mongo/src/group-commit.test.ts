import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createGroupCommit, type Outcome } from './group-commit.ts';

/** Commands that end when the test says so. */
const pausedWork = () => {
  const groups: { items: readonly number[]; end: (outcomes: readonly Outcome<string>[]) => void }[] = [];
  const work = (items: readonly number[]): Promise<readonly Outcome<string>[]> =>
    new Promise((end) => groups.push({ items, end }));
  const values = (items: readonly number[]) => items.map((item) => ({ value: `did ${item}` }));
  return { groups, work, values };
};
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('what is asked in one turn goes out together, and a single item waits for nobody', async () => {
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

test('what is asked while enough commands are under way goes out with the next one, and no item is in a command that was sent before', async () => {
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

test('a slow command does not hold up what comes after it', async () => {
  const { groups, work, values } = pausedWork();
  const add = createGroupCommit({ work, most: 100, atOnce: 2 });
  void add(1);
  await turn();
  const second = add(2);
  await turn();
  groups[1]!.end(values([2]));
  expect(await second).toBe('did 2');
});

/** An item is done, refused by itself, or of a command whose outcome nobody knows. */
type Fate = 'done' | 'refused' | 'lost';
const fates = fc.array(fc.tuple(fc.constantFrom<Fate>('done', 'refused', 'lost'), fc.boolean()), { maxLength: 40 });

test('each caller hears what came of its own item, and of a lost command everybody in it that it is lost', async () => {
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
        // Each item is asked for once, in the order in which it came, with no more than may go
        // along.
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

test('an item of which the command tells nothing is not taken for done', async () => {
  const add = createGroupCommit<number, number>({ work: async () => [{ value: 1 }], most: 10 });
  const [first, second] = await Promise.allSettled([add(1), add(2)]);
  expect(first).toEqual({ status: 'fulfilled', value: 1 });
  expect(second.status).toBe('rejected');
});
