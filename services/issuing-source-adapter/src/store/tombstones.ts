import { type Connection, Schema } from 'mongoose';

interface Tombstone {
  _id: string;
  forgetAt: Date;
}

const schema = new Schema<Tombstone>(
  { _id: { type: String, required: true }, forgetAt: { type: Date, required: true } },
  { versionKey: false },
);
schema.index({ forgetAt: 1 }, { expireAfterSeconds: 0 });

/** Closed identities: nothing of them comes back to life. Forgotten by themselves. */
export interface Tombstones {
  put(identityId: string, forgetAt: Date): Promise<void>;
  has(identityId: string): Promise<boolean>;
}

export const createTombstones = (connection: Connection): Tombstones => {
  const model = connection.model<Tombstone>('tombstones', schema, 'tombstones');
  return {
    put: async (identityId, forgetAt) => {
      await model.updateOne({ _id: identityId }, { $setOnInsert: { _id: identityId, forgetAt } }, { upsert: true });
    },
    has: async (identityId) => (await model.exists({ _id: identityId })) !== null,
  };
};
