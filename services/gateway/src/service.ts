import { createHmac } from 'node:crypto';
import type { Bus } from '@assay/bus';
import { on } from '@assay/bus';
import { adjudicationRequested, evidenceEvaluated, evidenceSubmitted, oneTimeCodeSent } from '@assay/contracts';
import { createApp } from '@assay/http';
import type { Database } from '@assay/mongo';
import type { Policies } from '@assay/policy';
import { type Clock, type Closable, type Log, startSweeper } from '@assay/runtime';
import type { EvidenceIntake } from './clients/evidence-intake.ts';
import type { Notifier } from './clients/notifier.ts';
import type { ProofBuilder } from './clients/proof-builder.ts';
import { onAdjudicationRequested } from './consumers/adjudication-requested.ts';
import { onEvidenceEvaluated } from './consumers/evidence-evaluated.ts';
import { onEvidenceSubmitted } from './consumers/evidence-submitted.ts';
import { createAccess } from './flows/access.ts';
import { createAdjudicationFlow } from './flows/adjudication.ts';
import { createCreation } from './flows/creation.ts';
import { createEffects } from './flows/effect.ts';
import { createGrant } from './flows/grant.ts';
import { createLifecycle } from './flows/lifecycle.ts';
import { createRetrieval } from './flows/retrieval.ts';
import { createSubmit } from './flows/submission.ts';
import { logWrongRole } from './http/authenticate.ts';
import { createRunOnce } from './http/idempotency.ts';
import { internalRoutes } from './http/internal.ts';
import { atMost } from './http/limits.ts';
import { mountRoutes } from './http/mount.ts';
import { openApiOf } from './http/openapi.ts';
import { publicRoutes } from './http/public.ts';
import { routeGroups } from './http/routes.ts';
import { createAdjudications } from './store/adjudications.ts';
import { createApiKeys } from './store/api-keys.ts';
import { createIdempotencyKeys } from './store/idempotency-keys.ts';
import { createIdentities } from './store/identities.ts';
import { createIdentityKeys } from './store/identity-keys.ts';
import { createTenants } from './store/tenants.ts';

export interface GatewayOptions {
  database: Database;
  /** The database of the identities' keys, apart from the other. */
  keyDatabase: Database;
  bus: Bus;
  masterKey: Buffer;
  internalSecret: string;
  intake: EvidenceIntake;
  proofBuilder: ProofBuilder;
  notifier: Notifier;
  policies: Policies;
  prefixes: readonly string[];
  trustedProxies?: string[];
  maxUploads?: number;
  maxRequests?: number;
  /** Folder with the built pages of the console. */
  pages: string;
  version: string;
  clock: Clock;
  log: Log;
  sweepEveryMs?: number;
}

export type Gateway = Awaited<ReturnType<typeof createGateway>>;

/** The gateway: the one public door, its internal door, its consumers and sweepers. */
export const createGateway = async (options: GatewayOptions) => {
  const { database, keyDatabase, bus, masterKey, clock, log, intake, proofBuilder, notifier, policies } = options;
  const secret = createHmac('sha256', masterKey).update('idempotency').digest();
  const tenants = createTenants({ database, masterKey, clock });
  const apiKeys = createApiKeys({ database, clock });
  const identities = createIdentities({ database, bus, log });
  const adjudications = createAdjudications({ database, bus, log });
  const keys = createIdentityKeys({ database: keyDatabase, masterKey, clock });
  const claims = createIdempotencyKeys({ database, sealingKey: secret });
  await Promise.all([database.ensureIndexes(), keyDatabase.ensureIndexes()]);

  const adjudication = createAdjudicationFlow({ adjudications, identities, keys, tenants, intake, clock });
  const onClosed = ({ _id }: { _id: string }) => adjudication.forget(_id);
  const lifecycle = createLifecycle({ identities, keys, tenants, clock, log, onClosed });
  const access = createAccess({ identities, keys, lifecycle, clock });
  const effects = createEffects({ identities, access, clock });
  const policyVersion = (name: string): string => policies.named(name)?.version ?? '';
  const create = createCreation({ identities, keys, policyVersion, clock });
  const retrieve = createRetrieval({ identities, access, lifecycle, proofBuilder, clock, log });
  const submit = createSubmit({ identities, access, effects, clock, log });
  const once = createRunOnce({ claims, identities, secret, clock, log });

  const parts = {
    access,
    adjudication,
    effects,
    lifecycle,
    create,
    retrieve,
    submit,
    intake,
    notifier,
    tenants,
    apiKeys,
    policies,
  };
  const groups = routeGroups(parts);
  const openApi = openApiOf(
    groups.map(({ base, routes }) => ({ base: base.replace('{prefix}', options.prefixes[0] ?? 'svc'), routes })),
    options.prefixes[0] ?? 'svc',
    options.version,
  );
  const mount = {
    apiKeys,
    tenants,
    clock,
    once,
    uploads: atMost(options.maxUploads ?? 64),
    onWrongRole: logWrongRole(log),
  };

  const app = createApp({
    service: 'gateway',
    log,
    trustProxy: options.trustedProxies ?? [],
    routes: (express) => {
      express.use(atMost(options.maxRequests ?? 1000));
      express.use(publicRoutes({ ...options, openApi }));
      for (const { base, routes } of groups)
        for (const path of base.includes('{prefix}')
          ? options.prefixes.map((prefix) => base.replace('{prefix}', prefix))
          : [base])
          express.use(path, mountRoutes(routes, mount));
    },
  });
  const grant = createGrant({ identities, keys, tenants });
  const internalApp = createApp({
    service: 'gateway-internal',
    log,
    routes: internalRoutes({ keys, grant, secret: options.internalSecret }),
  });

  const consume = (): Promise<Closable> =>
    bus.consume(
      'gateway.evaluations',
      [
        on(evidenceEvaluated, onEvidenceEvaluated({ identities, clock })),
        on(evidenceSubmitted, onEvidenceSubmitted({ identities, clock })),
        on(adjudicationRequested, onAdjudicationRequested(adjudications)),
        on(oneTimeCodeSent, async () => undefined),
      ],
      { prefetch: 20 },
    );

  return {
    app,
    internalApp,
    tenants,
    apiKeys,
    identities,
    keys,
    lifecycle,
    groups,
    openApi,
    consume,
    sweep: (): Closable =>
      startSweeper({
        name: 'lifecycle',
        everyMs: options.sweepEveryMs ?? 500,
        run: () => Promise.all([lifecycle.sweep(), adjudication.sweep()]),
        log,
      }),
    close: () => Promise.all([identities.outbox.close(), adjudications.outbox.close()]),
  };
};
