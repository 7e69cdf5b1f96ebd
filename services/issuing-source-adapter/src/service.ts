import { type Bus, on } from '@assay/bus';
import { identityClosed, issuingCheckRequested } from '@assay/contracts';
import { createApp, type InternalClient, requireToken, transportKeyFetcher } from '@assay/http';
import { createOutbox, type Database } from '@assay/mongo';
import { type Clock, type Closable, type Log, startSweeper } from '@assay/runtime';
import { createKeyring } from '@assay/sealing';
import { createAttempt } from './attempt.ts';
import type { Connector } from './clients/connector.ts';
import { createAskKey } from './clients/gateway.ts';
import { createLanes } from './clients/lanes.ts';
import { onIdentityClosed } from './consumers/identity-closed.ts';
import { onIssuingCheckRequested } from './consumers/issuing-check-requested.ts';
import type { Pace } from './domain/pace.ts';
import type { Source } from './domain/source.ts';
import { coverageRoutes } from './http/coverage.ts';
import { createRecheck } from './recheck.ts';
import { createChecks } from './store/checks.ts';
import { createTombstones } from './store/tombstones.ts';

export interface AdapterNeeds {
  database: Database;
  bus: Bus;
  gateway: InternalClient;
  internalSecret: string;
  sources: readonly Source[];
  connectors: ReadonlyMap<string, Connector>;
  pace: Pace;
  maintenanceWindows: boolean;
  now: Clock;
  log: Log;
  sweepEveryMs?: number;
}

const PREFETCH = 128;
const LEASE_ROOM_MS = 5000;
const SERVICE = 'issuing-source-adapter';

/** issuing-source-adapter: knows which source can check which document, asks it, and says what came of it. */
export const createAdapter = async (needs: AdapterNeeds) => {
  const { database, bus, gateway, sources, connectors, pace, now, log } = needs;
  const checks = createChecks(database.connection);
  const tombstones = createTombstones(database.connection);
  await database.ensureIndexes();
  const keyring = createKeyring(transportKeyFetcher(gateway));
  const outbox = createOutbox({ model: checks.model, bus, service: SERVICE, log });
  const attempt = createAttempt({
    sources,
    connectors,
    lanes: createLanes(),
    now,
    questionMs: pace.questionMs,
    windows: needs.maintenanceWindows,
  });
  // One question, and room to write down what came of it; renewed when the question's turn comes. After a crash the check is anybody's this soon.
  const leaseMs = pace.questionMs + LEASE_ROOM_MS;
  const shared = { checks, tombstones, outbox, keyring, attempt, pace, leaseMs, now, log };
  const requests = onIssuingCheckRequested(shared);
  const recheck = createRecheck({ ...shared, askKey: createAskKey(gateway) });

  const parts: Closable[] = [
    outbox,
    startSweeper({ name: 'rechecks', everyMs: needs.sweepEveryMs ?? 1000, run: recheck, log }),
    await bus.consume('issuing-source-adapter.closing', [on(identityClosed, onIdentityClosed(shared))], {
      prefetch: 16,
    }),
    await bus.consume('issuing-source-adapter.checks', [on(issuingCheckRequested, requests.handle)], {
      prefetch: PREFETCH,
      onGivenUp: requests.onGivenUp,
    }),
  ];

  return {
    app: createApp({
      service: SERVICE,
      log,
      routes: (app) => {
        app.use('/internal/v1', requireToken(needs.internalSecret), coverageRoutes(sources));
      },
    }),
    close: async (): Promise<void> => {
      for (const part of parts.toReversed()) await part.close();
    },
  };
};
export type Adapter = Awaited<ReturnType<typeof createAdapter>>;
