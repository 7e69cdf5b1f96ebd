import { countIdle, openCostRounds, totalOf } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

/**
 * Counts the database commands of a step instead of measuring its time. The round with the fewest
 * commands counts: a busy machine may take two batches for what a quiet one takes in one, never the
 * other way round. The ceilings of long steps leave room for that. A further round trip fails here:
 * save one elsewhere, or say in the commit why the ceiling rises.
 */

/**
 * Database commands of everything that a step causes, up to the last message. `path` is creation,
 * consents and text in a row, so that a value that is looked up once a second is looked up once.
 */
const CEILINGS = {
  create: 7,
  consents: 8,
  text: 25,
  path: 34,
  picture: 30,
  chip: 27,
  chipWithPortrait: 25,
  status: 2,
  identity: 4,
  proof: 50,
} as const;
const STEPS = Object.keys(CEILINGS) as (keyof typeof CEILINGS)[];
/**
 * Commands a second of a suite without requests. What the steps before closed and published is
 * published again a minute or two later, which may be during one of the rounds.
 */
const IDLE_CEILING = 6;
const ROUNDS = 6;
const IDLE_MS = 6000;

/** Needs a suite that counts its commands (`MONGO_COUNT`) and that no other story uses. */
export const costStory = (): void => {
  let rounds: Awaited<ReturnType<typeof openCostRounds>>;
  beforeAll(async () => {
    rounds = await openCostRounds();
  }, 120_000);
  afterAll(() => rounds?.close());

  test('no step takes more commands than its ceiling', async () => {
    // The first round opens connections, fetches keys and compiles queries.
    await rounds.textRound();
    const taken: Awaited<ReturnType<typeof rounds.wholeRound>>[] = [];
    const countsOf = (step: (typeof STEPS)[number]) => taken.map((steps) => totalOf(steps[step].database));
    const fewestOf = (step: (typeof STEPS)[number]) => Math.min(...countsOf(step));
    // More rounds cannot raise what the best one took.
    const isMet = () => taken.length > 0 && STEPS.every((step) => fewestOf(step) <= CEILINGS[step]);
    while (taken.length < ROUNDS && !isMet()) taken.push(await rounds.wholeRound());
    for (const step of STEPS) {
      const counts = countsOf(step);
      const fewest = fewestOf(step);
      const over = fewest > CEILINGS[step] ? Object.fromEntries(taken[counts.indexOf(fewest)]![step].database) : {};
      expect({ step, over }).toEqual({ step, over: {} });
      expect(fewest).toBeGreaterThan(0);
    }
  }, 400_000);

  test('an idle suite asks the database no more often than its ceiling', async () => {
    let fewest = Number.POSITIVE_INFINITY;
    for (let round = 0; round < ROUNDS && fewest > IDLE_CEILING; round += 1)
      fewest = Math.min(fewest, totalOf(await countIdle(IDLE_MS)));
    expect(fewest).toBeLessThanOrEqual(IDLE_CEILING);
  }, 90_000);
};
