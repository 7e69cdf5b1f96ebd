import type { Database } from '@assay/mongo';
import { Schema } from 'mongoose';

/**
 * The parts of the seed that were applied for one tenant, or for the administrators: hashes of
 * keys.
 */
interface SeedDocument {
  _id: string;
  applied: string[];
}

const schema = new Schema<SeedDocument>({ _id: String, applied: [String] }, { versionKey: false });

export type Seeds = ReturnType<typeof createSeeds>;

/**
 * Records which keys of the seed were applied, so that a revoked key does not return at the next
 * start.
 */
export const createSeeds = ({ mongodb }: { mongodb: Database }) => {
  const model = mongodb.connection.model<SeedDocument>('seeds', schema, 'seeds');
  return {
    /** The keys applied so far; if the owner is unknown, `initially` counts as applied. */
    begin: async (owner: string, initially: () => Promise<string[]>): Promise<readonly string[]> => {
      const known = await model.findById(owner).lean<SeedDocument>();
      if (known) return known.applied;
      const applied = await initially();
      // Another process may have begun meanwhile: what it wrote counts.
      const begun = await model
        .findOneAndUpdate({ _id: owner }, { $setOnInsert: { applied } }, { upsert: true, returnDocument: 'after' })
        .lean<SeedDocument>();
      return begun.applied;
    },

    add: async (owner: string, hash: string): Promise<void> => {
      await model.updateOne({ _id: owner }, { $addToSet: { applied: hash } });
    },
  };
};
