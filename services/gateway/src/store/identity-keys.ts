import { type Database, trusted } from '@assay/mongo';
import type { Clock } from '@assay/runtime';
import { createKeyring, type HeldKey, KEY_HELD_MS, newDataKey, noticeKeyOf, unwrapKey, wrapKey } from '@assay/sealing';
import { type Model, Schema } from 'mongoose';

interface IdentityKeyDocument {
  _id: string;
  tenantId: string;
  wrapped: string;
  createdAt: Date;
}

const identityKeySchema = new Schema<IdentityKeyDocument>(
  { _id: String, tenantId: String, wrapped: String, createdAt: Date },
  { versionKey: false },
);
identityKeySchema.index({ createdAt: 1 });
const noticeKeySchema = new Schema(
  { _id: String, tenantId: String, wrapped: String, endsAt: Date },
  { versionKey: false },
);
noticeKeySchema.index({ endsAt: 1 }, { expireAfterSeconds: 0 });

export interface Deps {
  mongodb: Database;
  masterKey: Buffer;
  now: Clock;
}

interface KeyOwner {
  tenantId: string;
  identityId: string;
}

export type IdentityKeys = ReturnType<typeof createIdentityKeys>;

const noticeContext = (identityId: string): string => `notices|${identityId}`;

/** The keys of notices that outlive their identity: until `endsAt`, what a client still has to be told can be opened. */
const noticeKeysIn = ({ mongodb, masterKey, now }: Deps) => {
  const model = mongodb.connection.model('noticeKeys', noticeKeySchema, 'noticeKeys');
  return {
    keep: async ({ tenantId, identityId }: KeyOwner, dataKey: Buffer, endsAt: Date): Promise<void> => {
      const wrapped = wrapKey(masterKey, noticeKeyOf(dataKey), noticeContext(identityId));
      await model.updateOne({ _id: identityId }, { $setOnInsert: { tenantId, wrapped, endsAt } }, { upsert: true });
    },
    find: async ({ tenantId, identityId }: KeyOwner): Promise<HeldKey | undefined> => {
      const found = await model.findOne({ _id: identityId, tenantId }).lean();
      const restMs = (found?.endsAt?.getTime() ?? 0) - now().getTime();
      if (!found?.wrapped || restMs <= 0) return undefined;
      const key = unwrapKey(masterKey, found.wrapped, noticeContext(identityId));
      return { key, holdMs: Math.min(restMs, KEY_HELD_MS) };
    },
  };
};

interface MadeKey {
  _id: string;
  tenantId: string;
  createdAt: Date;
}

/** Keys made between these times, the oldest first. */
const madeBetween =
  (keys: Model<IdentityKeyDocument>) =>
  (after: Date, before: Date, limit: number): Promise<MadeKey[]> =>
    keys
      .find({ createdAt: trusted({ $gt: after, $lte: before }) }, { tenantId: 1, createdAt: 1 })
      .sort({ createdAt: 1 })
      .limit(limit)
      .lean<MadeKey[]>()
      .exec();

/**
 * The keys of the identities, in a database of their own so that backups can leave it out (invariant 7). Whoever has no key here any more has only
 * bytes nobody can read. A key that was asked for lately stays in memory, for a minute at most over all processes together.
 */
export const createIdentityKeys = (deps: Deps) => {
  const { mongodb, masterKey, now } = deps;
  const keys = mongodb.connection.model<IdentityKeyDocument>('identityKeys', identityKeySchema, 'identityKeys');
  const noticeKeys = noticeKeysIn(deps);

  const find = async (identityId: string): Promise<Buffer | undefined> => {
    const found = await keys.findById(identityId).lean();
    return found?.wrapped ? unwrapKey(masterKey, found.wrapped, identityId) : undefined;
  };

  const keyring = createKeyring(async ({ tenantId, identityId }) => {
    const found = await keys.findOne({ _id: identityId, tenantId }).lean();
    return found?.wrapped ? { key: unwrapKey(masterKey, found.wrapped, identityId), holdMs: KEY_HELD_MS } : undefined;
  });

  return {
    /** The key as it is stored now. */
    find,

    /** The key, and how long whoever gets it may hold it: read less than a minute ago, or now. For what looks at the identity's state as well. */
    hold: keyring.hold,

    /** The key of the identity's notices, likewise. */
    holdNotice: async (owner: KeyOwner): Promise<HeldKey | undefined> => {
      const cached = await keyring.hold(owner);
      return cached ? { ...cached, key: noticeKeyOf(cached.key) } : noticeKeys.find(owner);
    },

    create: async (identityId: string, tenantId: string): Promise<Buffer> => {
      const key = newDataKey();
      const wrapped = wrapKey(masterKey, key, identityId);
      await keys.create({ _id: identityId, tenantId, wrapped, createdAt: now() });
      return key;
    },

    madeBetween: madeBetween(keys),

    /**
     * Crypto-shredding: what the key sealed, in any store or backup, is unreadable from here on. The key of its notices stays until then, where something
     * still has to be told.
     */
    destroy: async (owner: KeyOwner, noticesUntil?: Date): Promise<void> => {
      const { identityId } = owner;
      const key = noticesUntil && (await find(identityId));
      if (key) await noticeKeys.keep(owner, key, noticesUntil);
      await keys.deleteOne({ _id: identityId });
      keyring.forget(owner);
    },
  };
};
