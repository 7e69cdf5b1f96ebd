import { createRecent } from '@assay/runtime';
import mongoose from 'mongoose';

const { BSON } = mongoose.mongo;
const MOST = 100;
const LONGEST_BYTES = 128 * 1024;
const FOR_MS = 10_000;

/**
 * Documents as this process left them a moment ago. Who changes one of them next names the revision
 * it has here: if somebody else wrote since, that matches nothing.
 */
export interface RecentDocuments<D> {
  get(id: string): D | undefined;
  set(document: D): void;
  delete(id: string): void;
}

/**
 * Keeps the bytes, as the database does: whoever gets a document has one of its own, with what is
 * stored of it and nothing else.
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
