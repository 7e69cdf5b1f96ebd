import { connectMongo, type Database } from '@assay/mongo';
import { newId } from '@assay/runtime';
import { newDataKey } from '@assay/sealing';
import { quietLog, testStack } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type CodeLimits, createCodeLimits, MOST_TO_ONE_DESTINATION } from './code-limits.ts';

let database: Database;
let limits: CodeLimits;
beforeAll(async () => {
  const stack = testStack();
  database = await connectMongo(stack.mongoUrl, stack.database('codes'), quietLog);
  limits = createCodeLimits({ mongodb: database, secret: newDataKey(), mostOfATenant: 30 });
  await database.ensureIndexes();
});
afterAll(async () => {
  await database.connection.dropDatabase();
  await database.close();
});

const NOW = new Date('2026-03-01T10:00:00.000Z');
const after = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1000);

test('one address gets a limited number of codes an hour, however it is spelled, and then has to wait', async () => {
  const tenantId = newId();
  const address = (to: string) => ({ tenantId, channel: 'EMAIL' as const, to });
  for (let sent = 0; sent < MOST_TO_ONE_DESTINATION; sent += 1)
    expect(await limits.take(address(sent % 2 ? 'A@Example.org' : ' a@example.org'), after(sent))).toBe(0);
  expect(await limits.take(address('a@example.org'), after(600))).toBe(3000);
  expect(await limits.take(address('b@example.org'), after(600))).toBe(0);
  expect(await limits.take({ ...address('a@example.org'), tenantId: newId() }, after(600))).toBe(0);
  expect(await limits.take(address('a@example.org'), after(3600))).toBe(0);
  expect(await limits.take(address('a@example.org'), after(3600))).toBe(1);
});

test('a domain name is the same host in each of its spellings', async () => {
  const tenantId = newId();
  const spellings = ['a@b\u00fccher.example', 'A@BU\u0308CHER.example', 'a@xn--bcher-kva.example'];
  for (let sent = 0; sent < MOST_TO_ONE_DESTINATION; sent += 1)
    expect(await limits.take({ tenantId, channel: 'EMAIL', to: spellings[sent % 3]! }, NOW)).toBe(0);
  for (const to of spellings) expect(await limits.take({ tenantId, channel: 'EMAIL', to }, NOW)).toBeGreaterThan(0);
});

test('addresses with tags after a plus sign share the codes of their mailbox', async () => {
  const tenantId = newId();
  const tagged = (tag: string) => ({ tenantId, channel: 'EMAIL' as const, to: `anna${tag}@example.org` });
  for (let sent = 0; sent < MOST_TO_ONE_DESTINATION; sent += 1)
    expect(await limits.take(tagged(`+shop-${sent}+a`), NOW)).toBe(0);
  expect(await limits.take(tagged(''), NOW)).toBeGreaterThan(0);
  expect(await limits.take(tagged('+other'), NOW)).toBeGreaterThan(0);
  // A plus sign at the beginning is part of the name, not a tag.
  expect(await limits.take({ ...tagged(''), to: '+anna@example.org' }, NOW)).toBe(0);
  expect(await limits.take({ ...tagged(''), to: '+berta@example.org' }, NOW)).toBe(0);
});

test('simultaneous requests do not get more codes', async () => {
  const to = { tenantId: newId(), channel: 'MOBILE' as const, to: '+61 400 000 000' };
  const waits = await Promise.all(Array.from({ length: 25 }, () => limits.take(to, NOW)));
  expect(waits.filter((seconds) => seconds === 0)).toHaveLength(MOST_TO_ONE_DESTINATION);
});

test('a tenant sends a limited number an hour, and no destination is stored', async () => {
  const tenantId = newId();
  const to = (nth: number) => ({ tenantId, channel: 'EMAIL' as const, to: `canary-${nth}@example.org` });
  for (let nth = 0; nth < 30; nth += 1) expect(await limits.take(to(nth), NOW)).toBe(0);
  expect(await limits.take(to(31), after(10))).toBe(3590);
  const stored = await database.connection.collection('codeLimits').find({}).toArray();
  expect(JSON.stringify(stored)).not.toMatch(/canary|example/);
});
