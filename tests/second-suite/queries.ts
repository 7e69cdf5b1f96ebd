import { readStack, startProxy } from '@assay/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { collectionOf, commandOf, listsOf, mongoFraming } from '../faults/mongo-wire.ts';

/* Asks the database how it would answer every kind of query that the services have sent. */

/** One search for documents, as it was sent. */
interface Query {
  database: string;
  collection: string;
  /** A command for this search alone, in a form that `explain` takes. */
  command: Record<string, unknown>;
}

/** Members of a command that concern its transport, not the search. */
const TRANSPORT = new Set(['lsid', '$db', 'writeConcern', 'readConcern', 'txnNumber', '$clusterTime', 'comment']);

const withoutTransport = (document: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(document).filter(([name]) => !TRANSPORT.has(name)));

/** The searches of a command: several if it changes documents by several filters. */
const searchesOf = (name: string, collection: string, document: Record<string, unknown>): Query['command'][] => {
  if (name === 'update' || name === 'delete') {
    const list = `${name}s`;
    return ((document[list] ?? []) as unknown[]).map((one) => ({ [name]: collection, [list]: [one] }));
  }
  return ['find', 'aggregate', 'findAndModify', 'count', 'distinct'].includes(name) ? [document] : [];
};

/** The shape of a query leaves out the order of lists, and strings that are data. */
const WORD = /^[$A-Z_a-z.]{1,40}$/;
const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return [...new Set(value.map((each) => JSON.stringify(shapeOf(each))))];
  if (typeof value === 'string') return WORD.test(value) ? value : 'string';
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return typeof value === 'boolean' ? value : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shapeOf(each)]));
};

/** The filters of a search decide on its index; what an update sets does not. */
const filtersOf = (command: Query['command']): unknown => {
  const [one] = ((command.updates ?? command.deletes) as { q: unknown }[] | undefined) ?? [];
  return one ? one.q : { ...command, update: undefined, fields: undefined, projection: undefined };
};

/** Forwards everything to a database server, and records each kind of search once. */
export const startRecorder = async (mongoUrl: string) => {
  const queries = new Map<string, Query>();
  const note = (message: Buffer): void => {
    const sent = commandOf(message);
    const collection = sent && collectionOf(sent);
    if (!sent || collection === undefined) return;
    const { name, document } = sent;
    const database = String(document.$db);
    for (const command of searchesOf(name, collection, withoutTransport({ ...document, ...listsOf(message) }))) {
      const shape = JSON.stringify([database, name, collection, shapeOf(filtersOf(command))]);
      queries.set(shape, { database, collection, command });
    }
  };
  const proxy = await startProxy(mongoUrl, () => {
    const frame = mongoFraming();
    return (bytes) => frame(bytes).forEach(note);
  });
  return { ...proxy, queries };
};
export type Recorder = Awaited<ReturnType<typeof startRecorder>>;

/**
 * Collections that are read as a whole: one document for each tenant with webhooks, and one for
 * each trust list.
 */
const SMALL = new Set(['notifier.endpoints', 'verification_worker.trustLists']);

/** Whether a search only asks if there is any document. */
const asksForAny = ({ command: { filter, limit } }: Query): boolean =>
  limit === 1 && filter !== undefined && Object.keys(filter as object).length === 0;

/** Runs last: it explains the queries that the former stories have caused. */
export const queriesStory = (recorder: () => Recorder): void => {
  let connection: mongoose.Connection;
  beforeAll(async () => {
    connection = await mongoose.createConnection(readStack().mongoUrl).asPromise();
  });
  afterAll(() => connection?.close());

  const planOf = async ({ database, command }: Query): Promise<string> =>
    JSON.stringify(await connection.getClient().db(database).command({ explain: command, verbosity: 'queryPlanner' }));

  test('every query is answered by an index', async () => {
    const prefix = readStack().names.databases.length;
    const asked = [...recorder().queries].filter(([, query]) => {
      const name = `${query.database.slice(prefix)}.${query.collection}`;
      return !query.collection.startsWith('$cmd') && !SMALL.has(name) && !asksForAny(query);
    });
    const scans: string[] = [];
    for (const [shape, query] of asked) if ((await planOf(query)).includes('COLLSCAN')) scans.push(shape);
    expect(scans).toEqual([]);
    expect(asked.length).toBeGreaterThan(150);
  }, 60_000);
};
