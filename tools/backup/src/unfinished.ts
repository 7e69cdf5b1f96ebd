import type mongoose from 'mongoose';
import { KEYS } from './databases.ts';

type Client = mongoose.mongo.MongoClient;
type Named = { _id: string };

/** What is at the server of a restore that has not ended. */
export interface Unfinished {
  /** Whether it restores keys, so that those at the server are a part of them. */
  withKeys: boolean;
  /** The identities of which it found that they were erased, before it dropped who knew. */
  erased: string[];
}

/** The gateway reads this collection: while it is there, it does not start and destroys no key. */
export const RESTORING = 'restoring';
const MARK = 'restore';

const notesIn = (client: Client, prefix: string) =>
  client.db(`${prefix}keys`).collection<Named & { withKeys?: boolean }>(RESTORING);

/** The restore that has not ended, if there is one. */
export const findUnfinished = async (client: Client, prefix: string): Promise<Unfinished | undefined> => {
  const notes = await notesIn(client, prefix).find().toArray();
  const mark = notes.find(({ _id }) => _id === MARK);
  return mark && { withKeys: mark.withKeys === true, erased: notes.map(({ _id }) => _id).filter((id) => id !== MARK) };
};

/** Notes what a repeat of the restore has to know, before anything is dropped. */
export const begin = async (client: Client, prefix: string, { withKeys, erased }: Unfinished): Promise<void> => {
  const notes = notesIn(client, prefix);
  const writeConcern = { w: 'majority', journal: true } as const;
  const noted = new Set((await notes.find().toArray()).map(({ _id }) => _id));
  const added = [...new Set(erased)].filter((id) => !noted.has(id)).map((_id) => ({ _id }));
  if (added.length > 0) await notes.insertMany(added, { writeConcern });
  await notes.updateOne({ _id: MARK }, { $set: { withKeys } }, { upsert: true, writeConcern });
};

/** Drops the keys that a restore wrote before it broke off. */
export const dropKeys = async (client: Client, prefix: string): Promise<void> => {
  for (const database of KEYS)
    for (const collection of await client.db(`${prefix}${database}`).collections())
      if (collection.collectionName !== RESTORING) await collection.drop();
};

export const end = async (client: Client, prefix: string): Promise<void> => {
  await notesIn(client, prefix).drop();
};
