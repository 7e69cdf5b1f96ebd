import { setImmediate as nextTurn } from 'node:timers/promises';
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

/** Closed identities: events that arrive later have no effect. */
export interface Tombstones {
  /**
   * Marks an identity as closed until `forgetAt`. Of several marks the latest end counts: who only
   * finds an identity closed does not know for how long it is to be remembered.
   */
  put(identityId: string, forgetAt: Date): Promise<void>;
  has(identityId: string): Promise<boolean>;
  /** Those of these identities that are closed. */
  among(identityIds: readonly string[]): Promise<Set<string>>;
}

/**
 * Reads all ids of one turn of the event loop with one command. An answer is never older than its
 * request.
 */
const together = (among: Tombstones['among']): Tombstones['has'] => {
  let next: { ids: Set<string>; found: Promise<Set<string>> } | undefined;
  const begin = () => {
    const ids = new Set<string>();
    const ask = (): Promise<Set<string>> => {
      next = undefined;
      return among([...ids]);
    };
    return { ids, found: nextTurn().then(ask) };
  };
  return async (identityId) => {
    next ??= begin();
    const { ids, found } = next;
    ids.add(identityId);
    return (await found).has(identityId);
  };
};

/** The tombstones of a service, in its own database. MongoDB deletes each when its time is over. */
export const createTombstones = (connection: Connection): Tombstones => {
  const model = connection.model<Tombstone>('tombstones', schema, 'tombstones');
  // Without a model, which would copy the query and look for casts that ids do not need.
  const among: Tombstones['among'] = async (identityIds) => {
    const found = await model.collection.distinct('_id', { _id: { $in: [...identityIds] } } as object);
    return new Set(found.map(String));
  };
  return {
    put: async (identityId, forgetAt) => {
      await model.updateOne({ _id: identityId }, { $max: { forgetAt } }, { upsert: true });
    },
    has: together(among),
    among,
  };
};
