import { randomBytes } from 'node:crypto';
import { type KeyRole, present } from '@assay/contracts';
import { type Database, trusted } from '@assay/mongo';
import { type Clock, createRecent, newId } from '@assay/runtime';
import { createKeyAges } from './api-key-ages.ts';
import { type ApiKey, hashOf, type KeyDocument, type KeyModel, ownedBy, schema, toKey } from './api-key-document.ts';
import { storeMade } from './attempts.ts';
import { keyReaders, REMEMBERED, type Remembered } from './known-keys.ts';

/** A key to be made. */
export interface NewKey {
  keyId?: string;
  tenantId?: string | undefined;
  role: KeyRole;
  /** Of a sandbox tenant: the key says so. */
  sandbox?: boolean;
  expiresAt?: Date | undefined;
  personId?: string | undefined;
  /** The attempt at the request that makes it. */
  attempt?: number | undefined;
}

const PREFIX: Readonly<Record<KeyRole, string>> = {
  RELYING_SERVICE: 'rs',
  USER_AGENT: 'ua',
  OPERATOR: 'op',
  TENANT_ADMINISTRATOR: 'ta',
  ADMINISTRATOR: 'ad',
};

const makers = (model: KeyModel, now: Clock) => ({
  /**
   * Makes a key. Its secret is in this answer only; it is not stored where a later attempt at the
   * same request has stored another one.
   */
  create: async ({
    keyId = newId(),
    tenantId,
    role,
    sandbox = false,
    expiresAt,
    personId,
    attempt = 0,
  }: NewKey): Promise<{ keyId: string; apiKey: string; isStored: boolean }> => {
    const apiKey = `asy_${sandbox ? 'sandbox_' : ''}${PREFIX[role]}_${randomBytes(32).toString('base64url')}`;
    const made = { _id: keyId, attempt, role, hash: hashOf(apiKey), createdAt: now() };
    // A repeated request whose first answer was lost makes the same key anew.
    const isStored = await storeMade(model, ownedBy(tenantId), {
      ...made,
      ...present({ tenantId, expiresAt, personId }),
    });
    return { keyId, apiKey, isStored };
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
    ...keyReaders(model, now, remembered),
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
