import { type Connection, Schema, trusted } from 'mongoose';

interface Tombstone {
  _id: string;
  forgetAt: Date;
}

const schema = new Schema<Tombstone>(
  { _id: { type: String, required: true }, forgetAt: { type: Date, required: true } },
  { versionKey: false },
);
schema.index({ forgetAt: 1 }, { expireAfterSeconds: 0 });

/** Closed identities: what still arrives for them has no effect. */
export interface Tombstones {
  /**
   * Marks an identity as closed until `forgetAt`. The first mark counts: an event that comes again
   * changes nothing.
   */
  put(identityId: string, forgetAt: Date): Promise<void>;
  has(identityId: string): Promise<boolean>;
  /** Those of these identities that are closed. */
  among(identityIds: readonly string[]): Promise<Set<string>>;
}

/** The tombstones of a service, in its own database. MongoDB deletes each when its time is over. */
export const createTombstones = (connection: Connection): Tombstones => {
  const model = connection.model<Tombstone>('tombstones', schema, 'tombstones');
  return {
    put: async (identityId, forgetAt) => {
      await model.updateOne({ _id: identityId }, { $setOnInsert: { forgetAt } }, { upsert: true });
    },
    has: async (identityId) => (await model.exists({ _id: identityId })) !== null,
    among: async (identityIds) => {
      const found = await model.find({ _id: trusted({ $in: [...identityIds] }) }).lean<Tombstone[]>();
      return new Set(found.map(({ _id }) => _id));
    },
  };
};
