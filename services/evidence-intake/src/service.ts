import { type Bus, on } from '@assay/bus';
import { evidenceDeleted, evidenceEvaluated, identityClosed } from '@assay/contracts';
import { type InternalClient, transportKeyFetcher } from '@assay/http';
import { createBlobs, createOutbox, type Database } from '@assay/mongo';
import { type Clock, type Closable, type Log, startSweeper } from '@assay/runtime';
import { createKeyring } from '@assay/sealing';
import { createAccept } from './accept.ts';
import { createAskGrant } from './clients/gateway.ts';
import { onEvidenceDeleted } from './consumers/evidence-deleted.ts';
import { onEvidenceEvaluated } from './consumers/evidence-evaluated.ts';
import { onIdentityClosed } from './consumers/identity-closed.ts';
import { createLiveSessions } from './live-sessions.ts';
import { createLetGo, createPurge } from './purge.ts';
import { createEvidenceStore, evidenceModel } from './store/evidences.ts';
import { createMediaStore, mediaModel } from './store/media.ts';
import { createTombstones, tombstoneModel } from './store/tombstones.ts';
import { createLeftBehindSweep } from './sweeps/left-behind.ts';
import { createReconciler } from './sweeps/reconciler.ts';
import { createSessionTimeouts } from './sweeps/session-timeouts.ts';
import { createVault } from './vault.ts';

export interface IntakeOptions {
  database: Database;
  bus: Bus;
  gateway: InternalClient;
  log: Log;
  now: Clock;
  reconcileAfterMs: number;
  maxUploads: number;
  /** Pause between rounds of the sweepers, in milliseconds. */
  sweepEveryMs?: number;
}

const LEFT_BEHIND_ROUNDS = 30;

/** evidence-intake: takes evidence in and keeps it. Consumes what ends evidences and identities; sweeps up what crashes and silence leave. */
export const createIntake = async (options: IntakeOptions) => {
  const { database, bus, gateway, log, now, reconcileAfterMs, maxUploads, sweepEveryMs = 1000 } = options;
  const evidencesModel = evidenceModel(database.connection);
  const evidences = createEvidenceStore(evidencesModel);
  const media = createMediaStore(mediaModel(database.connection));
  const tombstones = createTombstones(tombstoneModel(database.connection));
  await database.ensureIndexes();

  const keyring = createKeyring(transportKeyFetcher(gateway));
  const outbox = createOutbox({ model: evidencesModel, bus, service: 'evidence-intake', log });
  const vault = createVault({ media, blobs: createBlobs(database.connection, 'blobs'), now });
  const purge = createPurge({ evidences, media, tombstones, vault });
  const letGo = createLetGo({ media, tombstones, vault });
  const accept = createAccept({ evidences, media, tombstones, outbox, keyring, now, reconcileAfterMs });
  const askGrant = createAskGrant(gateway);
  const shared = {
    evidences,
    media,
    tombstones,
    outbox,
    keyring,
    vault,
    accept,
    askGrant,
    purge,
    letGo,
    now,
    reconcileAfterMs,
    log,
  };

  const consumer = await bus.consume(
    'evidence-intake.changes',
    [
      on(evidenceDeleted, onEvidenceDeleted({ evidences, media, vault })),
      on(evidenceEvaluated, onEvidenceEvaluated(evidences)),
      on(identityClosed, onIdentityClosed(purge)),
    ],
    { prefetch: 20 },
  );
  const sweep = (name: string, run: () => Promise<void>, everyMs = sweepEveryMs): Closable =>
    startSweeper({ name, everyMs, run, log });
  const parts: Closable[] = [
    outbox,
    sweep('reconciler', createReconciler(shared)),
    sweep('session-timeouts', createSessionTimeouts(shared)),
    sweep('left-behind', createLeftBehindSweep(shared), sweepEveryMs * LEFT_BEHIND_ROUNDS),
    consumer,
  ];

  return {
    ...shared,
    maxUploads,
    sessions: createLiveSessions(shared),
    close: async (): Promise<void> => {
      for (const part of parts.toReversed()) await part.close();
    },
  };
};
export type Intake = Awaited<ReturnType<typeof createIntake>>;
