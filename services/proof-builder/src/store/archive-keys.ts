import { type Connection, Schema } from 'mongoose';

/**
 * The keys of sealed archives, wrapped, by the file they seal: in a database of their own so that
 * backups can leave it out, as they leave out those of the identities (invariant 7). A backup that
 * holds an archive cannot be read once its key is gone here.
 */
export interface ArchiveKeys {
  add(fileId: string, wrapped: string): Promise<void>;
  find(fileId: string): Promise<string | undefined>;
  /** Destroys the key: from now on the archive cannot be read by anyone. */
  destroy(fileId: string): Promise<void>;
}

const schema = new Schema({ _id: String, wrapped: String }, { versionKey: false });

export const createArchiveKeys = (connection: Connection): ArchiveKeys => {
  const model = connection.model('archiveKeys', schema, 'archiveKeys');
  return {
    add: async (fileId, wrapped) => {
      await model.create({ _id: fileId, wrapped });
    },
    find: async (fileId) => (await model.findById(fileId).lean())?.wrapped ?? undefined,
    destroy: async (fileId) => {
      await model.deleteOne({ _id: fileId });
    },
  };
};
