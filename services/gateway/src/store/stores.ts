import type { Bus } from '@assay/bus';
import type { Database } from '@assay/mongo';
import type { Clock, Log } from '@assay/runtime';
import { createAdjudications } from './adjudications.ts';
import { createApiKeys } from './api-keys.ts';
import { createAuditStore } from './audit.ts';
import { createIdempotencyKeys } from './idempotency-keys.ts';
import { createIdentities } from './identities.ts';
import { createIdentityKeys } from './identity-keys.ts';
import { createTenants } from './tenants.ts';

export interface StoreParts {
  database: Database;
  /** The database of the identities' keys, apart from the other. */
  keyDatabase: Database;
  bus: Pick<Bus, 'publish'>;
  masterKey: Buffer;
  /** Derived from the master key; seals kept replies and keys the digests of requests. */
  requestSecret: Buffer;
  clock: Clock;
  log: Log;
}

export type Stores = Awaited<ReturnType<typeof createStores>>;

/** Every collection the gateway owns, with its indexes. */
export const createStores = async (parts: StoreParts) => {
  const { database, keyDatabase, requestSecret } = parts;
  const stores = {
    tenants: createTenants(parts),
    apiKeys: createApiKeys(parts),
    identities: createIdentities(parts),
    adjudications: createAdjudications(parts),
    keys: createIdentityKeys({ ...parts, database: keyDatabase }),
    audit: createAuditStore(parts),
    claims: createIdempotencyKeys({ database, sealingKey: requestSecret }),
  };
  await Promise.all([database.ensureIndexes(), keyDatabase.ensureIndexes()]);
  return stores;
};
