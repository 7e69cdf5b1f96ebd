import mongoose from 'mongoose';
import type { Place } from './databases.ts';
import { findUnfinished } from './unfinished.ts';

type Client = mongoose.mongo.MongoClient;
type Db = mongoose.mongo.Db;
interface Chunk {
  _id: mongoose.mongo.ObjectId;
  files_id: string;
  n: number;
}
interface File {
  _id: string;
  uploadDate: Date;
}

/** Where bytes are in chunks, and which field of which records names them. */
const AREAS = [
  { database: 'evidence_intake', bucket: 'blobs', records: 'media', field: 'blobId' },
  { database: 'proof_builder', bucket: 'archives', records: 'proofs', field: 'archiveIds' },
] as const;
type Area = (typeof AREAS)[number];
/** Where bytes are that an object store may have, too. */
export const [MEDIA] = AREAS;

/** What arrives at this moment is younger, and its record is written before its first chunk. */
export const YOUNG_MS = 24 * 3_600_000;
const BATCH = 1000;
/** Only while this looks: each upload would pay for it. */
const INDEX = 'strays';

/** Bytes of which no record is there. */
export interface Strays {
  /** As `database.bucket`. */
  where: string;
  blobs: number;
  chunks: number;
}

const filesOf = (db: Db, { bucket }: Area) => db.collection<File>(`${bucket}.files`);
const chunksOf = (db: Db, { bucket }: Area) => db.collection<Chunk>(`${bucket}.chunks`);

/** The ids of an index in its order, without their documents, some at a time. */
async function* idsIn<T extends object>(
  collection: mongoose.mongo.Collection<T>,
  field: 'files_id' | '_id',
): AsyncGenerator<string[]> {
  const projection = field === '_id' ? { _id: 1 } : { _id: 0, [field]: 1 };
  for (let after = ''; ; ) {
    const found = await collection
      .find({ [field]: { $gt: after } } as mongoose.mongo.Filter<T>, { projection })
      .sort({ [field]: 1 })
      .limit(BATCH)
      .toArray();
    const ids = [...new Set(found.map((one) => String((one as Record<string, unknown>)[field])))];
    if (ids.length === 0) return;
    yield ids;
    after = ids.at(-1) ?? after;
  }
}

/** Those of these ids that no record names; within `indexed`. */
export const unnamed = async (db: Db, { records, field }: Area, ids: readonly string[]): Promise<string[]> => {
  const found = await db
    .collection(records)
    .find({ [field]: { $in: [...ids] } }, { projection: { _id: 0, [field]: 1 }, hint: INDEX })
    .toArray();
  const named = new Set(found.flatMap((one) => one[field] as string | string[]));
  return ids.filter((id) => !named.has(id));
};

const isYoung = async (db: Db, area: Area, id: string, since: Date): Promise<boolean> => {
  const newest = await chunksOf(db, area).findOne({ files_id: id }, { projection: { _id: 1 }, sort: { n: -1 } });
  const file = await filesOf(db, area).findOne({ _id: id });
  const at = newest?._id.getTimestamp() ?? file?.uploadDate ?? since;
  return at >= since;
};

const straysIn = async (db: Db, area: Area, since: Date, isRemoved: boolean): Promise<Strays> => {
  const [files, chunks] = [filesOf(db, area), chunksOf(db, area)];
  const strays: Strays = { where: `${area.database}.${area.bucket}`, blobs: 0, chunks: 0 };
  const take = async (ids: readonly string[]): Promise<void> => {
    for (const id of await unnamed(db, area, ids)) {
      if (await isYoung(db, area, id, since)) continue;
      strays.blobs += 1;
      strays.chunks += await chunks.countDocuments({ files_id: id });
      if (!isRemoved) continue;
      await files.deleteOne({ _id: id });
      await chunks.deleteMany({ files_id: id });
    }
  };
  for await (const ids of idsIn(chunks, 'files_id')) await take(ids);
  for await (const ids of idsIn(files, '_id')) {
    const inChunks = new Set(await chunks.distinct('files_id', { files_id: { $in: ids } }));
    await take(ids.filter((id) => !inChunks.has(id)));
  }
  return strays;
};

/** Gives `work` an index of the records by what they name, for as long as it takes. */
export const indexed = async <T>(db: Db, { records, field }: Area, work: () => Promise<T>): Promise<T> => {
  // Without records everything would be a stray.
  const [there] = await db.listCollections({ name: records }, { nameOnly: true }).toArray();
  if (!there) throw new Error(`${db.databaseName} has no collection ${records}`);
  await db.collection(records).createIndex({ [field]: 1 }, { name: INDEX, sparse: true });
  return work().finally(() => db.collection(records).dropIndex(INDEX));
};

const look = async (client: Client, { prefix }: Place, area: Area, since: Date, isRemoved: boolean) => {
  const db = client.db(`${prefix}${area.database}`);
  const there = new Set((await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name));
  if (!there.has(`${area.bucket}.chunks`)) return { where: `${area.database}.${area.bucket}`, blobs: 0, chunks: 0 };
  return indexed(db, area, () => straysIn(db, area, since, isRemoved));
};

/** Looks at the databases of a suite. @throws while their restore has not ended */
export const atPlace = async <T>({ url, prefix }: Place, work: (client: Client) => Promise<T>): Promise<T> => {
  const client = await mongoose.mongo.MongoClient.connect(url);
  const workOnWhole = async (): Promise<T> => {
    if (await findUnfinished(client, prefix)) throw new Error('a restore has not ended: repeat it first');
    return work(client);
  };
  return workOnWhole().finally(() => client.close());
};

/**
 * Counts the bytes of media and archives that no record names, and removes them on request.
 * Services may run meanwhile: what is younger than a day is left alone.
 */
export const findStrays = async (place: Place, now: Date, isRemoved = false): Promise<Strays[]> => {
  const since = new Date(now.getTime() - YOUNG_MS);
  return atPlace(place, async (client) => {
    const found: Strays[] = [];
    for (const area of AREAS) found.push(await look(client, place, area, since, isRemoved));
    return found;
  });
};
