import type { WrappedKey } from '@assay/contracts';
import { type Database, isDuplicateKey } from '@assay/mongo';
import type { Clock } from '@assay/runtime';
import { newDataKey, unwrapKey, wrapKey } from '@assay/sealing';
import { Schema } from 'mongoose';

const DAY_MS = 24 * 3600 * 1000;
/** A transport key is used for a day and kept for the longest life of a message after it. */
const FORGOTTEN_AFTER_SECONDS = (DAY_MS + 72 * 3600 * 1000) / 1000;

const identityKeySchema = new Schema(
  { _id: String, tenantId: String, wrapped: String, createdAt: Date },
  { versionKey: false },
);
const transportKeySchema = new Schema({ _id: String, wrapped: String, createdAt: Date }, { versionKey: false });
transportKeySchema.index({ createdAt: 1 }, { expireAfterSeconds: FORGOTTEN_AFTER_SECONDS });

export type IdentityKeys = ReturnType<typeof createIdentityKeys>;

/**
 * The keys of the identities, in a database of their own so that backups can leave it out (invariant 7). Whoever has no key here any more has only
 * bytes nobody can read. Nothing but the transport key in use stays in memory.
 */
export const createIdentityKeys = ({
  database,
  masterKey,
  clock,
}: {
  database: Database;
  masterKey: Buffer;
  clock: Clock;
}) => {
  const keys = database.connection.model('identityKeys', identityKeySchema, 'identityKeys');
  const transportKeys = database.connection.model('transportKeys', transportKeySchema, 'transportKeys');
  let current: { kid: string; key: Buffer } | undefined;

  const transportKey = async (kid: string): Promise<Buffer | undefined> => {
    const found = await transportKeys.findById(kid).lean();
    return found?.wrapped ? unwrapKey(masterKey, found.wrapped, kid) : undefined;
  };

  /** One key a day: whoever is first makes it, all others read it. */
  const transportKeyOfToday = async (): Promise<{ kid: string; key: Buffer }> => {
    const now = clock();
    const kid = `transport-${now.toISOString().slice(0, 10)}`;
    if (current?.kid === kid) return current;
    const wrapped = wrapKey(masterKey, newDataKey(), kid);
    await transportKeys.create({ _id: kid, wrapped, createdAt: now }).catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error;
    });
    const key = await transportKey(kid);
    if (!key) throw new Error('the transport key of today is not there');
    current = { kid, key };
    return current;
  };

  return {
    transportKey,

    create: async (identityId: string, tenantId: string): Promise<Buffer> => {
      const key = newDataKey();
      const wrapped = wrapKey(masterKey, key, identityId);
      await keys.create({ _id: identityId, tenantId, wrapped, createdAt: clock() });
      return key;
    },

    find: async (identityId: string): Promise<Buffer | undefined> => {
      const found = await keys.findById(identityId).lean();
      return found?.wrapped ? unwrapKey(masterKey, found.wrapped, identityId) : undefined;
    },

    /** Crypto-shredding: what the key sealed, in any store or backup, is unreadable from here on. */
    destroy: async (identityId: string): Promise<void> => {
      await keys.deleteOne({ _id: identityId });
    },

    /** The identity's key as it travels in tokens and events. */
    wrap: async (key: Buffer, identityId: string): Promise<WrappedKey> => {
      const { kid, key: transport } = await transportKeyOfToday();
      return { kid, wrapped: wrapKey(transport, key, identityId) };
    },
  };
};
