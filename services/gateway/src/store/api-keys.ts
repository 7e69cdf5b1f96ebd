import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { type KeyRole, present } from '@assay/contracts';
import { type Database, trusted } from '@assay/mongo';
import { type Clock, createRecent, newId, type Recent } from '@assay/runtime';
import { type Model, Schema } from 'mongoose';
import { createKeyAges } from './api-key-ages.ts';
import { TENANTS, type Tenant, type TenantDocument, toTenant } from './tenants.ts';

/** A key without its secret. Administrators' keys belong to no tenant. */
export interface ApiKey {
  keyId: string;
  tenantId?: string;
  role: KeyRole;
  createdAt: Date;
  /** To the minute. */
  lastUsedAt?: Date;
  /** The key answers 401 from then on. */
  expiresAt?: Date;
  /** Whose key it is. */
  personId?: string;
}

/** A key to be made. */
export interface NewKey {
  keyId?: string;
  tenantId?: string | undefined;
  role: KeyRole;
  /** Of a sandbox tenant: the key says so. */
  sandbox?: boolean;
  expiresAt?: Date | undefined;
  personId?: string | undefined;
}

/** A key and its tenant; administrators' keys have none. */
interface KnownKey {
  key: ApiKey;
  tenant?: Tenant;
}

interface KeyDocument {
  _id: string;
  tenantId?: string;
  role: KeyRole;
  hash: string;
  createdAt: Date;
  lastUsedAt?: Date;
  expiresAt?: Date;
  personId?: string;
  /**
   * Set while an administrator's key is being revoked, until it is known that another one is left.
   */
  revoking?: boolean;
}

const schema = new Schema(
  {
    _id: String,
    tenantId: String,
    role: String,
    hash: { type: String, required: true },
    createdAt: Date,
    lastUsedAt: Date,
    expiresAt: Date,
    personId: String,
    revoking: Boolean,
  },
  { versionKey: false, id: false },
);
schema.index({ hash: 1 }, { unique: true });
schema.index({ tenantId: 1 });
schema.index({ personId: 1 }, { sparse: true });

/** The secret has 256 random bits, so a plain hash of it cannot be reversed by guessing. */
export const hashOf = (apiKey: string): string => createHash('sha256').update(apiKey).digest('hex');

const toKey = ({ _id, tenantId, role, createdAt, lastUsedAt, expiresAt, personId }: KeyDocument): ApiKey => ({
  keyId: _id,
  ...present({ tenantId }),
  role,
  createdAt,
  ...present({ lastUsedAt, expiresAt, personId }),
});

const USE_RECORDED_EVERY_MS = 60_000;

/** The keys of a tenant; without one, those of the administrators. */
const ownedBy = (tenantId: string | undefined) =>
  tenantId === undefined ? { tenantId: trusted({ $exists: false }), role: 'ADMINISTRATOR' } : { tenantId };

const PREFIX: Readonly<Record<KeyRole, string>> = {
  RELYING_SERVICE: 'rs',
  USER_AGENT: 'ua',
  OPERATOR: 'op',
  TENANT_ADMINISTRATOR: 'ta',
  ADMINISTRATOR: 'ad',
};

// biome-ignore lint/suspicious/noExplicitAny: the model of a schema whose members mongoose types as absent
type KeyModel = Model<any>;

/**
 * How long a key that was revoked by another process may still be accepted, and settings that
 * another process changed may still be in force.
 */
const REMEMBERED = { most: 10_000, forMs: 1000 };
type Remembered = Recent<KnownKey>;

const hasExpired = ({ expiresAt }: Pick<ApiKey, 'expiresAt'>, now: Date): boolean =>
  expiresAt !== undefined && expiresAt <= now;

const reader =
  (model: KeyModel) =>
  async (hash: string): Promise<KnownKey | undefined> => {
    const [document] = await model.aggregate<KeyDocument & { owners: TenantDocument[] }>([
      { $match: { hash } },
      { $lookup: { from: TENANTS, localField: 'tenantId', foreignField: '_id', as: 'owners' } },
    ]);
    if (!document || !timingSafeEqual(Buffer.from(document.hash), Buffer.from(hash))) return undefined;
    if (document.tenantId === undefined) return { key: toKey(document) };
    const [owner] = document.owners;
    return owner && { key: toKey(document), tenant: toTenant(owner) };
  };

const readers = (model: KeyModel, now: Clock, remembered: Remembered) => {
  const read = reader(model);
  return {
    /**
     * The key of a request and its tenant, read with one command; undefined if there is no such
     * key, it has expired, or its tenant is unknown.
     */
    find: async (apiKey: string): Promise<KnownKey | undefined> => {
      const hash = hashOf(apiKey);
      const known = remembered.get(hash);
      const askedAt = performance.now();
      const found = known ?? (await read(hash));
      if (!found || hasExpired(found.key, now())) return undefined;
      if (!known) remembered.set(hash, found, askedAt);
      return found;
    },

    /** Records a use of the key, at most once a minute for each key. */
    recordUse: async (key: ApiKey): Promise<void> => {
      const { keyId, lastUsedAt } = key;
      const at = now();
      const before = new Date(at.getTime() - USE_RECORDED_EVERY_MS);
      if (lastUsedAt && lastUsedAt > before) return;
      // While the key is cached here, no further use of it is recorded.
      key.lastUsedAt = at;
      const unused = [{ lastUsedAt: trusted({ $exists: false }) }, { lastUsedAt: trusted({ $lte: before }) }];
      await model.updateOne({ _id: keyId, $or: unused }, { $set: { lastUsedAt: at } });
    },
  };
};

const makers = (model: KeyModel, now: Clock) => ({
  /** Makes a key. Its secret is in this answer only. */
  create: async ({
    keyId = newId(),
    tenantId,
    role,
    sandbox = false,
    expiresAt,
    personId,
  }: NewKey): Promise<{ keyId: string; apiKey: string }> => {
    const apiKey = `asy_${sandbox ? 'sandbox_' : ''}${PREFIX[role]}_${randomBytes(32).toString('base64url')}`;
    const owner = tenantId === undefined ? {} : { tenantId };
    const document = { _id: keyId, ...owner, role, hash: hashOf(apiKey), createdAt: now() };
    // A repeated request whose first answer was lost makes the same key anew.
    await model.replaceOne(
      { _id: keyId, ...ownedBy(tenantId) },
      { ...document, ...present({ expiresAt, personId }) },
      { upsert: true },
    );
    return { keyId, apiKey };
  },

  /** Registers a given key, unless it is there already; for the seed. */
  register: async (apiKey: string, role: KeyRole, tenantId: string | undefined): Promise<void> => {
    const fresh = { _id: newId(), role, createdAt: now(), ...present({ tenantId }) };
    await model.updateOne({ hash: hashOf(apiKey) }, { $setOnInsert: fresh }, { upsert: true });
  },
});

const lists = (model: KeyModel) => ({
  /** The keys of a tenant, or the administrators'. */
  list: async (tenantId: string | undefined, after: string | undefined, limit: number): Promise<ApiKey[]> => {
    const more = after === undefined ? {} : { _id: trusted({ $gt: after }) };
    return (
      await model
        .find({ ...ownedBy(tenantId), ...more })
        .sort({ _id: 1 })
        .limit(limit)
        .lean<KeyDocument[]>()
    ).map(toKey);
  },

  /** Ids of the keys that name a person. */
  idsOfPerson: async (personId: string): Promise<string[]> =>
    (await model.find({ personId }, { _id: 1 }).lean<{ _id: string }[]>()).map(({ _id }) => _id),

  delete: async (tenantId: string, keyId: string): Promise<boolean> =>
    (await model.deleteOne({ _id: keyId, tenantId })).deletedCount === 1,
});

const administratorKeys = (model: KeyModel, now: Clock) => ({
  /**
   * Revokes an administrator's key, unless it is the last one that works. It is marked before the
   * others are counted: if two administrators revoke each other's keys at the same time, at most
   * one succeeds.
   */
  deleteAdministrator: async (keyId: string): Promise<'DELETED' | 'UNKNOWN' | 'LAST'> => {
    const own = { _id: keyId, ...ownedBy(undefined) };
    const { matchedCount } = await model.updateOne(own, { $set: { revoking: true } });
    if (matchedCount === 0) return 'UNKNOWN';
    const working = [{ expiresAt: trusted({ $exists: false }) }, { expiresAt: trusted({ $gt: now() }) }];
    const others = { ...ownedBy(undefined), _id: trusted({ $ne: keyId }), revoking: trusted({ $ne: true }) };
    if ((await model.countDocuments({ ...others, $or: working })) === 0) {
      await model.updateOne(own, { $unset: { revoking: 1 } });
      return 'LAST';
    }
    await model.deleteOne(own);
    return 'DELETED';
  },
});

export type ApiKeys = ReturnType<typeof createApiKeys>;

/** After a change of a key or its tenant, this process reads them again. */
const forgetting =
  <A extends unknown[], R>(remembered: Remembered, work: (...given: A) => Promise<R>) =>
  (...given: A): Promise<R> =>
    work(...given).finally(() => remembered.clear());

export const createApiKeys = ({ mongodb, now }: { mongodb: Database; now: Clock }) => {
  const model = mongodb.connection.model('apiKeys', schema, 'apiKeys');
  const remembered: Remembered = createRecent(REMEMBERED);
  const making = makers(model, now);
  return {
    model,
    ...readers(model, now, remembered),
    ...making,
    ...lists(model),
    ages: createKeyAges(model, now),
    create: forgetting(remembered, making.create),
    delete: forgetting(remembered, lists(model).delete),
    deleteAdministrator: forgetting(remembered, administratorKeys(model, now).deleteAdministrator),
    /** A tenant has changed: its keys are read again at the next request. */
    forgetTenants: remembered.clear,
  };
};
