import { present } from '@assay/contracts';
import { type Database, isDuplicateKey, trusted } from '@assay/mongo';
import { newId } from '@assay/runtime';
import { newDataKey, openJson, sealJson } from '@assay/sealing';
import { Schema } from 'mongoose';
import type { IdentityKeys } from './identity-keys.ts';

const STORED_SECONDS = 24 * 3600;
const LEASE_MS = 5_000;

export interface StoredReply {
  status: number;
  body: unknown;
}

/** Digests of the body of a request, by which a repeat of it is known. */
export interface BodyPrints {
  fingerprint: string;
  /** Of JSON, whatever the order of its members; former releases do not store it. */
  unordered?: string;
}

interface LockDocument extends Partial<BodyPrints> {
  _id: string;
  seedId: string;
  /** How often a repeat took over. */
  attempt?: number;
  /** The request that runs; one that takes over gets another. */
  owner?: string;
  leaseUntil: Date;
  createdAt: Date;
  sealedReply?: string;
  /** The identity that the reply describes, under whose key it is sealed. */
  identityId?: string;
}

/** A lock as one request holds it. If another request took it over, it belongs to that one. */
export interface Owned {
  lockId: string;
  owner: string;
}

/**
 * The result of acquiring a lock: this request runs (possibly again, if the former one died),
 * another request runs, or there is a reply.
 */
export type AcquireResult =
  | { state: 'NEW' | 'TAKEN_OVER'; seedId: string; owned: Owned; attempt: number }
  | { state: 'RUNNING' }
  /** Without a reply, because it described an identity whose key was destroyed. */
  | (BodyPrints & { state: 'DONE'; reply: StoredReply | undefined });

const schema = new Schema<LockDocument>(
  {
    _id: String,
    seedId: String,
    attempt: Number,
    owner: String,
    leaseUntil: Date,
    createdAt: Date,
    fingerprint: String,
    unordered: String,
    sealedReply: String,
    identityId: String,
  },
  { versionKey: false },
);
schema.index({ createdAt: 1 }, { expireAfterSeconds: STORED_SECONDS });

export type IdempotencyKeys = ReturnType<typeof createIdempotencyKeys>;

export interface Deps {
  mongodb: Database;
  sealingKey: Buffer;
  keys: Pick<IdentityKeys, 'find'>;
}

/**
 * Seals stored replies: a reply that describes an identity under the key of that identity, so that
 * it is destroyed with it; others under a key of the gateway.
 */
const replySeal = ({ sealingKey, keys }: Deps) => ({
  seal: async (lockId: string, reply: StoredReply, identityId?: string): Promise<string> => {
    if (identityId === undefined) return sealJson(sealingKey, lockId, reply);
    // An identity that was closed meanwhile has no key: nobody shall read the reply again.
    return sealJson((await keys.find(identityId)) ?? newDataKey(), lockId, reply);
  },
  open: async ({ _id, sealedReply = '', identityId }: LockDocument): Promise<StoredReply | undefined> => {
    const key = identityId === undefined ? sealingKey : await keys.find(identityId);
    return key && openJson<StoredReply>(key, _id, sealedReply);
  },
});

const leaseAfter = (now: Date): Date => new Date(now.getTime() + LEASE_MS);

const own = ({ lockId, owner }: Owned) => ({ _id: lockId, owner });

const anyOf = (all: readonly Owned[]) => ({
  _id: trusted({ $in: all.map(({ lockId }) => lockId) }),
  owner: trusted({ $in: all.map(({ owner }) => owner) }),
});

/**
 * Locks of idempotent requests, stored for 24 hours. Replies are sealed: the one to a new API key
 * holds its secret.
 */
export const createIdempotencyKeys = (deps: Deps) => {
  const { mongodb } = deps;
  const replies = replySeal(deps);
  const model = mongodb.connection.model<LockDocument>('idempotencyKeys', schema, 'idempotencyKeys');

  const takeOver = async ({ lockId, owner }: Owned, now: Date): Promise<AcquireResult> => {
    const found = await model.findById(lockId).lean<LockDocument>();
    if (found?.sealedReply && found.fingerprint) {
      const { fingerprint, unordered } = found;
      return { state: 'DONE', fingerprint, ...present({ unordered }), reply: await replies.open(found) };
    }
    const taken = await model
      .findOneAndUpdate(
        { _id: lockId, sealedReply: trusted({ $exists: false }), leaseUntil: trusted({ $lte: now }) },
        { $set: { owner, leaseUntil: leaseAfter(now) }, $inc: { attempt: 1 } },
        { returnDocument: 'after' },
      )
      .lean<LockDocument>();
    if (!taken) return { state: 'RUNNING' };
    const { seedId, attempt = 1 } = taken;
    return { state: 'TAKEN_OVER', seedId, attempt, owned: { lockId, owner } };
  };

  return {
    model,

    acquire: (lockId: string, seedId: string, now: Date): Promise<AcquireResult> => {
      const owned = { lockId, owner: newId() };
      return model
        .create({ _id: lockId, seedId, owner: owned.owner, leaseUntil: leaseAfter(now), createdAt: now })
        .then(
          () => ({ state: 'NEW' as const, seedId, attempt: 0, owned }),
          (error: unknown) => {
            if (isDuplicateKey(error)) return takeOver(owned, now);
            throw error;
          },
        );
    },

    /** One command for all. A lock that another request took over meanwhile is left to it. */
    renew: async (all: readonly Owned[], now: Date): Promise<void> => {
      await model.updateMany(anyOf(all), { $set: { leaseUntil: leaseAfter(now) } });
    },

    finish: async (owned: Owned, prints: BodyPrints, reply: StoredReply, identityId?: string): Promise<void> => {
      const sealedReply = await replies.seal(owned.lockId, reply, identityId);
      await model.updateOne(own(owned), { $set: present({ ...prints, sealedReply, identityId }) });
    },

    /** The request was refused: nothing happened, the key may be used again. */
    release: async (owned: Owned): Promise<void> => {
      await model.deleteOne({ ...own(owned), sealedReply: trusted({ $exists: false }) });
    },

    /** The result is unknown: a repeat takes over at once. A late renewal finds no owner. */
    abandon: async (owned: Owned): Promise<void> => {
      await model.updateOne(own(owned), { $set: { leaseUntil: new Date(0) }, $unset: { owner: 1 } });
    },
  };
};
