import { type Database, trusted, unlessDuplicate } from '@assay/mongo';
import type { Clock } from '@assay/runtime';
import { type Model, Schema } from 'mongoose';
import { type Lease, leasedMore, leaseSize, nextStep, remaining } from '../domain/request-rate.ts';

const MINUTE_MS = 60_000;
/** Keys a process remembers the leases of; the one that leased first is forgotten. */
const MOST_KEYS = 50_000;

interface RateDocument {
  _id: string;
  leased: number;
  resetAt: Date;
}

const schema = new Schema<RateDocument>({ _id: String, leased: Number, resetAt: Date }, { versionKey: false });
schema.index({ resetAt: 1 }, { expireAfterSeconds: 0 });

/** Not journaled: the count may be lost in a crash. */
const QUICK = { writeConcern: { w: 1, j: false } } as const;

/** Whether a request is admitted. */
export interface RateReply {
  isAdmitted: boolean;
  remaining: number;
  resetAt: Date;
}

export type RequestRates = ReturnType<typeof createRequestRates>;

const counter = (model: Model<RateDocument>, now: Clock) => {
  /**
   * Counts so many more; gives what was counted before. One atomic write, two where a minute
   * begins.
   */
  const count = async (keyId: string, size: number): Promise<{ before: number; resetAt: Date }> => {
    const at = now();
    const running = await model
      .findOneAndUpdate({ _id: keyId, resetAt: trusted({ $gt: at }) }, { $inc: { leased: size } }, QUICK)
      .lean<RateDocument>();
    if (running) return { before: running.leased, resetAt: running.resetAt };
    const resetAt = new Date(at.getTime() + MINUTE_MS);
    const isOver = { _id: keyId, resetAt: trusted({ $lte: at }) };
    const next = { $set: { leased: size, resetAt } };
    const begun = await unlessDuplicate(model.updateOne(isOver, next, { ...QUICK, upsert: true }));
    // Another process began the minute between our two writes.
    return begun ? { before: 0, resetAt } : count(keyId, size);
  };
  return count;
};

/**
 * Counts the requests of each key within a minute, once over all replicas (decision 35): a process
 * leases some requests at a time, and asks the database no more until it has admitted them.
 */
export const createRequestRates = ({ mongodb, now }: { mongodb: Database; now: Clock }) => {
  const model = mongodb.connection.model<RateDocument>('requestRates', schema, 'requestRates');
  const count = counter(model, now);
  const leases = new Map<string, Lease>();
  const leasing = new Map<string, Promise<void>>();

  const leaseMore = async (keyId: string, limit: number): Promise<void> => {
    const known = leases.get(keyId);
    const running = known && known.resetAt > now() ? known : undefined;
    const size = leaseSize(limit, running);
    const { before, resetAt } = await count(keyId, size);
    leases.delete(keyId);
    leases.set(keyId, leasedMore({ limit, size, before, own: running?.own, resetAt }));
    const [first] = leases.keys();
    if (leases.size > MOST_KEYS && first !== undefined) leases.delete(first);
  };

  /** Requests that arrive meanwhile wait for the same lease. */
  const leaseOnce = (keyId: string, limit: number): Promise<void> => {
    const running = leasing.get(keyId) ?? leaseMore(keyId, limit).finally(() => leasing.delete(keyId));
    leasing.set(keyId, running);
    return running;
  };

  const take = async (keyId: string, limit: number): Promise<RateReply> => {
    const lease = leases.get(keyId);
    const step = nextStep(lease, limit, now());
    if (!lease || step === 'LEASE') {
      await leaseOnce(keyId, limit);
      return take(keyId, limit);
    }
    if (step === 'ADMIT') lease.left -= 1;
    return { isAdmitted: step === 'ADMIT', remaining: remaining(lease, limit), resetAt: lease.resetAt };
  };

  return {
    model,
    /** Counts one request of a key that may send `limit` a minute. */
    take,
  };
};
