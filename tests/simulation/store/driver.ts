import { present } from '@assay/contracts';
import mongoose from 'mongoose';
import { createDocuments, type Documents, type Index } from './collection.ts';
import {
  aggregate,
  bulkWrite,
  distinct,
  find,
  findOneAndUpdate,
  insertCommand,
  ofBulk,
  type Server,
} from './commands.ts';
import type { Fields } from './paths.ts';
import { matcherOf } from './query.ts';

/**
 * Carries a command to the server and its reply back. Decides when the command takes effect, and
 * whether it fails before or after that.
 */
export type Carry = <T>(command: string, work: () => T) => Promise<T>;

export interface Store extends Server {
  databases: Map<string, Map<string, Documents>>;
  /** Removes the documents that a TTL index declares expired. */
  expire(now: Date): void;
}

export const createServer = (): Store => {
  const databases = new Map<string, Map<string, Documents>>();
  return {
    databases,
    expire: (now) => {
      for (const collections of databases.values()) for (const documents of collections.values()) documents.expire(now);
    },
    collection: (database, name) => {
      const collections = databases.get(database) ?? new Map<string, Documents>();
      databases.set(database, collections);
      const documents = collections.get(name) ?? createDocuments();
      collections.set(name, documents);
      return documents;
    },
  };
};

interface IndexOptions {
  name?: string;
  unique?: boolean;
  sparse?: boolean;
  partialFilterExpression?: Fields;
  expireAfterSeconds?: number;
}

const indexOf = (key: Record<string, number>, options: IndexOptions): Index => ({
  name: options.name ?? Object.entries(key).flat().join('_'),
  key,
  isUnique: options.unique === true,
  isSparse: options.sparse === true,
  ...(options.partialFilterExpression ? { isCovered: matcherOf(options.partialFilterExpression) } : {}),
  ...present({ expireAfterSeconds: options.expireAfterSeconds }),
});

/** A cursor whose documents all come in one reply. */
const cursor = (ask: () => Promise<Fields[]>) => ({
  toArray: ask,
  async *[Symbol.asyncIterator]() {
    yield* await ask();
  },
});

type Options = Record<string, unknown>;

/** One collection with the interface of MongoDB's driver, as far as the suite uses it. */
const collectionOf = (server: Server, database: string, name: string, carry: Carry) => {
  const documents = server.collection(database, name);
  const does = <T>(command: string, work: () => T): Promise<T> => carry(`${command} ${database}.${name}`, work);
  const update = (filter: Fields, change: Fields | Fields[], options: Options | undefined, many: boolean) =>
    documents.update(filter, change, { many, upsert: options?.upsert === true });
  const put = (index: Index): string => {
    documents.indexes.set(index.name, index);
    return index.name;
  };
  return {
    collectionName: name,
    find: (filter: Fields, options?: Options) => cursor(() => does('find', () => find(documents, filter, options))),
    findOne: (filter: Fields, options?: Options) =>
      does('findOne', () => find(documents, filter, { ...options, limit: 1 })[0] ?? null),
    distinct: (path: string, filter: Fields) => does('distinct', () => distinct(documents, path, filter)),
    countDocuments: (filter: Fields) => does('count', () => documents.matching(filter).length),
    aggregate: (pipeline: Fields[]) =>
      cursor(() => does('aggregate', () => aggregate(server, database, name, pipeline))),
    insertOne: (document: Fields) =>
      does('insertOne', () => {
        documents.insert(document);
        return { acknowledged: true, insertedId: document._id };
      }),
    insertMany: (all: Fields[]) =>
      does('insertMany', () => {
        for (const document of all) documents.insert(document);
        return { acknowledged: true, insertedCount: all.length, insertedIds: all.map(({ _id }) => _id) };
      }),
    updateOne: (filter: Fields, change: Fields, options?: Options) =>
      does('updateOne', () => update(filter, change, options, false)),
    updateMany: (filter: Fields, change: Fields | Fields[], options?: Options) =>
      does('updateMany', () => update(filter, change, options, true)),
    findOneAndUpdate: (filter: Fields, change: Fields, options?: Options) =>
      does('findOneAndUpdate', () => findOneAndUpdate(documents, filter, change, options)),
    replaceOne: (filter: Fields, next: Fields, options?: Options) =>
      does('replaceOne', () => documents.replaceOne(filter, next, options?.upsert === true)),
    deleteOne: (filter: Fields) =>
      does('deleteOne', () => ({
        acknowledged: true,
        deletedCount: documents.remove(documents.matching(filter).slice(0, 1)),
      })),
    deleteMany: (filter: Fields) =>
      does('deleteMany', () => ({ acknowledged: true, deletedCount: documents.remove(documents.matching(filter)) })),
    bulkWrite: (operations: Parameters<typeof bulkWrite>[1], options?: Options) =>
      does('bulkWrite', () => bulkWrite(documents, operations, options?.ordered !== false)).catch((error: unknown) => {
        throw ofBulk(error);
      }),
    createIndex: (key: Record<string, number>, options: IndexOptions = {}) =>
      does('createIndex', () => put(indexOf(key, options))),
    createIndexes: (indexes: (IndexOptions & { key: Record<string, number> })[]) =>
      does('createIndexes', () => indexes.map(({ key, ...options }) => put(indexOf(key, options)))),
  };
};

type Opened = { server: Server; carry: Carry };

const { Connection } = mongoose;

let open: ((database: string) => Opened) | undefined;

/** The members of a mongoose connection that are set when its client connects. */
interface Inside {
  readyState: number;
  db: unknown;
  client: unknown;
  name: string;
  collections: Record<string, { onOpen(): void }>;
  onOpen(): void;
}

/** The `insert` or `hello` command. */
interface Command {
  insert?: string;
  documents?: Fields[];
  ordered?: boolean;
}

class SimulatedConnection extends Connection {
  async createClient(this: Inside, _uri: string, { dbName = 'test' }: { dbName?: string }): Promise<unknown> {
    if (!open) throw new Error('no simulated store is open');
    const { server, carry } = open(dbName);
    this.readyState = mongoose.ConnectionStates.connecting;
    await carry(`connect ${dbName}`, () => undefined);
    this.client = { close: async () => undefined, on: () => undefined };
    this.db = {
      databaseName: dbName,
      collection: (name: string) => collectionOf(server, dbName, name, carry),
      command: ({ insert, documents = [], ordered }: Command) =>
        insert === undefined
          ? carry(`hello ${dbName}`, () => ({ localTime: new Date() }))
          : carry(`insert ${dbName}.${insert}`, () =>
              insertCommand(server.collection(dbName, insert), documents, ordered !== false),
            ),
      createCollection: (name: string) => carry(`createCollection ${dbName}.${name}`, () => undefined),
    };
    this.name = dbName;
    this.onOpen();
    for (const collection of Object.values(this.collections)) collection.onOpen();
    return this;
  }
  async doClose(): Promise<this> {
    return this;
  }
}

/**
 * Connects every new mongoose connection to a simulated server. `opened` returns the server for a
 * database, on behalf of the process that connects. The function that this returns restores
 * MongoDB.
 */
export const useSimulatedStore = (opened: (database: string) => Opened): (() => void) => {
  Object.assign(mongoose, { Connection: SimulatedConnection });
  open = opened;
  // Connections of the former run: a process that died closed none of them.
  mongoose.connections.splice(1);
  return () => {
    Object.assign(mongoose, { Connection });
    open = undefined;
  };
};
