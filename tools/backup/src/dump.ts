import { createHash } from 'node:crypto';
import { createWriteStream, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import mongoose from 'mongoose';
import { inReadingOrder, KEYS, type Place, STATE } from './databases.ts';
import { filesOf, type Manifest, type StoredCollection, writeManifest } from './manifest.ts';
import { findUnfinished } from './unfinished.ts';

type Client = mongoose.mongo.MongoClient;
type Session = mongoose.mongo.ClientSession;
const { EJSON } = mongoose.mongo.BSON;

/** Counts and hashes the documents on their way. */
const measuring = () => {
  const hash = createHash('sha256');
  let documents = 0;
  const stream = new Transform({
    writableObjectMode: true,
    transform: (document: Buffer, _encoding, done) => {
      documents += 1;
      hash.update(document);
      done(null, document);
    },
  });
  return { stream, result: () => ({ documents, sha256: hash.digest('hex') }) };
};

const dumpCollection = async (
  source: mongoose.mongo.Collection,
  files: ReturnType<typeof filesOf>,
  session: Session | undefined,
): Promise<Pick<StoredCollection, 'documents' | 'sha256' | 'metadataSha256'>> => {
  mkdirSync(dirname(files.documents), { recursive: true, mode: 0o700 });
  const { stream, result } = measuring();
  const cursor = source.find({}, { raw: true, ...(session && { session }) });
  await pipeline(Readable.from(cursor), stream, createWriteStream(files.documents, { mode: 0o600, flags: 'wx' }));
  const metadata = { indexes: await source.indexes(), collectionName: source.collectionName, options: {} };
  const text = EJSON.stringify(metadata, { relaxed: false });
  writeFileSync(files.metadata, text, { mode: 0o600 });
  return { ...result(), metadataSha256: createHash('sha256').update(text).digest('hex') };
};

/** The collections of these databases, as `database.collection`, in the order they are read in. */
const collectionsOf = async (client: Client, databases: readonly string[], prefix: string): Promise<string[]> => {
  const names = await Promise.all(
    databases.map(async (database) => {
      const db = client.db(`${prefix}${database}`);
      const found = await db.listCollections({ type: 'collection' }, { nameOnly: true }).toArray();
      return found.filter(({ name }) => !name.startsWith('system.')).map(({ name }) => `${database}.${name}`);
    }),
  );
  return inReadingOrder(names.flat());
};

/** Called after each collection was read, with its name as `database.collection`. */
export type OnRead = (name: string) => Promise<void>;

interface Dump {
  folder: string;
  kind: Manifest['kind'];
  prefix: string;
  onRead: OnRead;
}

const dumpDatabases = async (client: Client, { folder, kind, prefix, onRead }: Dump): Promise<Manifest> => {
  const hello = await client.db('admin').command({ hello: 1 });
  const hasSnapshots = hello.setName !== undefined || hello.msg === 'isdbgrid';
  const session = hasSnapshots ? client.startSession({ snapshot: true }) : undefined;
  const startedAt = new Date().toISOString();
  const collections: StoredCollection[] = [];
  for (const name of await collectionsOf(client, kind === 'state' ? STATE : KEYS, prefix)) {
    const [database = '', ...rest] = name.split('.');
    const collection = rest.join('.');
    const files = filesOf(folder, { prefix }, { database, collection });
    const source = client.db(`${prefix}${database}`).collection(collection);
    collections.push({ database, collection, ...(await dumpCollection(source, files, session)) });
    await onRead(name);
  }
  await session?.endSession();
  const moment = hasSnapshots ? 'snapshot' : 'in turn';
  return { format: 1, kind, startedAt, endedAt: new Date().toISOString(), moment, prefix, collections };
};

/**
 * Stores the state of a suite in one new folder and its keys in another: the state first, so that
 * each identity in it had its key when that was read. A replica set or a sharded cluster gives the
 * state of one moment, any other server each document as it is when its turn comes.
 * @throws when a folder holds something already, or when nothing or a part of a suite is there
 */
export const backUp = async (
  { url, prefix }: Place,
  folders: Record<Manifest['kind'], string>,
  onRead: OnRead = async () => undefined,
): Promise<Record<Manifest['kind'], Manifest>> => {
  const client = await mongoose.mongo.MongoClient.connect(url, { appName: 'assay-backup' });
  const stored = async (kind: Manifest['kind']): Promise<Manifest> => {
    mkdirSync(folders[kind], { recursive: true, mode: 0o700 });
    const manifest = await dumpDatabases(client, { folder: folders[kind], kind, prefix, onRead });
    if (manifest.collections.length === 0) throw new Error(`no database ${prefix}... holds ${kind} of a suite`);
    writeManifest(folders[kind], manifest);
    return manifest;
  };
  const storedWhole = async () => {
    const used = Object.values(folders).find((folder) => existsSync(folder) && readdirSync(folder).length > 0);
    if (used !== undefined) throw new Error(`the folder ${used} holds something: name a new one for each backup`);
    if (await findUnfinished(client, prefix)) throw new Error('a restore of these databases has not ended: repeat it');
    return stored('state');
  };
  return storedWhole()
    .then(async (state) => ({ state, keys: await stored('keys') }))
    .finally(() => client.close());
};
