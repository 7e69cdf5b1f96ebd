import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readStack } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { KEYS, STATE } from '../tools/backup/src/databases.ts';

/**
 * Every collection has a stated bound: docs/operations.md says how long each one stores a document.
 */

const OURS: readonly string[] = [...STATE, ...KEYS];

interface Row {
  collection: string;
  bound: string;
}

const documented = (): Row[] => {
  const text = readFileSync(join(import.meta.dirname, '../docs/operations.md'), 'utf8');
  const [, section = ''] = text.split('## How long data stay');
  return [...section.split('\n## ')[0]!.matchAll(/^\| `([a-z_]+\.[A-Za-z.]+)` \| (.+) \|$/gm)].map(
    ([, collection = '', bound = '']) => ({ collection, bound }),
  );
};

let connection: mongoose.Connection;
beforeAll(async () => {
  connection = await mongoose.createConnection(readStack().mongoUrl).asPromise();
});
afterAll(() => connection.close());

const database = (name: string) => connection.useDb(`${readStack().names.databases}${name}`).db!;

test('every collection has a stated bound, and every stated collection exists', async () => {
  const { databases: prefix } = readStack().names;
  const { databases } = await connection.db!.admin().listDatabases();
  const ours = databases.map(({ name }) => name.replace(prefix, '')).filter((name) => OURS.includes(name));
  const found: string[] = [];
  for (const name of ours)
    for (const { name: collection } of await database(name).listCollections().toArray())
      found.push(`${name}.${collection}`);
  const stated = documented().map(({ collection }) => collection);
  expect(found.filter((each) => !stated.includes(each))).toEqual([]);
  // Blobs have no model: the first blob creates their collections.
  const isMadeLater = (each: string): boolean => /\.(files|chunks)$/.test(each);
  expect(stated.filter((each) => !found.includes(each) && !isMadeLater(each))).toEqual([]);
});

test('every collection that the database clears by time has its TTL index', async () => {
  const timed = documented().filter(({ bound }) => /^TTL on `/.test(bound));
  expect(timed.length).toBeGreaterThan(8);
  for (const { collection, bound } of timed) {
    const [, field = ''] = /^TTL on `(\w+)`/.exec(bound)!;
    const [name = '', ...rest] = collection.split('.');
    const indexes = await database(name).collection(rest.join('.')).indexes();
    const ttl = indexes.filter(({ expireAfterSeconds }) => expireAfterSeconds !== undefined);
    expect({ collection, fields: ttl.flatMap(({ key }) => Object.keys(key)) }).toEqual({ collection, fields: [field] });
  }
});

test('every stored document carries the version of its shape; the parts of a blob have the layout of GridFS', async () => {
  const withoutVersion: string[] = [];
  for (const { collection } of documented().filter((row) => !/\.(files|chunks)$/.test(row.collection))) {
    const [name = '', ...rest] = collection.split('.');
    const count = await database(name)
      .collection(rest.join('.'))
      .countDocuments({ schemaVersion: { $exists: false } });
    if (count > 0) withoutVersion.push(`${collection}: ${count}`);
  }
  expect(withoutVersion).toEqual([]);
});
