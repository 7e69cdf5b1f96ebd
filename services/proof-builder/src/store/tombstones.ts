import { type Connection, Schema } from 'mongoose';

interface Tombstone {
  _id: string;
  forgetAt: Date;
}

const schema = new Schema<Tombstone>(
  { _id: String, forgetAt: { type: Date, required: true } },
  { versionKey: false },
).index({ forgetAt: 1 }, { expireAfterSeconds: 0 });

export interface Tombstones {
  add(identityId: string, forgetAt: Date): Promise<void>;
  has(identityId: string): Promise<boolean>;
}

/** Closed identities: what still arrives for them is acknowledged without effect. Forgotten by the database when their time is over. */
export const createTombstones = (connection: Connection): Tombstones => {
  const model = connection.model('tombstones', schema, 'tombstones');
  return {
    add: async (identityId, forgetAt) => {
      await model.updateOne({ _id: identityId }, { $set: { forgetAt } }, { upsert: true });
    },
    has: async (identityId) => (await model.exists({ _id: identityId })) !== null,
  };
};
