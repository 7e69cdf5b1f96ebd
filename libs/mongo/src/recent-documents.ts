import { createRecent } from '@assay/runtime';
import mongoose from 'mongoose';

const { BSON } = mongoose.mongo;
const MOST = 100;
const LONGEST_BYTES = 128 * 1024;
const FOR_MS = 10_000;

/**
 * Documents as this process wrote them a moment ago. The next change of one names the revision it
 * has here: if another process wrote since, the change matches nothing.
 */
export interface RecentDocuments<D> {
  get(id: string): D | undefined;
  set(document: D): void;
  delete(id: string): void;
}

/**
 * Stores bytes, as the database does: each reader gets a document of its own, with exactly what is
 * stored.
 */
export const createRecentDocuments = <D extends { _id: string }>(): RecentDocuments<D> => {
  const recent = createRecent<Uint8Array>({ most: MOST, forMs: FOR_MS });
  return {
    get: (id) => {
      const bytes = recent.get(id);
      return bytes && (BSON.deserialize(bytes) as D);
    },
    set: (document) => {
      const bytes = BSON.serialize(document, { ignoreUndefined: true });
      if (bytes.length <= LONGEST_BYTES) recent.set(document._id, bytes);
      else recent.delete(document._id);
    },
    delete: recent.delete,
  };
};
