import type { Readable, Writable } from 'node:stream';
import mongoose, { type Connection } from 'mongoose';

/** Sealed archives, in GridFS. */
export interface Archives {
  /** A stream that stores what is written to it; durable once it has finished. */
  write(fileId: string): Writable;
  read(fileId: string): Readable;
  /** Removes a file and whatever an interrupted writing left of it. */
  remove(fileId: string): Promise<void>;
}

// Each chunk is a journaled write of its own: few large ones are much faster, and memory stays flat.
const CHUNK = 4 * 1024 * 1024;
const BUCKET = 'archives';

export const createArchives = (connection: Connection): Archives => {
  const db = connection.db!;
  const bucket = new mongoose.mongo.GridFSBucket(db, { bucketName: BUCKET, chunkSizeBytes: CHUNK });
  // The driver types file ids as ObjectId; GridFS takes any value.
  const idOf = (fileId: string) => fileId as unknown as mongoose.mongo.ObjectId;
  return {
    write: (fileId) => bucket.openUploadStreamWithId(idOf(fileId), fileId),
    read: (fileId) => bucket.openDownloadStream(idOf(fileId)),
    remove: async (fileId) => {
      await db.collection(`${BUCKET}.chunks`).deleteMany({ files_id: idOf(fileId) });
      await db.collection(`${BUCKET}.files`).deleteOne({ _id: idOf(fileId) });
    },
  };
};
