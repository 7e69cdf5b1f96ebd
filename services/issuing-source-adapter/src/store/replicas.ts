import { trusted } from '@assay/mongo';
import { type Clock, newId } from '@assay/runtime';
import { type Connection, Schema } from 'mongoose';

/** A replica that said nothing for so long is taken for dead; it says so every SAID_EVERY_MS. */
const ALIVE_MS = 25_000;
export const SAID_EVERY_MS = 10_000;

interface ReplicaDocument {
  _id: string;
  aliveUntil: Date;
}

const schema = new Schema<ReplicaDocument>({ _id: String, aliveUntil: Date }, { versionKey: false });
schema.index({ aliveUntil: 1 }, { expireAfterSeconds: 0 });

/**
 * The running processes of this service: what is limited over all of them is divided by their
 * number.
 */
export const createReplicas = (connection: Connection, now: Clock) => {
  const model = connection.model<ReplicaDocument>('replicas', schema, 'replicas');
  const _id = newId();
  let count = 1;
  return {
    /** How many there are, as of the last round; this one counts. */
    count: (): number => count,

    /** Says that this process is alive, and counts those that are. */
    round: async (): Promise<number> => {
      const at = now();
      await model.updateOne({ _id }, { $set: { aliveUntil: new Date(at.getTime() + ALIVE_MS) } }, { upsert: true });
      count = Math.max(1, await model.countDocuments({ aliveUntil: trusted({ $gt: at }) }));
      return 0;
    },

    /**
     * This process ends: the others may take its part at their next round, or when its time is
     * over.
     */
    leave: (): Promise<void> =>
      model.deleteOne({ _id }).then(
        () => undefined,
        () => undefined,
      ),
  };
};
