import { type Connection, type Model, Schema } from 'mongoose';

/** A closed identity: nothing of it comes back to life. Forgotten by itself at `forgetAt`. */
export interface Tombstone {
  _id: string;
  forgetAt: Date;
}

const tombstoneSchema = new Schema<Tombstone>(
  { _id: { type: String, required: true }, forgetAt: { type: Date, required: true } },
  { versionKey: false },
);
tombstoneSchema.index({ forgetAt: 1 }, { expireAfterSeconds: 0 });

export const tombstoneModel = (connection: Connection): Model<Tombstone> =>
  connection.model<Tombstone>('tombstones', tombstoneSchema, 'tombstones');

export interface Tombstones {
  put(identityId: string, forgetAt: Date): Promise<void>;
  has(identityId: string): Promise<boolean>;
}

export const createTombstones = (model: Model<Tombstone>): Tombstones => ({
  put: async (identityId, forgetAt) => {
    await model.updateOne({ _id: identityId }, { $setOnInsert: { _id: identityId, forgetAt } }, { upsert: true });
  },
  has: async (identityId) => (await model.exists({ _id: identityId })) !== null,
});
