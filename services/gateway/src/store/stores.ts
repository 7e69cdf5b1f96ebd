import type { Bus } from '@assay/bus';
import type { Database } from '@assay/mongo';
import type { Clock, Log } from '@assay/runtime';
import { createLocalKeys, type KeyService } from '@assay/sealing';
import { createAdjudications } from './adjudications.ts';
import { createApiKeys } from './api-keys.ts';
import { createAuditStore } from './audit.ts';
import { createCodeLimits } from './code-limits.ts';
import { createIdempotencyKeys } from './idempotency-keys.ts';
import { createIdentities } from './identities.ts';
import { createIdentityKeys } from './identity-keys.ts';
import { createPeople } from './people.ts';
import { createRequestRates } from './request-rates.ts';
import { restoringIn } from './restoring.ts';
import { createRootSecret } from './root-secret.ts';
import { createSeeds } from './seeds.ts';
import { createStaffSessions } from './staff-sessions.ts';
import { createTenants } from './tenants.ts';
import { createUserAgentSessions } from './user-agent-sessions.ts';

export interface StoreDeps {
  mongodb: Database;
  /** The database of the identities' keys, apart from the other. */
  keysMongodb: Database;
  rabbitmq: Pick<Bus, 'publish'>;
  masterKey: Buffer;
  /** Where the keys are that wrap the identities' keys; MASTER_KEY alone where it is absent. */
  keyService?: KeyService | undefined;
  now: Clock;
  log: Log;
  /** How long after an event it is republished for the first time, in milliseconds. */
  republishAfterMs?: number | undefined;
}

export type Stores = Awaited<ReturnType<typeof createStores>>;

/** Every collection the gateway owns, with its indexes. */
export const createStores = async (deps: StoreDeps) => {
  const { mongodb, keysMongodb } = deps;
  const keyService = deps.keyService ?? createLocalKeys([deps.masterKey]);
  const isRestoring = await restoringIn(keysMongodb);
  const identityKeys = await createIdentityKeys({ ...deps, keyService, mongodb: keysMongodb });
  const root = await createRootSecret({ ...identityKeys, ...deps, mongodb: keysMongodb });
  const keys = { ...identityKeys, isRestoring, records: [...identityKeys.records, root.records] };
  const requestSecret = root.derived('idempotency');
  const apiKeys = createApiKeys(deps);
  const stores = {
    tenants: createTenants({ ...deps, secret: root.secret, onChanged: apiKeys.forgetTenants }),
    apiKeys,
    seeds: createSeeds(deps),
    people: createPeople({ ...deps, secret: root.derived('people') }),
    staffSessions: createStaffSessions(deps),
    userAgentSessions: createUserAgentSessions(deps),
    identities: createIdentities(deps),
    adjudications: createAdjudications(deps),
    keys,
    audit: createAuditStore(deps),
    locks: createIdempotencyKeys({ mongodb, sealingKey: requestSecret, keys }),
    requestRates: createRequestRates(deps),
    codeLimits: createCodeLimits({ mongodb, secret: requestSecret }),
    /** Keys the digests of requests. */
    requestSecret,
    /** Keys the hash of business ids. */
    businessKey: root.derived('business ids'),
    /** Seals what a browser carries through a sign-in. */
    signInSecret: root.derived('sign-in'),
  };
  await Promise.all([mongodb.ensureIndexes(), keysMongodb.ensureIndexes()]);
  return stores;
};
