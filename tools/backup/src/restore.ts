import mongoose from 'mongoose';
import { KEYS, OF_THE_MOMENT, type Place, REPLICAS, STATE } from './databases.ts';
import { load } from './load.ts';
import { type Manifest, readWhole, type StoredCollection } from './manifest.ts';
import { findUsed } from './running.ts';
import { begin, dropKeys, end, findUnfinished, RESTORING, type Unfinished } from './unfinished.ts';

type Client = mongoose.mongo.MongoClient;

export interface RestoreOptions {
  /** The folder of the state. */
  state: string;
  /**
   * The folder of the keys, for a server that has none any more. Otherwise the keys that are there
   * stay as they are.
   */
  keys?: string | undefined;
  /** Drops the state that is there. */
  replace?: boolean | undefined;
  /** How long to watch whether a service uses the databases, in milliseconds. */
  watchedMs?: number | undefined;
  /** Identities that were erased since the backup, beside those the databases name. */
  erased?: readonly string[] | undefined;
}

export interface Restored {
  documents: number;
  /** Keys that were written; none where those at the server were left alone. */
  keys: number;
  /** Keys of the backup that were left out, because their identity was erased since. */
  keysLeftOut: number;
  /**
   * Identities of the backup that have no key: they were erased since, and their closing is
   * finished once the services run.
   */
  closing: number;
}

const isFilled = async (client: Client, names: readonly string[]): Promise<boolean> => {
  for (const name of names)
    for (const collection of await client.db(name).collections())
      if (
        collection.collectionName !== RESTORING &&
        (await collection.findOne({}, { projection: { _id: 1 } })) !== null
      )
        return true;
  return false;
};

const CLOSED = { state: { $in: ['CLOSING', 'CLOSED'] } };
type Named = { _id: string };

/** The identities of which the databases know that they were closed. */
const closedIn = async (client: Client, prefix: string): Promise<string[]> => {
  const idsIn = async (database: string, collection: string, filter: object) =>
    client
      .db(`${prefix}${database}`)
      .collection<Named>(collection)
      .find(filter, { projection: { _id: 1 } })
      .toArray();
  const found = [
    await idsIn('gateway', 'identities', CLOSED),
    ...(await Promise.all(STATE.map((database) => idsIn(database, 'tombstones', {})))),
  ];
  return found.flat().map(({ _id }) => _id);
};

/**
 * An identity whose key was destroyed is erased, whatever an older state says of it. From here on
 * it is one whose closing was cut short after that: the gateway finishes it, and every service
 * purges.
 */
const closeKeyless = async (client: Client, prefix: string, now: Date): Promise<number> => {
  const identities = client.db(`${prefix}gateway`).collection<Named>('identities');
  const keys = client.db(`${prefix}keys`).collection<Named>('identityKeys');
  const keyed = new Set((await keys.find({}, { projection: { _id: 1 } }).toArray()).map(({ _id }) => _id));
  const open = await identities.find({ state: { $nin: CLOSED.state.$in } }, { projection: { _id: 1 } }).toArray();
  const keyless = open.map(({ _id }) => _id).filter((id) => !keyed.has(id));
  const closing = { reason: 'DELETED', since: now };
  await identities.updateMany(
    { _id: { $in: keyless } },
    { $set: { state: 'CLOSING', closing }, $inc: { revision: 1 } },
  );
  return keyless.length;
};

const loadKeys = async (
  client: Client,
  backup: { folder: string; manifest: Manifest; prefix: string },
  erased: ReadonlySet<string>,
) => {
  let keysLeftOut = 0;
  const keys = await load(client, backup, ({ collection }, { _id }) => {
    const isErased = collection === 'identityKeys' && erased.has(String(_id));
    if (isErased) keysLeftOut += 1;
    return !isErased;
  });
  return { keys, keysLeftOut };
};

/** @throws when what is at the server does not allow what was asked for */
const check = async (
  client: Client,
  { prefix }: Place,
  { keys, replace, watchedMs }: RestoreOptions,
  { unfinished, now }: { unfinished: Unfinished | undefined; now: Date },
): Promise<void> => {
  const named = (names: readonly string[]) => names.map((name) => `${prefix}${name}`);
  const replicas = client.db(`${prefix}${REPLICAS.database}`).collection(REPLICAS.collection);
  if ((await replicas.findOne({ aliveUntil: { $gt: now } })) !== null)
    throw new Error(
      'an issuing-source-adapter has run within 25 s: stop all services, and wait as long if it was killed',
    );
  const used = await findUsed(client, prefix, watchedMs);
  if (used.length > 0)
    throw new Error(`somebody uses the databases ${used.map((name) => prefix + name).join(', ')}: stop all services`);
  if (!replace && (await isFilled(client, named(STATE))))
    throw new Error(`the databases ${prefix}... hold something: --replace drops it`);
  if (unfinished?.withKeys) {
    if (keys === undefined)
      throw new Error('a restore with --keys has not ended, and wrote a part of them: give --keys');
    return;
  }
  const hasKeys = await isFilled(client, named(KEYS));
  if (keys !== undefined && hasKeys)
    throw new Error('the server has keys: they are newer than any backup, and know what was erased. Leave out --keys');
  if (keys === undefined && !hasKeys) throw new Error('the server has no keys: without --keys nothing could be read');
};

const isRestored = ({ database, collection }: StoredCollection): boolean =>
  !OF_THE_MOMENT.includes(`${database}.${collection}`);

/**
 * A webhook that was changed while the backup was read may differ between the gateway and the
 * notifier: the gateway tells it the one of each tenant again.
 */
const markAllChanging = async (client: Client, prefix: string): Promise<void> => {
  const tenants = client.db(`${prefix}gateway`).collection('tenants');
  await tenants.updateMany({}, { $set: { changingSince: new Date(0) } });
};

const restoreWith = async (client: Client, place: Place, options: RestoreOptions, now: Date): Promise<Restored> => {
  const { prefix } = place;
  const state = await readWhole(options.state, 'state');
  const keys = options.keys === undefined ? undefined : await readWhole(options.keys, 'keys');
  const unfinished = await findUnfinished(client, prefix);
  await check(client, place, options, { unfinished, now });
  const known = [...(unfinished?.erased ?? []), ...(keys ? await closedIn(client, prefix) : [])];
  await begin(client, prefix, { withKeys: keys !== undefined, erased: known });
  if (unfinished?.withKeys) await dropKeys(client, prefix);
  for (const database of STATE) await client.db(`${prefix}${database}`).dropDatabase();
  const documents = await load(client, { folder: options.state, manifest: state, prefix }, isRestored);
  if (state.moment === 'in turn') await markAllChanging(client, prefix);
  const erased = new Set([...known, ...(await closedIn(client, prefix)), ...(options.erased ?? [])]);
  const written =
    options.keys === undefined || keys === undefined
      ? { keys: 0, keysLeftOut: 0 }
      : await loadKeys(client, { folder: options.keys, manifest: keys, prefix }, erased);
  const closing = await closeKeyless(client, prefix, now);
  await end(client, prefix);
  return { documents, ...written, closing };
};

/**
 * Restores a backup while no service runs. What was erased since the backup stays erased: keys that
 * are at the server are left as they are, and of keys that come from a backup those are left out
 * whose identity is known to be closed. Nothing is changed before the whole backup was read and
 * found to be what was stored; from then until the end, the server has a note of it, so that a
 * restore that breaks off can be repeated.
 */
export const restore = async (place: Place, options: RestoreOptions, now = new Date()): Promise<Restored> => {
  const client = await mongoose.mongo.MongoClient.connect(place.url, { appName: 'assay-restore' });
  return restoreWith(client, place, options, now).finally(() => client.close());
};
