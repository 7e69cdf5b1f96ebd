import { type Bus, on } from '@assay/bus';
import {
  consentsChanged,
  type Envelope,
  evidenceDeleted,
  identityClosed,
  issuingCheckRequested,
} from '@assay/contracts';
import { createApp, type InternalClient, type InternalKeys, identityKeyring, requireToken } from '@assay/http';
import { createOutbox, createTombstones, type Database } from '@assay/mongo';
import { type Clock, type Closable, type Log, startSweeper } from '@assay/runtime';
import type { Express } from 'express';
import type { Connector } from './clients/connector.ts';
import { createSourceLimiter } from './clients/source-limiter.ts';
import { onConsentsChanged } from './consumers/consents-changed.ts';
import { onEvidenceDeleted } from './consumers/evidence-deleted.ts';
import { type Deps as IdentityClosedDeps, onIdentityClosed } from './consumers/identity-closed.ts';
import { onIssuingCheckRequested } from './consumers/issuing-check-requested.ts';
import type { Pace } from './domain/pace.ts';
import type { Source } from './domain/source.ts';
import { createAskSource } from './flows/ask-source.ts';
import { type CheckRequest, createCompleteCheck } from './flows/complete-check.ts';
import { createPermissions, type Permissions } from './flows/permissions.ts';
import { createRecheck } from './flows/recheck.ts';
import { createRunCheck } from './flows/run-check.ts';
import { routes } from './http/routes.ts';
import { createChecks } from './store/checks.ts';
import { createReplicas, SAID_EVERY_MS } from './store/replicas.ts';
import { createWithdrawals } from './store/withdrawals.ts';

const SERVICE = 'issuing-source-adapter';
const CHECKS_AT_ONCE = 128;
const CLOSINGS_AT_ONCE = 16;
const WITHDRAWALS_AT_ONCE = 16;
const LEASE_ROOM_MS = 5000;
const SWEEP_MS = 1000;
/** So many pauses are one while nothing is due. */
const IDLE_PAUSES = 5;

export interface Deps {
  mongodb: Database;
  rabbitmq: Bus;
  gateway: InternalClient;
  /** This service's keys for calls between services. */
  keys: InternalKeys;
  sources: readonly Source[];
  connectors: ReadonlyMap<string, Connector>;
  pace: Pace;
  /** Whether the maintenance windows of the sources are observed. */
  maintenanceWindows: boolean;
  now: Clock;
  log: Log;
  /** How long after an event it is republished for the first time, in milliseconds. */
  republishAfterMs?: number;
  /** Pause between rounds that look for checks to ask again, in milliseconds. */
  sweepEveryMs?: number;
}

export interface Adapter extends Closable {
  app: Express;
  /** Begins to consume and to sweep. */
  start(): Promise<void>;
}

/** What is heard of the ends of identities, evidences and consents. */
const endingsOf = ({ permissions, ...deps }: IdentityClosedDeps & { permissions: Permissions }) => ({
  closing: [on(identityClosed, onIdentityClosed(deps))],
  takenBack: [
    on(evidenceDeleted, onEvidenceDeleted(deps)),
    on(consentsChanged, onConsentsChanged({ ...deps, permissions })),
  ],
});

/**
 * issuing-source-adapter: knows which source can check which document, asks it, and publishes the
 * result.
 */
export const createAdapter = async (deps: Deps): Promise<Adapter> => {
  const { mongodb, rabbitmq, gateway, sources, connectors, pace, now, log, sweepEveryMs: everyMs = SWEEP_MS } = deps;
  const checks = createChecks(mongodb.connection);
  const tombstones = createTombstones(mongodb.connection);
  const withdrawals = createWithdrawals(mongodb.connection, tombstones);
  const replicas = createReplicas(mongodb.connection, now);
  await mongodb.ensureIndexes();

  const keyring = identityKeyring(gateway, deps.keys);
  const outbox = createOutbox({
    model: checks.model,
    bus: rabbitmq,
    service: SERVICE,
    log,
    republish: { afterMs: deps.republishAfterMs },
  });
  const { questionMs } = pace;
  const limiter = createSourceLimiter({ replicas: replicas.count });
  const windows = deps.maintenanceWindows;
  const askSource = createAskSource({ sources, connectors, limiter, now, questionMs, windows });
  // One question, and room to store its result; renewed when the question's turn comes. After a
  // crash another process may take the check this soon.
  const leaseMs = questionMs + LEASE_ROOM_MS;
  const complete = createCompleteCheck({ checks, outbox, now, log });
  const permissions = createPermissions({ checks, tombstones, withdrawals, complete, now });
  const runCheck = createRunCheck({ checks, permissions, keyring, askSource, complete, pace, leaseMs, now });
  const recheck = createRecheck({ checks, outbox, permissions, keyring, askSource, leaseMs, now, log });
  const { closing, takenBack } = endingsOf({ checks, tombstones, withdrawals, keyring, permissions });
  const requests = [on(issuingCheckRequested, onIssuingCheckRequested(runCheck))];
  const running: Closable[] = [outbox];

  return {
    app: createApp({
      service: SERVICE,
      log,
      routes: (app) => {
        app.use('/internal/v1', requireToken(deps.keys, ['gateway']), routes(sources));
      },
    }),
    start: async () => {
      // Its part of the sources' limits is known before it takes a question.
      await replicas.round();
      running.push(
        { close: replicas.leave },
        startSweeper({ name: 'replicas', everyMs: SAID_EVERY_MS, run: replicas.round, log }),
        startSweeper({ name: 'rechecks', everyMs, idleMs: everyMs * IDLE_PAUSES, run: recheck, log }),
        await rabbitmq.consume(`${SERVICE}.closing`, closing, { prefetch: CLOSINGS_AT_ONCE }),
        await rabbitmq.consume(`${SERVICE}.withdrawals`, takenBack, { prefetch: WITHDRAWALS_AT_ONCE }),
        await rabbitmq.consume(`${SERVICE}.checks`, requests, {
          prefetch: CHECKS_AT_ONCE,
          // The dead letters have the message; the check ends inconclusive (invariant 5).
          onGivenUp: (event: Envelope<unknown>) => runCheck.giveUp(event as CheckRequest),
        }),
      );
    },
    close: async () => {
      for (const part of running.toReversed()) await part.close();
    },
  };
};
