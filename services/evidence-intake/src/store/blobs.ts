import type { Readable } from 'node:stream';
import mongoose, { type Connection } from 'mongoose';

/** Where the sealed bytes of media lie. GridFS here; an object store behind the same three calls does as well. */
export interface BlobStore {
  /**
   * Writes a blob; resolves once it is stored durably. When the source fails nothing is on its way to the store any more, so that `remove` leaves nothing
   * behind.
   */
  write(blobId: string, bytes: AsyncIterable<Buffer>): Promise<void>;
  read(blobId: string): Readable;
  /** Removes blobs, also those of which only a part was written. */
  remove(blobIds: readonly string[]): Promise<void>;
}

const CHUNK_BYTES = 1024 * 1024;

/** Blobs in GridFS, in the buckets' own two collections `blobs.files` and `blobs.chunks`. */
export const createGridFsBlobs = (connection: Connection): BlobStore => {
  const db = connection.db;
  if (!db) throw new Error('not connected');
  const bucket = new mongoose.mongo.GridFSBucket(db, {
    bucketName: 'blobs',
    chunkSizeBytes: CHUNK_BYTES,
    writeConcern: { w: 'majority', journal: true },
  });
  // GridFS takes ids of any type; ours are strings, as everywhere.
  const asId = (blobId: string) => blobId as unknown as mongoose.mongo.ObjectId;
  const files = db.collection<{ _id: string }>('blobs.files');
  const chunks = db.collection<{ files_id: string }>('blobs.chunks');
  return {
    write: async (blobId, bytes) => {
      const upload = bucket.openUploadStreamWithId(asId(blobId), blobId);
      const settled = (step: (done: (error?: Error | null) => void) => void): Promise<void> =>
        new Promise((resolve, reject) => step((error) => (error ? reject(error) : resolve())));
      for await (const chunk of bytes) await settled((done) => upload.write(chunk, done));
      await settled((done) => upload.end(done));
    },
    read: (blobId) => bucket.openDownloadStream(asId(blobId)),
    remove: async (blobIds) => {
      if (blobIds.length === 0) return;
      const ids = [...blobIds];
      await files.deleteMany({ _id: { $in: ids } });
      await chunks.deleteMany({ files_id: { $in: ids } });
    },
  };
};
