import { connectMongo, type Database } from '@assay/mongo';
import { newId } from '@assay/runtime';
import { quietLog, testStack } from '@assay/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createRequestRates, type RequestRates } from './request-rates.ts';

const LIMIT = 60;
let now = new Date('2026-03-01T10:00:00.000Z');
let here: Database;
let elsewhere: Database;
/** The rates as two processes count them. */
let rates: readonly [RequestRates, RequestRates];
beforeAll(async () => {
  const stack = testStack();
  here = await connectMongo(stack.mongoUrl, stack.database('request-rates'), quietLog);
  elsewhere = await connectMongo(stack.mongoUrl, here.connection.name, quietLog);
  const [one, other] = [here, elsewhere].map((mongodb) => createRequestRates({ mongodb, now: () => now }));
  rates = [one!, other!];
});
afterAll(async () => {
  await here.connection.dropDatabase();
  await here.close();
  await elsewhere.close();
});

const admittedOf = async (keyId: string, requests: number): Promise<number> => {
  const all = await Promise.all(
    Array.from({ length: requests }, (_, nth) => rates[nth % 2 ? 1 : 0].take(keyId, LIMIT)),
  );
  return all.filter(({ isAdmitted }) => isAdmitted).length;
};

describe('the requests of a key', () => {
  test('are counted once over two processes, also if they come at once', async () => {
    const keyId = newId();
    expect(await admittedOf(keyId, 3 * LIMIT)).toBeLessThanOrEqual(LIMIT);
    expect(await admittedOf(keyId, LIMIT)).toBe(0);
  });

  test('are all admitted up to the limit if one process gets them', async () => {
    const keyId = newId();
    const replies = [];
    for (let nth = 0; nth <= LIMIT; nth += 1) replies.push(await rates[0].take(keyId, LIMIT));
    expect(replies.map(({ isAdmitted }) => isAdmitted)).toEqual([...Array(LIMIT).fill(true), false]);
    expect(replies[0]?.remaining).toBeLessThan(LIMIT);
    expect(replies.at(-1)?.remaining).toBe(0);
  });

  test('are admitted again when the minute is over', async () => {
    const keyId = newId();
    await admittedOf(keyId, 2 * LIMIT);
    const { resetAt } = await rates[0].take(keyId, LIMIT);
    now = new Date(resetAt.getTime() + 1);
    expect((await rates[0].take(keyId, LIMIT)).isAdmitted).toBe(true);
  });

  test('do not count for another key', async () => {
    await admittedOf(newId(), 2 * LIMIT);
    expect((await rates[0].take(newId(), LIMIT)).isAdmitted).toBe(true);
  });
});
