import { createHmac } from 'node:crypto';
import { type Bus, on } from '@assay/bus';
import {
  adjudicationRequested,
  evidenceEvaluated,
  evidenceSubmitted,
  oneTimeCodeSent,
  type TenantSettings,
} from '@assay/contracts';
import { createApp } from '@assay/http';
import type { Database } from '@assay/mongo';
import { type Closable, startSweeper } from '@assay/runtime';
import type { Express } from 'express';
import type { Notifier } from './clients/notifier.ts';
import type { VerificationWorker } from './clients/verification-worker.ts';
import { onAdjudicationRequested } from './consumers/adjudication-requested.ts';
import { onEvidenceEvaluated } from './consumers/evidence-evaluated.ts';
import { onEvidenceSubmitted } from './consumers/evidence-submitted.ts';
import { onOneTimeCodeSent } from './consumers/one-time-code-sent.ts';
import { createFlows, type FlowParts } from './flows/flows.ts';
import { auditWrongRole } from './http/authenticate.ts';
import { createRunOnce } from './http/idempotency.ts';
import { internalRoutes } from './http/internal.ts';
import { atMost } from './http/limits.ts';
import { mountRoutes } from './http/mount.ts';
import { openApiOf, type RouteGroup } from './http/openapi.ts';
import { publicRoutes } from './http/public.ts';
import { routeGroups } from './http/routes.ts';
import { createStores } from './store/stores.ts';

export interface GatewayOptions extends FlowParts {
  database: Database;
  /** The database of the identities' keys, apart from the other. */
  keyDatabase: Database;
  bus: Bus;
  masterKey: Buffer;
  internalSecret: string;
  notifier: Notifier;
  worker: VerificationWorker;
  prefixes: readonly string[];
  trustedProxies?: string[];
  maxUploads?: number;
  maxRequests?: number;
  /** Folder with the built pages of the console. */
  pages: string;
  version: string;
  /** What a new tenant has where its creation says nothing. */
  newTenant?: TenantSettings;
  sweepEveryMs?: number;
  checkpointEveryMs?: number;
}

const MOST_UPLOADS = 64;
const MOST_REQUESTS = 1000;
const PREFETCH = 20;
const SWEEP_MS = 500;
const CHECKPOINT_MS = 60_000;

/** Each group once for every configured first segment. */
const underPrefixes = (groups: readonly RouteGroup[], prefixes: readonly string[]): RouteGroup[] =>
  groups.flatMap(({ base, routes }) =>
    base.includes('{prefix}')
      ? prefixes.map((prefix) => ({ base: base.replace('{prefix}', prefix), routes }))
      : [{ base, routes }],
  );

export type Gateway = Awaited<ReturnType<typeof createGateway>>;

/** The gateway: the one public door, its internal door, its consumers and sweepers. */
export const createGateway = async (options: GatewayOptions) => {
  const { bus, clock, log, internalSecret, prefixes } = options;
  const requestSecret = createHmac('sha256', options.masterKey).update('idempotency').digest();
  const stores = await createStores({ ...options, requestSecret });
  const { identities, adjudications, keys } = stores;
  const flows = createFlows(stores, options);

  const groups = routeGroups({ ...stores, ...flows, ...options });
  const openApi = openApiOf(underPrefixes(groups, prefixes.slice(0, 1)), prefixes[0] ?? 'svc', options.version);
  const mount = {
    ...stores,
    clock,
    once: createRunOnce({ ...stores, secret: requestSecret, clock, log }),
    uploads: atMost(options.maxUploads ?? MOST_UPLOADS),
    auditLog: flows.auditLog,
    onWrongRole: auditWrongRole(flows.auditLog, log),
  };
  const routes = (express: Express): void => {
    express.use(atMost(options.maxRequests ?? MOST_REQUESTS));
    express.use(publicRoutes({ ...options, openApi }));
    for (const group of underPrefixes(groups, prefixes)) express.use(group.base, mountRoutes(group.routes, mount));
  };

  return {
    ...stores,
    lifecycle: flows.lifecycle,
    groups,
    openApi,
    app: createApp({ service: 'gateway', log, trustProxy: options.trustedProxies ?? [], routes }),
    internalApp: createApp({
      service: 'gateway-internal',
      log,
      routes: internalRoutes({ keys, grant: flows.grant, secret: internalSecret }),
    }),
    consume: (): Promise<Closable> =>
      bus.consume(
        'gateway.evaluations',
        [
          on(evidenceEvaluated, onEvidenceEvaluated({ identities, clock })),
          on(evidenceSubmitted, onEvidenceSubmitted({ identities, clock })),
          on(adjudicationRequested, onAdjudicationRequested(adjudications)),
          on(oneTimeCodeSent, onOneTimeCodeSent({ identities, keys, clock })),
        ],
        { prefetch: PREFETCH },
      ),
    sweep: (): Closable[] => [
      startSweeper({ name: 'lifecycle', everyMs: options.sweepEveryMs ?? SWEEP_MS, run: flows.sweep, log }),
      startSweeper({
        name: 'audit',
        everyMs: options.checkpointEveryMs ?? CHECKPOINT_MS,
        run: flows.auditLog.checkpoint,
        log,
      }),
    ],
    close: () => Promise.all([identities.outbox.close(), adjudications.outbox.close()]),
  };
};
