import { type Database, isDuplicateKey, trusted } from '@assay/mongo';
import { openJson, sealJson } from '@assay/sealing';
import { Schema } from 'mongoose';

const KEPT_SECONDS = 24 * 3600;
const LEASE_MS = 5_000;

export interface KeptReply {
  status: number;
  body: unknown;
}

interface ClaimDocument {
  _id: string;
  seedId: string;
  leaseUntil: Date;
  createdAt: Date;
  fingerprint?: string;
  sealedReply?: string;
}

/** How a claim went: ours to run (again, when whoever had it is gone), somebody's, or done. */
export type ClaimOutcome =
  | { state: 'NEW' | 'TAKEN_OVER'; seedId: string }
  | { state: 'RUNNING' }
  | { state: 'DONE'; fingerprint: string; reply: KeptReply };

const schema = new Schema<ClaimDocument>(
  {
    _id: String,
    seedId: String,
    leaseUntil: Date,
    createdAt: Date,
    fingerprint: String,
    sealedReply: String,
  },
  { versionKey: false },
);
schema.index({ createdAt: 1 }, { expireAfterSeconds: KEPT_SECONDS });

export type IdempotencyKeys = ReturnType<typeof createIdempotencyKeys>;

/** Claims of idempotent requests, kept for 24 hours. Replies are sealed: the one to a new API key holds its secret. */
export const createIdempotencyKeys = ({ database, sealingKey }: { database: Database; sealingKey: Buffer }) => {
  const model = database.connection.model<ClaimDocument>('idempotencyKeys', schema, 'idempotencyKeys');
  const leaseAfter = (now: Date): Date => new Date(now.getTime() + LEASE_MS);

  const takeOver = async (claimId: string, now: Date): Promise<ClaimOutcome> => {
    const found = await model.findById(claimId).lean<ClaimDocument>();
    if (found?.sealedReply && found.fingerprint)
      return {
        state: 'DONE',
        fingerprint: found.fingerprint,
        reply: openJson<KeptReply>(sealingKey, claimId, found.sealedReply),
      };
    const taken = await model
      .findOneAndUpdate(
        { _id: claimId, sealedReply: trusted({ $exists: false }), leaseUntil: trusted({ $lte: now }) },
        { $set: { leaseUntil: leaseAfter(now) } },
      )
      .lean<ClaimDocument>();
    return taken ? { state: 'TAKEN_OVER', seedId: taken.seedId } : { state: 'RUNNING' };
  };

  return {
    model,

    claim: (claimId: string, seedId: string, now: Date): Promise<ClaimOutcome> =>
      model.create({ _id: claimId, seedId, leaseUntil: leaseAfter(now), createdAt: now }).then(
        () => ({ state: 'NEW' as const, seedId }),
        (error: unknown) => {
          if (isDuplicateKey(error)) return takeOver(claimId, now);
          throw error;
        },
      ),

    renew: async (claimId: string, now: Date): Promise<void> => {
      await model.updateOne({ _id: claimId }, { $set: { leaseUntil: leaseAfter(now) } });
    },

    finish: async (claimId: string, fingerprint: string, reply: KeptReply): Promise<void> => {
      await model.updateOne(
        { _id: claimId },
        { $set: { fingerprint, sealedReply: sealJson(sealingKey, claimId, reply) } },
      );
    },

    /** The request was refused: nothing happened, the key may be used again. */
    release: async (claimId: string): Promise<void> => {
      await model.deleteOne({ _id: claimId });
    },

    /** The outcome is unknown: whoever repeats the request may go on at once. */
    abandon: async (claimId: string, now: Date): Promise<void> => {
      await model.updateOne({ _id: claimId }, { $set: { leaseUntil: now } });
    },
  };
};
