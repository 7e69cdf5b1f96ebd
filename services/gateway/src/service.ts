import { join } from 'node:path';
import { type Bus, on } from '@assay/bus';
import {
  adjudicationRequested,
  adjudicationWithdrawn,
  evidenceDeleted,
  evidenceEvaluated,
  evidenceSubmitted,
  oneTimeCodeSent,
  type TenantSettings,
} from '@assay/contracts';
import { createApp, type InternalKeys } from '@assay/http';
import { type Clock, type Closable, type SweeperOptions, startSweeper } from '@assay/runtime';
import type { Express } from 'express';
import type { VerificationWorker } from './clients/verification-worker.ts';
import { onAdjudicationRequested } from './consumers/adjudication-requested.ts';
import { onAdjudicationWithdrawn } from './consumers/adjudication-withdrawn.ts';
import { onEvidenceDeleted } from './consumers/evidence-deleted.ts';
import { onEvidenceEvaluated } from './consumers/evidence-evaluated.ts';
import { onEvidenceSubmitted } from './consumers/evidence-submitted.ts';
import { onOneTimeCodeSent } from './consumers/one-time-code-sent.ts';
import { createFlows, type FlowDeps, type Flows } from './flows/flows.ts';
import { createRepeatClosings } from './flows/repeat-closings.ts';
import { createRepeatWebhookChanges } from './flows/repeat-webhook-changes.ts';
import { seedFrom } from './flows/seed.ts';
import { createStrayKeys } from './flows/stray-keys.ts';
import { auditWrongRole } from './http/authenticate.ts';
import { docsFrame } from './http/docs-frame.ts';
import { createRunOnce } from './http/idempotency.ts';
import { internalRoutes } from './http/internal.ts';
import { atMost, perKeyRate, shareOnDemand, shareOut, unlessClientLeft } from './http/limits.ts';
import { missingPage } from './http/missing-page.ts';
import { mountRoutes } from './http/mount.ts';
import { openApiOf, type RouteGroup } from './http/openapi.ts';
import type { LocalStack } from './http/pages.ts';
import { publicRoutes } from './http/public.ts';
import { routeGroups } from './http/routes.ts';
import { createStores, type StoreDeps, type Stores } from './store/stores.ts';

export interface Deps extends FlowDeps, Omit<StoreDeps, 'rabbitmq'> {
  rabbitmq: Bus;
  /** The gateway's keys for calls between services. */
  internalKeys: InternalKeys;
  worker: VerificationWorker;
  prefixes: readonly string[];
  trustedProxies?: string[];
  maxUploads?: number;
  maxRequests?: number;
  /** Tenants and keys to begin with. */
  seedFile?: string | undefined;
  /** Folder with the built pages, a folder for each. */
  pages: string;
  /** Folder with made-up documents. */
  specimens: string;
  /** What a development stack shows of itself. */
  localStack?: LocalStack;
  version: string;
  /** What a new tenant has where its creation says nothing. */
  newTenant?: TenantSettings;
  /** Pauses between rounds of the sweeps, in milliseconds. */
  sweepEveryMs?: number;
  checkpointEveryMs?: number;
}

const SERVICE = 'gateway';
const MOST_UPLOADS = 128;
const MOST_REQUESTS = 1000;
const PREFETCH = 20;
const SWEEP_MS = 500;
/**
 * So many pauses are one while nothing is due: what expires does so within two seconds, a case that
 * nobody decided within five.
 */
const IDLE_PAUSES = { identities: 3, cases: 10 };
/**
 * What is not urgent. The first repetition of a closing is due after a minute. A replica wraps keys
 * with the former master key until its next round finds the rotation.
 */
const SELDOM = { everyMs: 5000, idleMs: 20_000 };
const CHECKPOINT_MS = 60_000;
const STRAY_KEYS_MS = 600_000;

/** Each group once for every configured first segment. */
const underPrefixes = (groups: readonly RouteGroup[], prefixes: readonly string[]): RouteGroup[] =>
  groups.flatMap((group) =>
    group.base.includes('{prefix}')
      ? prefixes.map((prefix) => ({ ...group, base: group.base.replace('{prefix}', prefix) }))
      : [group],
  );

/** What the gateway consumes. */
const handlersOf = ({ identities, adjudications }: Stores, { adjudication, caseNotices }: Flows, now: Clock) => [
  on(evidenceEvaluated, onEvidenceEvaluated({ identities, adjudication, now })),
  on(evidenceSubmitted, onEvidenceSubmitted({ identities, now })),
  on(evidenceDeleted, onEvidenceDeleted(adjudication)),
  on(adjudicationRequested, onAdjudicationRequested({ adjudications, adjudication, caseNotices, now })),
  on(adjudicationWithdrawn, onAdjudicationWithdrawn(adjudication)),
  on(oneTimeCodeSent, onOneTimeCodeSent({ identities, now })),
];

/** The work repeated at an interval, and the pauses between its rounds. */
const sweepsOf = (stores: Stores, flows: Flows, deps: Deps): Omit<SweeperOptions, 'log'>[] => {
  const { lifecycle, adjudication, caseNotices, auditLog, masterKeyFlow } = flows;
  const { sweepEveryMs, checkpointEveryMs } = deps;
  const everyMs = sweepEveryMs ?? SWEEP_MS;
  const seldom = sweepEveryMs ? { everyMs, idleMs: everyMs } : SELDOM;
  return [
    { name: 'lifecycle', run: lifecycle.sweep, everyMs, idleMs: everyMs * IDLE_PAUSES.identities },
    { name: 'adjudications', run: adjudication.sweep, everyMs, idleMs: everyMs * IDLE_PAUSES.cases },
    { name: 'case notices', run: caseNotices.sweep, ...seldom },
    { name: 'audit', run: auditLog.checkpoint, everyMs: checkpointEveryMs ?? CHECKPOINT_MS },
    { name: 'repeat closings', run: createRepeatClosings({ ...stores, ...deps }), ...seldom },
    { name: 'repeat webhook changes', run: createRepeatWebhookChanges({ ...stores, ...deps }), ...seldom },
    { name: 'rewrapping', run: masterKeyFlow.rewrap, ...seldom },
    { name: 'stray keys', run: createStrayKeys({ ...stores, ...deps }), everyMs: sweepEveryMs ?? STRAY_KEYS_MS },
  ];
};

/** The gateway: the one public door, its internal door, its consumers and sweepers. */
export const createGateway = async (deps: Deps) => {
  const { rabbitmq, now, log, internalKeys, prefixes } = deps;
  const stores = await createStores(deps);
  const flows = createFlows(stores, deps);

  const groups = routeGroups({ ...stores, ...flows, ...deps });
  const openApi = () => openApiOf(underPrefixes(groups, prefixes.slice(0, 1)), prefixes[0] ?? 'svc', deps.version);
  const slot = shareOnDemand(deps.maxUploads ?? MOST_UPLOADS);
  const mounting = {
    ...stores,
    now,
    log,
    once: createRunOnce({ ...stores, secret: stores.requestSecret, prefixes, slot, now, log }),
    slot,
    perCaller: [perKeyRate(stores.requestRates, now), unlessClientLeft, shareOut(deps.maxRequests ?? MOST_REQUESTS)],
    sessions: flows.sessions,
    signInFlow: flows.signInFlow,
    publicUrl: deps.publicUrl,
    auditLog: flows.auditLog,
    readLog: flows.readLog,
    onWrongRole: auditWrongRole(flows.auditLog, log),
  };
  const mountAll = (express: Express): void => {
    express.use(atMost(deps.maxRequests ?? MOST_REQUESTS));
    express.use(publicRoutes({ ...deps, ...flows, openApi, mayEmbed: stores.tenants.mayEmbed }));
    for (const { base, routes, page } of underPrefixes(groups, prefixes))
      express.use(base, mountRoutes(routes, { ...mounting, page }));
    express.use(missingPage(docsFrame(join(deps.pages, 'docs'))));
  };
  const internal = internalRoutes({ ...stores, grant: flows.grant, internalKeys });
  const running: Closable[] = [stores.audit, stores.identities.outbox, stores.adjudications.outbox];

  return {
    stores,
    groups,
    app: createApp({ service: SERVICE, log, trustProxy: deps.trustedProxies ?? [], routes: mountAll }),
    internalApp: createApp({ service: `${SERVICE}-internal`, log, routes: internal }),
    /** Applies the seed, and begins to consume and to sweep. */
    start: async (): Promise<void> => {
      if (deps.seedFile !== undefined) await seedFrom(deps.seedFile, { ...stores, log });
      const handlers = handlersOf(stores, flows, now);
      running.push(await rabbitmq.consume('gateway.evaluations', handlers, { prefetch: PREFETCH }));
      running.push(...sweepsOf(stores, flows, deps).map((sweep) => startSweeper({ ...sweep, log })));
    },
    close: async (): Promise<void> => {
      for (const part of running.toReversed()) await part.close();
    },
  };
};
