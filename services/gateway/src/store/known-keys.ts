import { timingSafeEqual } from 'node:crypto';
import { trusted } from '@assay/mongo';
import type { Clock, Recent } from '@assay/runtime';
import { type ApiKey, hashOf, type KeyDocument, type KeyModel, toKey } from './api-key-document.ts';
import { TENANTS, type Tenant, type TenantDocument, toTenant } from './tenants.ts';

/** A key and its tenant; administrators' keys have none. */
interface KnownKey {
  key: ApiKey;
  tenant?: Tenant;
}

/** A key as it was at a time, by `performance.now()`. */
type CachedKey = KnownKey & { askedAt: number };

const USE_RECORDED_EVERY_MS = 60_000;

/**
 * How long a key that was revoked by another process may still be accepted, and settings that
 * another process changed may still be in force.
 */
export const REMEMBERED = { most: 10_000, forMs: 1000 };
export type Remembered = Recent<CachedKey>;

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

/** Reads the keys of requests, and records that they are used. */
export const keyReaders = (model: KeyModel, now: Clock, remembered: Remembered) => {
  const read = reader(model);
  return {
    /**
     * The key of a request and its tenant, read with one command; undefined if there is no such
     * key, it has expired, or its tenant is unknown.
     */
    find: async (apiKey: string): Promise<CachedKey | undefined> => {
      const hash = hashOf(apiKey);
      const cached = remembered.get(hash);
      const askedAt = performance.now();
      const found = cached ?? (await read(hash));
      if (!found || hasExpired(found.key, now())) return undefined;
      const known = { askedAt, ...found };
      if (!cached) remembered.set(hash, known, askedAt);
      return known;
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
