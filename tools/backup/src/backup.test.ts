import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SERVICE_NAMES } from '@assay/contracts';
import { testStack } from '@assay/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { inReadingOrder, KEYS, type Place, STATE } from './databases.ts';
import { backUp } from './dump.ts';
import { type RestoreOptions, restore as restoreWatching } from './restore.ts';

const { mongoUrl, database } = testStack();
const NOW = new Date('2026-11-23T10:00:00Z');
type Named = mongoose.mongo.BSON.Document & { _id: string };

let client: mongoose.mongo.MongoClient;
beforeAll(async () => {
  client = await mongoose.mongo.MongoClient.connect(mongoUrl);
});
afterAll(() => client.close());

/** Nobody else uses these databases: there is nothing to watch. */
const restore = (place: Place, options: RestoreOptions, now: Date) =>
  restoreWatching(place, { watchedMs: 0, ...options }, now);

/** A new suite with these documents. Collections are named `database.collection`. */
const suite = async (collections: Record<string, Named[]> = {}) => {
  const place = { url: mongoUrl, prefix: `${database('backup')}_` };
  const collection = (name: string) => {
    const [first = '', ...rest] = name.split('.');
    return client.db(`${place.prefix}${first}`).collection<Named>(rest.join('.'));
  };
  for (const [name, documents] of Object.entries(collections)) await collection(name).insertMany(documents);
  return {
    place,
    collection,
    ids: async (name: string) => (await collection(name).find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id),
    backedUp: async () => {
      const folder = mkdtempSync(join(tmpdir(), 'backup-'));
      const folders = { state: join(folder, 'state'), keys: join(folder, 'keys') };
      return { folders, stored: await backUp(place, folders) };
    },
  };
};

const open = (_id: string) => ({ _id, state: 'OPEN', revision: 3 });
const closed = (_id: string) => ({ _id, state: 'CLOSED', revision: 9 });
const key = (_id: string) => ({ _id, wrapped: `wrapped ${_id}` });

test('reads the databases that the services name', () => {
  const named = SERVICE_NAMES.flatMap((service) => {
    const main = readFileSync(join(import.meta.dirname, '../../../services', service, 'src/main.ts'), 'utf8');
    return [...main.matchAll(/\$\{config\.DB_PREFIX\}(\w+)/g)].map(([, name]) => name);
  });
  expect(named.toSorted()).toEqual([...STATE, ...KEYS].toSorted());
});

test('consumers are read before publishers of their events, and what refers to something before it', () => {
  const names = [
    'evidence_intake.blobs.chunks',
    'evidence_intake.blobs.files',
    'evidence_intake.evidences',
    'evidence_intake.media',
    'gateway.audit',
    'gateway.auditCheckpoints',
    'gateway.identities',
    'issuing_source_adapter.checks',
    'notifier.deliveries',
    'proof_builder.archives.chunks',
    'proof_builder.archives.files',
    'proof_builder.histories',
    'proof_builder.proofs',
    'verification_worker.cases',
  ];
  expect(inReadingOrder(names)).toEqual([
    'proof_builder.histories',
    'gateway.auditCheckpoints',
    'gateway.audit',
    'gateway.identities',
    'verification_worker.cases',
    'issuing_source_adapter.checks',
    'evidence_intake.evidences',
    'evidence_intake.media',
    'evidence_intake.blobs.files',
    'evidence_intake.blobs.chunks',
    'proof_builder.proofs',
    'proof_builder.archives.files',
    'proof_builder.archives.chunks',
    'notifier.deliveries',
  ]);
});

test('a restored document is the stored one to the last byte, and its collection has the same indexes', async () => {
  const { Long, Double, Int32, Decimal128, Binary, Timestamp, ObjectId } = mongoose.mongo.BSON;
  const types = {
    _id: 'types',
    double: new Double(1),
    int: new Int32(1),
    long: Long.fromNumber(1),
    decimal: Decimal128.fromString('1.10'),
    bytes: new Binary(Buffer.from([0, 255])),
    uuid: new Binary(Buffer.alloc(16, 7), 4),
    timestamp: new Timestamp({ t: 1, i: 2 }),
    objectId: new ObjectId('65a000000000000000000001'),
    date: NOW,
    nothing: null,
    list: [[], {}, 'ä\u0000b', /a.b/i],
    long_text: 'x'.repeat(3_000_000),
  };
  const many = Array.from({ length: 2500 }, (_, n) => ({ _id: `n${n}`, n }));
  const from = await suite({ 'gateway.audit': [types, ...many], 'keys.identityKeys': [key('a')] });
  await from.collection('gateway.audit').createIndex({ n: -1 }, { unique: true, sparse: true });
  const { folders, stored } = await from.backedUp();
  expect(stored.state.collections).toMatchObject([{ database: 'gateway', collection: 'audit', documents: 2501 }]);

  const to = await suite();
  await restore(to.place, folders, NOW);
  const bytes = async ({ collection }: typeof from) =>
    Buffer.concat(
      (await collection('gateway.audit').find({}, { raw: true }).sort({ _id: 1 }).toArray()) as never as Buffer[],
    );
  expect((await bytes(to)).equals(await bytes(from))).toBe(true);
  expect(await to.collection('gateway.audit').indexes()).toEqual(await from.collection('gateway.audit').indexes());
});

describe('identities that were erased after the backup stay erased', () => {
  const before = {
    'gateway.identities': [open('stays'), open('erased'), closed('past')],
    'keys.identityKeys': [key('erased'), key('stays')],
  };

  test('if the server still has its keys, which are newer', async () => {
    const at = await suite(before);
    const { folders } = await at.backedUp();
    await at.collection('keys.identityKeys').deleteOne({ _id: 'erased' });
    await at.collection('keys.identityKeys').insertOne(key('later'));
    const done = await restore(at.place, { state: folders.state, replace: true }, NOW);
    expect(done).toMatchObject({ documents: 3, keys: 0, closing: 1 });
    expect(await at.ids('keys.identityKeys')).toEqual(['later', 'stays']);
    expect(await at.collection('gateway.identities').find().sort({ _id: 1 }).toArray()).toEqual([
      { _id: 'erased', state: 'CLOSING', revision: 4, closing: { reason: 'DELETED', since: NOW } },
      closed('past'),
      open('stays'),
    ]);
  });

  test.each([
    ['the state that is replaced knows it', { 'gateway.identities': [closed('erased')] }, []],
    ['a tombstone of any service knows it', { 'notifier.tombstones': [{ _id: 'erased' }] }, []],
    ['a list names it', {}, ['erased']],
  ])('if the keys are lost too and %s', async (_who, present, erased) => {
    const { folders } = await (await suite(before)).backedUp();
    const to = await suite(present);
    const done = await restore(to.place, { ...folders, replace: true, erased }, NOW);
    expect(done).toMatchObject({ keys: 1, keysLeftOut: 1, closing: 1 });
    expect(await to.ids('keys.identityKeys')).toEqual(['stays']);
  });
});

describe('a restore that would do harm is refused before anything changes', () => {
  const before = { 'gateway.identities': [open('one')], 'keys.identityKeys': [key('one')] };

  test('over an existing state', async () => {
    const at = await suite(before);
    const { folders } = await at.backedUp();
    await expect(restore(at.place, { state: folders.state }, NOW)).rejects.toThrow('--replace');
    expect(await at.ids('gateway.identities')).toEqual(['one']);
  });

  test('of keys over existing keys', async () => {
    const at = await suite(before);
    const { folders } = await at.backedUp();
    await expect(restore(at.place, { ...folders, replace: true }, NOW)).rejects.toThrow('Leave out --keys');
    expect(await at.ids('gateway.identities')).toEqual(['one']);
  });

  test('without any keys', async () => {
    const { folders } = await (await suite(before)).backedUp();
    const to = await suite();
    await expect(restore(to.place, { state: folders.state }, NOW)).rejects.toThrow('nothing could be read');
  });

  test('from files that differ from the stored ones', async () => {
    const at = await suite(before);
    const { folders } = await at.backedUp();
    appendFileSync(join(folders.state, `${at.place.prefix}gateway`, 'identities.bson'), 'x');
    await expect(restore(at.place, { state: folders.state, replace: true }, NOW)).rejects.toThrow(
      'not what was stored',
    );
    expect(await at.ids('gateway.identities')).toEqual(['one']);
  });

  test.each([
    ['is missing', (file: string) => rmSync(file)],
    ['is torn', (file: string) => truncateSync(file, 20)],
  ])('from a folder in which a list of indexes %s', async (_what, damage) => {
    const at = await suite(before);
    const { folders } = await at.backedUp();
    damage(join(folders.state, `${at.place.prefix}gateway`, 'identities.metadata.json'));
    await expect(restore(at.place, { state: folders.state, replace: true }, NOW)).rejects.toThrow(
      'identities.metadata.json',
    );
    expect(await at.ids('gateway.identities')).toEqual(['one']);
  });
});

test('a backup is refused where a folder holds something, before anything is written', async () => {
  const at = await suite({ 'gateway.identities': [open('a')], 'keys.identityKeys': [key('a')] });
  const { folders } = await at.backedUp();
  const further = { state: `${folders.state}-2`, keys: folders.keys };
  await expect(backUp(at.place, further)).rejects.toThrow(`the folder ${folders.keys} holds something`);
  expect(existsSync(further.state)).toBe(false);
});

test('a restore into a suite that runs is refused before anything changes', async () => {
  const alive = [{ _id: 'replica', aliveUntil: new Date(NOW.getTime() + 1) }];
  const at = await suite({ 'gateway.identities': [open('one')], 'keys.identityKeys': [key('one')] });
  const { folders } = await at.backedUp();
  await at.collection('issuing_source_adapter.replicas').insertMany(alive);
  await expect(restore(at.place, { state: folders.state, replace: true }, NOW)).rejects.toThrow('stop all services');
  expect(await at.ids('gateway.identities')).toEqual(['one']);
  await restore(at.place, { state: folders.state, replace: true }, new Date(NOW.getTime() + 2));
});

test('a restore is not refused because of processes that ran when a backup was made', async () => {
  const alive = [{ _id: 'replica', aliveUntil: new Date(NOW.getTime() + 1) }];
  const before = { 'gateway.identities': [open('one')], 'issuing_source_adapter.replicas': alive };
  const at = await suite({ ...before, 'keys.identityKeys': [key('one')] });
  const { folders } = await at.backedUp();
  await at.collection('issuing_source_adapter.replicas').deleteMany({});
  for (const _time of ['once', 'twice']) await restore(at.place, { state: folders.state, replace: true }, NOW);
  expect(await at.ids('issuing_source_adapter.replicas')).toEqual([]);
});

test('after a restore of what was read in turn the webhook of each tenant is told again', async () => {
  const before = { 'gateway.identities': [open('one')], 'gateway.tenants': [open('tenant')] };
  const at = await suite({ ...before, 'keys.identityKeys': [key('one')] });
  const { folders } = await at.backedUp();
  await restore(at.place, { state: folders.state, replace: true }, NOW);
  expect(
    await at
      .collection('gateway.tenants')
      .find({ changingSince: { $lte: NOW } })
      .toArray(),
  ).toHaveLength(1);
});

test('a restore brings back no session of somebody who was signed in', async () => {
  const before = { 'gateway.identities': [open('one')], 'gateway.staffSessions': [open('session')] };
  const at = await suite({ ...before, 'keys.identityKeys': [key('one')] });
  const { folders } = await at.backedUp();
  await restore(at.place, { state: folders.state, replace: true }, NOW);
  expect([await at.ids('gateway.identities'), await at.ids('gateway.staffSessions')]).toEqual([['one'], []]);
});

test('a restore under a service that looks for work is refused before anything changes', async () => {
  const before = { 'gateway.identities': [open('one')], 'notifier.deliveries': [open('two')] };
  const at = await suite({ ...before, 'keys.identityKeys': [key('one')] });
  const { folders } = await at.backedUp();
  const options = { state: folders.state, replace: true, watchedMs: 500 };
  let runs = true;
  const service = (async () => {
    while (runs) await at.collection('notifier.deliveries').findOne({ _id: 'three' });
  })();
  const refused = restore(at.place, options, NOW).finally(() => {
    runs = false;
  });
  await expect(refused).rejects.toThrow(`somebody uses the databases ${at.place.prefix}notifier: stop all services`);
  await service;
  expect(await at.ids('keys.restoring')).toEqual([]);
  expect(await restore(at.place, options, NOW)).toMatchObject({ documents: 2 });
});

describe('a restore of keys that broke off', () => {
  /** A server on which the first restore ended before all keys were written. */
  const brokenOff = async (present: Record<string, Named[]>) => {
    const before = {
      'gateway.identities': [open('erased'), open('stays')],
      'keys.identityKeys': [key('erased'), key('stays')],
      'proof_keys.archiveKeys': [key('archive')],
    };
    const { folders } = await (await suite(before)).backedUp();
    const to = await suite(present);
    const proofKeys = client.db(`${to.place.prefix}proof_keys`);
    await proofKeys.createCollection('archiveKeys', { validator: { $expr: false } });
    await expect(restore(to.place, { ...folders, replace: true }, NOW)).rejects.toThrow('validation');
    await proofKeys.dropDatabase();
    return { folders, to };
  };

  test('is repeated with all of them', async () => {
    const { folders, to } = await brokenOff({});
    expect(await restore(to.place, { ...folders, replace: true }, NOW)).toMatchObject({ keys: 3, closing: 0 });
    expect(await to.ids('keys.identityKeys')).toEqual(['erased', 'stays']);
    expect(await to.ids('proof_keys.archiveKeys')).toEqual(['archive']);
    expect(await to.ids('keys.restoring')).toEqual([]);
  });

  test('leaves out what only the replaced state knew to be erased, when it is repeated', async () => {
    const { folders, to } = await brokenOff({ 'gateway.identities': [closed('erased')] });
    const done = await restore(to.place, { ...folders, replace: true }, NOW);
    expect(done).toMatchObject({ keys: 2, keysLeftOut: 1, closing: 1 });
    expect(await to.ids('keys.identityKeys')).toEqual(['stays']);
  });

  test('is not repeated without them: those that are missing would be taken for erased', async () => {
    const { folders, to } = await brokenOff({});
    await expect(restore(to.place, { state: folders.state, replace: true }, NOW)).rejects.toThrow('give --keys');
  });

  test('is not backed up', async () => {
    const { to } = await brokenOff({});
    await expect(to.backedUp()).rejects.toThrow('has not ended');
  });
});
