import { trusted } from '@assay/mongo';
import type { Model } from 'mongoose';
import type { Wrapped } from './master-keys.ts';

/** A stored key of an identity, or of its notices. */
export interface KeyRecord extends Wrapped {
  _id: string;
}

// biome-ignore lint/suspicious/noExplicitAny: the model of a schema whose members mongoose types as absent
type KeyModel = Model<any, any, any, any>;

/** Matches records of other keys than these; what names none is the first one's. */
const noneOf = (keyIds: readonly string[], firstKeyId: string) =>
  trusted({ $nin: keyIds.includes(firstKeyId) ? [...keyIds, null] : [...keyIds] });

/**
 * Records by the master key that wrapped them, for a rotation. `firstKeyId` wrapped the keys whose
 * record names no master key; `contextOf` gives the context that a key is bound to.
 */
export const createKeyRecords = (model: KeyModel, firstKeyId: string, contextOf: (id: string) => string) => ({
  name: model.collection.collectionName,
  contextOf,

  /** Records that none of these master keys wrapped, without those that failed lately. */
  wrappedElsewhere: (than: readonly string[], resting: readonly string[], limit: number): Promise<KeyRecord[]> =>
    model
      .find({ keyId: noneOf(than, firstKeyId), _id: trusted({ $nin: [...resting] }) }, { wrapped: 1, keyId: 1 })
      .limit(limit)
      .lean()
      .exec(),

  /**
   * Stores the key as it is wrapped now, unless the record was deleted or wrapped anew meanwhile.
   */
  replace: async ({ _id, wrapped }: KeyRecord, next: Wrapped): Promise<boolean> =>
    (await model.updateOne({ _id, wrapped }, { $set: { ...next } })).modifiedCount === 1,

  countElsewhere: (keyId: string): Promise<number> =>
    model.countDocuments({ keyId: noneOf([keyId], firstKeyId) }).exec(),

  /** How many records each master key wraps. */
  counts: async (): Promise<{ keyId: string; count: number }[]> => {
    const groups: { _id: string | null; count: number }[] = await model.aggregate([
      // In this order the index alone is read; otherwise every record is.
      { $sort: { keyId: 1 } },
      { $group: { _id: '$keyId', count: { $sum: 1 } } },
    ]);
    return groups.map(({ _id, count }) => ({ keyId: _id ?? firstKeyId, count }));
  },
});
export type KeyRecords = ReturnType<typeof createKeyRecords>;
