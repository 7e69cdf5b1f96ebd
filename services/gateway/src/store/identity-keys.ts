import { type Database, directly, trusted } from '@assay/mongo';
import type { Clock } from '@assay/runtime';
import { type CachedKey, createKeyring, KEY_CACHED_MS, type KeyService, newDataKey, noticeKeyOf } from '@assay/sealing';
import { Schema } from 'mongoose';
import { createKeyRecords, type KeyRecord } from './key-records.ts';
import { createMasterKeys, type MasterKeys } from './master-keys.ts';

interface IdentityKeyDocument {
  _id: string;
  tenantId: string;
  wrapped: string;
  keyId?: string | undefined;
  createdAt: Date;
}

const identityKeySchema = new Schema<IdentityKeyDocument>(
  { _id: String, tenantId: String, wrapped: String, keyId: String, createdAt: Date },
  { versionKey: false, id: false },
);
identityKeySchema.index({ createdAt: 1 });
identityKeySchema.index({ keyId: 1 });
interface NoticeKeyDocument {
  _id: string;
  tenantId: string;
  wrapped: string;
  keyId?: string | undefined;
  endsAt: Date;
}
const noticeKeySchema = new Schema<NoticeKeyDocument>(
  { _id: String, tenantId: String, wrapped: String, keyId: String, endsAt: Date },
  { versionKey: false, id: false },
);
noticeKeySchema.index({ keyId: 1 });
noticeKeySchema.index({ endsAt: 1 }, { expireAfterSeconds: 0 });

export interface Deps {
  mongodb: Database;
  masterKey: Buffer;
  /** Where the master keys are. */
  keyService: KeyService;
  now: Clock;
}

interface KeyOwner {
  tenantId: string;
  identityId: string;
}

export type IdentityKeys = Awaited<ReturnType<typeof createIdentityKeys>>;

const noticeContext = (identityId: string): string => `notices|${identityId}`;

/**
 * The keys of notices that outlive their identity: until `endsAt`, the outstanding notifications
 * can be opened.
 */
const noticeKeysIn = ({ mongodb, now }: Deps, masterKeys: MasterKeys) => {
  const model = mongodb.connection.model('noticeKeys', noticeKeySchema, 'noticeKeys');
  return {
    records: createKeyRecords(model, masterKeys.firstKeyId, noticeContext),

    store: async ({ tenantId, identityId }: KeyOwner, dataKey: Buffer, endsAt: Date): Promise<void> => {
      const stored = await masterKeys.wrap(noticeKeyOf(dataKey), noticeContext(identityId));
      await model.updateOne({ _id: identityId }, { $setOnInsert: { tenantId, ...stored, endsAt } }, { upsert: true });
    },
    find: async ({ tenantId, identityId }: KeyOwner): Promise<CachedKey | undefined> => {
      const found = await model.findOne({ _id: identityId, tenantId }).lean<KeyRecord & { endsAt: Date }>();
      const restMs = (found?.endsAt.getTime() ?? 0) - now().getTime();
      if (!found || restMs <= 0) return undefined;
      const key = await masterKeys.unwrap(found, noticeContext(identityId));
      return { key, holdMs: Math.min(restMs, KEY_CACHED_MS) };
    },
  };
};

interface MadeKey {
  _id: string;
  tenantId: string;
  createdAt: Date;
}

const identityKeyModel = ({ connection }: Database) =>
  connection.model('identityKeys', identityKeySchema, 'identityKeys');
type IdentityKeyModel = ReturnType<typeof identityKeyModel>;

/**
 * Keys made after a key and until a time, the oldest first. Keys of one millisecond are in order of
 * their ids: a batch that ends between them leaves none out.
 */
const madeBetween =
  (keys: IdentityKeyModel) =>
  ({ _id, createdAt }: Pick<MadeKey, '_id' | 'createdAt'>, before: Date, limit: number): Promise<MadeKey[]> =>
    keys
      .find(
        {
          createdAt: trusted({ $gte: createdAt, $lte: before }),
          $or: [{ createdAt: trusted({ $gt: createdAt }) }, { createdAt, _id: trusted({ $gt: _id }) }],
        },
        { tenantId: 1, createdAt: 1 },
      )
      .sort({ createdAt: 1, _id: 1 })
      .limit(limit)
      .lean<MadeKey[]>()
      .exec();

/**
 * The keys of the identities, in a database of their own so that backups can leave it out
 * (invariant 7). Without a key from here, everything of an identity is unreadable. A key is cached
 * in memory, for a minute at most over all processes together.
 */
export const createIdentityKeys = async (deps: Deps) => {
  const { mongodb, now } = deps;
  const keys = identityKeyModel(mongodb);
  const masterKeys = await createMasterKeys({ ...deps, isFresh: async () => (await keys.exists({})) === null });
  const noticeKeys = noticeKeysIn(deps, masterKeys);

  const find = async (identityId: string, within: { tenantId?: string } = {}): Promise<Buffer | undefined> => {
    const found = await keys.findOne({ _id: identityId, ...within }).lean<KeyRecord>();
    return found ? masterKeys.unwrap(found, identityId) : undefined;
  };

  const keyring = createKeyring(async ({ tenantId, identityId }) => {
    const key = await find(identityId, { tenantId });
    return key && { key, holdMs: KEY_CACHED_MS };
  });

  return {
    /** The key as it is stored now. */
    find,

    /**
     * The key, and how long the receiver may cache it: it was read less than a minute ago, or now.
     * For callers that check the state of the identity as well.
     */
    hold: keyring.hold,

    /** The key of the identity's notices, likewise. */
    holdNotice: async (owner: KeyOwner): Promise<CachedKey | undefined> => {
      const cached = await keyring.hold(owner);
      return cached ? { ...cached, key: noticeKeyOf(cached.key) } : noticeKeys.find(owner);
    },

    create: async (identityId: string, tenantId: string): Promise<Buffer> => {
      const key = newDataKey();
      const stored = await masterKeys.wrap(key, identityId);
      await directly(keys).insert({ _id: identityId, tenantId, ...stored, createdAt: now() });
      keyring.made({ tenantId, identityId }, key);
      return key;
    },

    madeBetween: madeBetween(keys),

    masterKeys,
    /** What master keys wrap, for their rotation. */
    records: [createKeyRecords(keys, masterKeys.firstKeyId, (identityId) => identityId), noticeKeys.records],

    /**
     * Crypto-shredding: from now on, everything sealed with the key is unreadable, in any store or
     * backup. The key of the notices stays until the outstanding notifications were sent.
     */
    destroy: async (owner: KeyOwner, noticesUntil?: Date): Promise<void> => {
      const { identityId } = owner;
      const key = noticesUntil && (await find(identityId));
      if (key) await noticeKeys.store(owner, key, noticesUntil);
      await keys.deleteOne({ _id: identityId });
      masterKeys.forget(identityId);
      keyring.forget(owner);
    },
  };
};
