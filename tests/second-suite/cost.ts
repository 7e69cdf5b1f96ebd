import { countIdle, openCostRounds, totalOf } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

/* What a step asks of the database is counted, not timed. A further round trip fails here: save one elsewhere, or say in the commit why the ceiling rises. */

/** Commands to the database by everything a step causes, up to the last message. */
const CEILINGS = { create: 7, consents: 8, text: 28 } as const;
/**
 * The same of all three in a row: what each of them looks up once a second is then looked up once.
 */
const PATH_CEILING = 40;
/** Commands a second of a suite that nobody asks anything. */
const IDLE_CEILING = 6;
const ROUNDS = 5;
const IDLE_MS = 6000;

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** Needs a suite that counts its commands (`MONGO_COUNT`) and that nobody else uses. */
export const costStory = (): void => {
  let rounds: Awaited<ReturnType<typeof openCostRounds>>;
  beforeAll(async () => {
    rounds = await openCostRounds();
  }, 120_000);
  afterAll(() => rounds?.close());

  test('creation, consents and a text submission take no more commands than their ceilings', async () => {
    // The first round opens connections, fetches keys and compiles queries.
    await rounds.textRound();
    const taken: Awaited<ReturnType<typeof rounds.textRound>>['steps'][] = [];
    for (let round = 0; round < ROUNDS; round += 1) taken.push((await rounds.textRound()).steps);
    for (const step of ['create', 'consents', 'text'] as const) {
      const counts = taken.map((steps) => totalOf(steps[step].database));
      const over = median(counts) > CEILINGS[step] ? Object.fromEntries(taken[0]![step].database) : {};
      expect({ step, over }).toEqual({ step, over: {} });
      expect(median(counts)).toBeGreaterThan(0);
    }
  }, 180_000);

  test('the whole text path takes no more commands than its ceiling', async () => {
    const taken: Awaited<ReturnType<typeof rounds.pathRound>>[] = [];
    for (let round = 0; round < ROUNDS; round += 1) taken.push(await rounds.pathRound());
    const counts = taken.map(({ database }) => totalOf(database));
    const over = median(counts) > PATH_CEILING ? Object.fromEntries(taken[0]!.database) : {};
    expect(over).toEqual({});
    expect(median(counts)).toBeGreaterThan(0);
  }, 180_000);

  test('an idle suite asks the database no more often than its ceiling', async () => {
    expect(totalOf(await countIdle(IDLE_MS))).toBeLessThanOrEqual(IDLE_CEILING);
  }, 90_000);
};
