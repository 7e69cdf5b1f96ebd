import { trusted } from '@assay/mongo';
import type { Model } from 'mongoose';
import type { Identity } from '../domain/identity.ts';
import { BUILD_PATIENCE_SECONDS, CLOSING_LEASE_SECONDS } from '../domain/transaction.ts';
import { type Batch, without } from './batch.ts';

// biome-ignore lint/suspicious/noExplicitAny: the model of a schema with members of any shape
type IdentityModel = Model<any>;

/** The conditions of the sweeps: each has an index of its own, and ends once the work is done. */
export const dueAt = (now: Date): object[] => {
  const ago = (seconds: number) => trusted({ $lte: new Date(now.getTime() - seconds * 1000) });
  return [
    // Transactions and pauses whose time is up.
    { state: trusted({ $in: ['OPEN', 'PAUSED', 'ERROR'] }), expiresAt: ago(0) },
    // Closings that a crash interrupted.
    { state: 'CLOSING', 'closing.since': ago(CLOSING_LEASE_SECONDS) },
    // Retrieved proofs whose grace period is over, and builds that no request works on any more.
    { state: 'PROVING', 'proof.built.graceUntil': ago(0) },
    { state: 'PROVING', 'proof.built': null, 'proof.leaseUntil': ago(BUILD_PATIENCE_SECONDS) },
    { 'reservations.0.leaseUntil': ago(0) },
    // One-time codes that have expired.
    { otpDueAt: ago(0) },
    // Tombstones that have nothing left to announce. Only what is closed has a time to be
    // forgotten.
    { forgetAt: ago(0), 'outbox.0': trusted({ $exists: false }) },
  ];
};

/** What the sweep of transactions looks for. */
export const dueIdentities = (model: IdentityModel) => ({
  /** The identities with work that is due, found with one command. */
  due: (now: Date, { limit, except }: Batch): Promise<Identity[]> =>
    model
      .find(
        { ...(except.length > 0 ? { _id: without(except) } : {}), $or: dueAt(now) },
        { outbox: 0, said: 0, evidences: 0, consents: 0 },
      )
      .limit(limit)
      .lean<Identity[]>()
      .exec(),

  /** Removes a tombstone whose time is over and that has nothing left to publish. */
  forget: async (identityId: string, now: Date): Promise<void> => {
    await model.deleteOne({
      _id: identityId,
      forgetAt: trusted({ $lte: now }),
      'outbox.0': trusted({ $exists: false }),
    });
  },
});
