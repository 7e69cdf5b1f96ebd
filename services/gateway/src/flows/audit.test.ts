import { connectMongo, type Database, trusted } from '@assay/mongo';
import { newId } from '@assay/runtime';
import { quietLog, testStack } from '@assay/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type AuditStore, createAuditStore } from '../store/audit.ts';
import { createAuditLog } from './audit.ts';

let database: Database;
let audit: AuditStore;
let log: ReturnType<typeof createAuditLog>;
const now = () => new Date();
/** Signs like proof-builder, as far as a chain is concerned. */
const sign = async ({ content }: { content: object }) => ({ jws: JSON.stringify(content), kid: 'k' });
beforeAll(async () => {
  const stack = testStack();
  database = await connectMongo(stack.mongoUrl, stack.database('audit'), quietLog);
  audit = createAuditStore({ mongodb: database, now });
  log = createAuditLog({ audit, proofBuilder: { sign }, now, log: quietLog });
  await database.ensureIndexes();
});
afterAll(async () => {
  await database.connection.dropDatabase();
  await database.close();
});

const caller = { keyId: 'key', role: 'ADMINISTRATOR' as const, requestId: 'request' };
/** A new chain with so many entries. */
const chainOf = async (entries: number): Promise<string> => {
  const chain = newId();
  await Promise.all(Array.from({ length: entries }, () => log.record(chain, caller, 'key.create', {})));
  return chain;
};
const set = (chain: string, seq: number, fields: object) => audit.model.updateOne({ chain, seq }, { $set: fields });

describe('the verification of a chain', () => {
  test('given no entry, then there is nothing wrong', async () => {
    expect(await log.verify(newId())).toEqual({ entries: 0, ok: true });
  });

  test.each([499, 500, 501])('given %i entries, over several reads, then each is checked', async (entries) => {
    const chain = await chainOf(entries);
    expect(await log.verify(chain)).toEqual({ entries, ok: true });
    await set(chain, entries, { at: '2000-01-01T00:00:00.000' });
    const fault = { seq: entries, fault: 'HASH' };
    expect(await log.verify(chain)).toEqual({ entries: entries - 1, ok: false, fault });
  });

  test('given an entry that is missing, then the entry after it is named', async () => {
    const chain = await chainOf(4);
    await audit.model.deleteOne({ chain, seq: 2 });
    expect(await log.verify(chain)).toEqual({ entries: 1, ok: false, fault: { seq: 3, fault: 'SEQUENCE' } });
  });

  test('given an entry with another content, then it is named', async () => {
    const chain = await chainOf(3);
    await set(chain, 2, { 'content.act': 'key.delete' });
    expect(await log.verify(chain)).toMatchObject({ ok: false, fault: { seq: 2, fault: 'CONTENT' } });
  });

  test('given an entry whose content was erased with its salt, then the chain verifies', async () => {
    const chain = await chainOf(3);
    await audit.model.updateOne({ chain, seq: 2 }, { $unset: { content: 1, salt: 1 } });
    expect(await log.verify(chain)).toEqual({ entries: 3, ok: true });
  });

  test('given a signed head, when the entries at the end are removed, then the first of them is missing', async () => {
    const chain = await chainOf(5);
    await log.checkpoint();
    await audit.model.deleteMany({ chain, seq: trusted({ $gt: 3 }) });
    expect(await log.verify(chain)).toEqual({ entries: 3, ok: false, fault: { seq: 4, fault: 'SEQUENCE' } });
    await audit.model.deleteMany({ chain });
    expect(await log.verify(chain)).toEqual({ entries: 0, ok: false, fault: { seq: 1, fault: 'SEQUENCE' } });
  });

  test('given a signed head, when the whole chain is written anew, then the entry that was signed is named', async () => {
    const chain = await chainOf(3);
    await log.checkpoint();
    await audit.model.deleteMany({ chain });
    for (let nth = 0; nth < 4; nth += 1) await log.record(chain, caller, 'key.delete', {});
    expect(await log.verify(chain)).toEqual({ entries: 2, ok: false, fault: { seq: 3, fault: 'CHECKPOINT' } });
  });

  test('while entries are added and signed, then it never sees a fault', async () => {
    const chain = await chainOf(1);
    for (let round = 0; round < 5; round += 1) {
      const adding = log.record(chain, caller, 'key.create', {}).then(() => log.checkpoint());
      expect(await log.verify(chain)).toMatchObject({ ok: true });
      await adding;
    }
  });
});

describe('an act', () => {
  test('given that it is refused, then a second entry names the first and the status', async () => {
    const chain = newId();
    const refusal = Object.assign(new Error('no'), { status: 409 });
    const acting = log.around(chain, caller, 'key.delete', { keyId: 'x' }, () => Promise.reject(refusal));
    await expect(acting).rejects.toBe(refusal);
    const lines = await audit.list(chain, 0, 10);
    expect(lines.map(({ content }) => [content?.act, content?.details])).toEqual([
      ['key.delete', undefined],
      ['act.refused', { entry: 1, status: 409 }],
    ]);
  });

  test('given that it fails without a status, also at once, then that is recorded as 500', async () => {
    const chain = newId();
    const broken = () => {
      throw new TypeError('broken');
    };
    await expect(log.around(chain, caller, 'key.delete', {}, broken)).rejects.toThrow('broken');
    expect((await audit.lastOf(chain))?.content?.details).toEqual({ entry: 1, status: 500 });
  });

  test('given that it cannot be recorded, then it is not done', async () => {
    const closed = await connectMongo(testStack().mongoUrl, database.connection.name, quietLog);
    const other = createAuditStore({ mongodb: closed, now });
    await closed.close();
    let isDone = false;
    const acting = createAuditLog({ audit: other, proofBuilder: { sign }, now, log: quietLog }).around(
      newId(),
      caller,
      'key.delete',
      {},
      () => {
        isDone = true;
      },
    );
    await expect(acting).rejects.toThrow();
    expect(isDone).toBe(false);
  });

  test('of the suite itself, marked to be recorded once, has one entry, however many replicas record it', async () => {
    const chain = newId();
    const second = createAuditLog({
      audit: createAuditStore({ mongodb: database, now }),
      proofBuilder: { sign },
      now,
      log: quietLog,
    });
    const record = (by: typeof log) =>
      by.recordOfSuite(chain, { act: 'identity.closed', subject: { identityId: 'i' }, details: {}, once: 'closed i' });
    const lines = await Promise.all([record(log), record(second), record(log), record(second)]);
    expect(new Set(lines.map(({ seq }) => seq))).toEqual(new Set([1]));
    expect(await log.verify(chain)).toEqual({ entries: 1, ok: true });
  });
});

test('a head that is signed already is not signed again', async () => {
  const chain = await chainOf(2);
  await log.checkpoint();
  await log.checkpoint();
  await log.record(chain, caller, 'key.create', {});
  await log.checkpoint();
  expect((await audit.checkpoints(chain, 0, 10)).map(({ seq }) => seq)).toEqual([2, 3]);
});
