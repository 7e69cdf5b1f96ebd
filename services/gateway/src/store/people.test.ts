import { connectMongo, type Database } from '@assay/mongo';
import { newId } from '@assay/runtime';
import { newDataKey } from '@assay/sealing';
import { quietLog, testStack } from '@assay/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createPeople, type People } from './people.ts';

let mongodb: Database;
let people: People;
beforeAll(async () => {
  const stack = testStack();
  mongodb = await connectMongo(stack.mongoUrl, stack.database('people'), quietLog);
  people = createPeople({ mongodb, secret: newDataKey(), now: () => new Date('2026-03-01T10:00:00.000Z') });
  await mongodb.ensureIndexes();
});
afterAll(async () => {
  await mongodb.connection.dropDatabase();
  await mongodb.close();
});

const person = (issuer = 'https://issuer.example') => ({ issuer, subject: newId() });

describe('a person', () => {
  test('has one id, which names neither issuer nor subject', async () => {
    const who = person();
    const id = await people.signedIn(who, 'Ann');
    expect(await people.signedIn(who, 'Ann')).toBe(id);
    expect(id).not.toContain(who.subject);
    expect(people.idOf({ ...who, issuer: 'https://another.example' })).not.toBe(id);
  });

  test('whose parts only look the same when put together is another', () => {
    const one = people.idOf({ issuer: 'https://a.example', subject: 'b|c' });
    expect(people.idOf({ issuer: 'https://a.example|b', subject: 'c' })).not.toBe(one);
    expect(people.idOf({ issuer: '["https://a.example"', subject: 'b|c' })).not.toBe(one);
  });

  test('has the name of the last sign-in, and an administrator cannot change it', async () => {
    const who = person();
    const id = await people.signedIn(who, 'Ann Smith');
    await people.signedIn(who, 'Ann Jones');
    await people.named(who, 'Somebody Else');
    expect((await people.names([id])).get(id)).toBe('Ann Jones');
  });

  test('named by an administrator has that name until the first sign-in', async () => {
    const who = person('');
    const id = await people.named(who, 'Bob');
    expect((await people.names([id])).get(id)).toBe('Bob');
  });

  test('that is deleted has no name any more', async () => {
    const id = await people.signedIn(person(), 'Ann');
    expect([await people.delete(id), await people.delete(id)]).toEqual([true, false]);
    expect((await people.names([id])).has(id)).toBe(false);
  });
});

test('only people have names: ids of keys and absent ids have none', async () => {
  const id = await people.signedIn(person(), 'Ann');
  const names = await people.names([id, id, undefined, newId(), 'person-unknown']);
  expect([...names]).toEqual([[id, 'Ann']]);
});

test('people are listed page by page, each once', async () => {
  for (let nth = 0; nth < 5; nth += 1) await people.signedIn(person(), `Person ${nth}`);
  const all = await people.list(undefined, 100);
  const pages: string[] = [];
  for (let after: string | undefined; ; ) {
    const page = await people.list(after, 2);
    if (page.length === 0) break;
    pages.push(...page.map(({ personId }) => personId));
    after = page.at(-1)?.personId;
  }
  expect(pages).toEqual(all.map(({ personId }) => personId));
  expect(new Set(pages).size).toBe(pages.length);
});
