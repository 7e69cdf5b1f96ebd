import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { KeyRole } from '@assay/contracts';
import { type Database, trusted } from '@assay/mongo';
import { type Clock, newId } from '@assay/runtime';
import { Schema } from 'mongoose';
import { TENANTS, type Tenant, type TenantDocument, toTenant } from './tenants.ts';

/** A key without its secret. Administrators' keys belong to no tenant. */
export interface ApiKey {
  keyId: string;
  tenantId?: string;
  role: KeyRole;
  createdAt: Date;
}

/** A key and whose it is: nobody's where it is an administrator's. */
export interface KnownKey {
  key: ApiKey;
  tenant?: Tenant;
}

interface KeyDocument {
  _id: string;
  tenantId?: string;
  role: KeyRole;
  hash: string;
  createdAt: Date;
}

const schema = new Schema(
  { _id: String, tenantId: String, role: String, hash: { type: String, required: true }, createdAt: Date },
  { versionKey: false },
);
schema.index({ hash: 1 }, { unique: true });
schema.index({ tenantId: 1 });

/** The secret has 256 random bits: a plain hash of it cannot be guessed back. */
const hashOf = (apiKey: string): string => createHash('sha256').update(apiKey).digest('hex');

const toKey = ({ _id, tenantId, role, createdAt }: KeyDocument): ApiKey => ({
  keyId: _id,
  ...(tenantId === undefined ? {} : { tenantId }),
  role,
  createdAt,
});

const PREFIX: Readonly<Record<KeyRole, string>> = {
  RELYING_SERVICE: 'rs',
  USER_AGENT: 'ua',
  OPERATOR: 'op',
  ADMINISTRATOR: 'ad',
};

export type ApiKeys = ReturnType<typeof createApiKeys>;

export const createApiKeys = ({ database, clock }: { database: Database; clock: Clock }) => {
  const model = database.connection.model('apiKeys', schema, 'apiKeys');
  return {
    model,

    /** The key that a request carries, and whose it is, asked for at once; undefined when there is none such, or its tenant is gone. */
    find: async (apiKey: string): Promise<KnownKey | undefined> => {
      const hash = hashOf(apiKey);
      const [document] = await model.aggregate<KeyDocument & { owners: TenantDocument[] }>([
        { $match: { hash } },
        { $lookup: { from: TENANTS, localField: 'tenantId', foreignField: '_id', as: 'owners' } },
      ]);
      if (!document || !timingSafeEqual(Buffer.from(document.hash), Buffer.from(hash))) return undefined;
      if (document.tenantId === undefined) return { key: toKey(document) };
      const [owner] = document.owners;
      return owner && { key: toKey(document), tenant: toTenant(owner) };
    },

    /** Makes a key; its secret is in this answer and nowhere else. */
    create: async (
      tenantId: string,
      role: KeyRole,
      keyId: string = newId(),
    ): Promise<{ keyId: string; apiKey: string }> => {
      const apiKey = `asy_${PREFIX[role]}_${randomBytes(32).toString('base64url')}`;
      const document = { _id: keyId, tenantId, role, hash: hashOf(apiKey), createdAt: clock() };
      // A repeated request whose first answer never came makes the same key anew.
      await model.replaceOne({ _id: keyId, tenantId }, document, { upsert: true });
      return { keyId, apiKey };
    },

    /** Registers a given key, unless it is there already; for the seed. */
    register: async (apiKey: string, role: KeyRole, tenantId: string | undefined): Promise<void> => {
      const fresh = { _id: newId(), role, createdAt: clock(), ...(tenantId === undefined ? {} : { tenantId }) };
      await model.updateOne({ hash: hashOf(apiKey) }, { $setOnInsert: fresh }, { upsert: true });
    },

    list: async (tenantId: string, after: string | undefined, limit: number): Promise<ApiKey[]> => {
      const more = after === undefined ? {} : { _id: trusted({ $gt: after }) };
      return (
        await model
          .find({ tenantId, ...more })
          .sort({ _id: 1 })
          .limit(limit)
          .lean<KeyDocument[]>()
      ).map(toKey);
    },

    delete: async (tenantId: string, keyId: string): Promise<boolean> =>
      (await model.deleteOne({ _id: keyId, tenantId })).deletedCount === 1,
  };
};
