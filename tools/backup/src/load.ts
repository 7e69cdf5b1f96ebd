import { createReadStream, readFileSync } from 'node:fs';
import mongoose from 'mongoose';
import { filesOf, type Manifest, type StoredCollection } from './manifest.ts';

type Document = mongoose.mongo.BSON.Document;
const { EJSON, deserialize } = mongoose.mongo.BSON;

const BATCH_BYTES = 8 * 1024 * 1024;
const BATCH_DOCUMENTS = 1000;
const LENGTH_BYTES = 4;

/** The documents of a file, one after the other: each begins with its length. */
async function* documentsIn(file: string): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of createReadStream(file, { highWaterMark: BATCH_BYTES })) {
    rest = rest.length === 0 ? (piece as Buffer) : Buffer.concat([rest, piece as Buffer]);
    let at = 0;
    while (rest.length - at >= LENGTH_BYTES && rest.length - at >= rest.readInt32LE(at)) {
      const end = at + rest.readInt32LE(at);
      yield rest.subarray(at, end);
      at = end;
    }
    rest = rest.subarray(at);
  }
  if (rest.length > 0) throw new Error(`${file} ends within a document`);
}

/** Every value keeps its type: what was a double is one again, whatever its value. */
const opened = (document: Buffer): Document => deserialize(document, { promoteValues: false, promoteBuffers: false });

async function* batchesOf(file: string, takes: (document: Document) => boolean): AsyncGenerator<Document[]> {
  let batch: Document[] = [];
  let bytes = 0;
  for await (const document of documentsIn(file)) {
    const each = opened(document);
    if (!takes(each)) continue;
    batch.push(each);
    bytes += document.length;
    if (bytes < BATCH_BYTES && batch.length < BATCH_DOCUMENTS) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

interface Index extends Document {
  name: string;
  key: Record<string, 1 | -1>;
}

/** Makes the indexes a backup names; the one of `_id` is there by itself. */
const makeIndexes = async (target: mongoose.mongo.Collection, metadata: string): Promise<void> => {
  const { indexes } = EJSON.parse(readFileSync(metadata, 'utf8')) as { indexes: Index[] };
  const wanted = indexes
    .filter(({ name }) => name !== '_id_')
    .map(({ v: _version, ns: _namespace, ...index }) => index);
  if (wanted.length > 0) await target.createIndexes(wanted);
};

/**
 * Writes the collections of a backup into databases that have none of them; returns how many
 * documents `takes` let in.
 */
export const load = async (
  client: mongoose.mongo.MongoClient,
  backup: { folder: string; manifest: Manifest; prefix: string },
  takes: (stored: StoredCollection, document: Document) => boolean = () => true,
): Promise<number> => {
  const { folder, manifest, prefix } = backup;
  let written = 0;
  for (const stored of manifest.collections) {
    const { documents, metadata } = filesOf(folder, manifest, stored);
    const target = client.db(`${prefix}${stored.database}`).collection(stored.collection);
    await makeIndexes(target, metadata);
    for await (const batch of batchesOf(documents, (document) => takes(stored, document))) {
      await target.insertMany(batch, { ordered: false, writeConcern: { w: 'majority', journal: true } });
      written += batch.length;
    }
  }
  return written;
};
