import { type Bus, on } from '@assay/bus';
import { evidenceDeleted, evidenceEvaluated, evidenceSubmitted, identityClosed } from '@assay/contracts';
import { createApp, createAskGrant, type InternalClient, type InternalKeys } from '@assay/http';
import {
  type Blobs,
  createBlobs,
  createOutbox,
  createTombstones,
  type Database,
  type RepublishOptions,
} from '@assay/mongo';
import { type Clock, type Closable, createNextLook, type Log, startSweeper } from '@assay/runtime';
import type { Express } from 'express';
import { createImages, type Images } from './clients/images.ts';
import { onEvidenceDeleted } from './consumers/evidence-deleted.ts';
import { onEvidenceEvaluated } from './consumers/evidence-evaluated.ts';
import { onIdentityClosed } from './consumers/identity-closed.ts';
import { createAcceptSubmission } from './flows/accept-submission.ts';
import { createChipSessions } from './flows/chip-sessions.ts';
import { createLiveSessions } from './flows/live-sessions.ts';
import { createMediaStorage } from './flows/media-storage.ts';
import { createOrphanSweep } from './flows/orphans.ts';
import { createPurge, createRelease } from './flows/purge.ts';
import { createReconciler } from './flows/reconciler.ts';
import { createSessionTimeouts } from './flows/session-timeouts.ts';
import { routes } from './http/routes.ts';
import { createEvidenceStore, evidenceModel } from './store/evidences.ts';
import { createMediaStore, mediaModel } from './store/media.ts';

const SERVICE = 'evidence-intake';
const CHANGES_AT_ONCE = 20;
const SWEEP_MS = 1000;
const ORPHANS_EVERY_ROUNDS = 30;
/**
 * So many pauses are one while nothing is due: work is issued again after 15 seconds and more, a
 * session ends within two seconds of its time. A round asks the database when something is due by
 * what this process knows.
 */
const IDLE_PAUSES = { reissues: 5, sessions: 2 };
/**
 * The sessions of a replica that ended are found within this time; this process expects those it
 * opened itself.
 */
const OTHERS_SESSIONS_MS = 10_000;

/** How media are stored in the database, in bytes. */
interface MediaSizes {
  /** A smaller one is in its record, and needs one write. */
  small: number;
  chunk: number;
}

/** Longer than any upload and its repeats. */
const ORPHAN_AFTER_MS = 15 * 60_000;
const MEDIA_SIZES: MediaSizes = { small: 1024 * 1024, chunk: 2 * 1024 * 1024 };

export interface Deps {
  mongodb: Database;
  rabbitmq: Bus;
  gateway: InternalClient;
  /**
   * Where media are instead of the database; what the database has of them, from before, is read
   * there.
   */
  openObjects?: ((former: Blobs) => Blobs & Closable) | undefined;
  /** This service's keys for calls between services. */
  keys: InternalKeys;
  /** Milliseconds an evidence may be without a stable status before its work is issued again. */
  reconcileAfterMs: number;
  /** Uploads taken at once; a further one is answered 503. */
  maxUploads: number;
  /** Reads strangers' images; in processes of this service's own where it is absent. */
  images?: Images;
  mediaSizes?: MediaSizes;
  /** Milliseconds after which a medium is removed that no evidence refers to. */
  orphanAfterMs?: number;
  now: Clock;
  log: Log;
  /** How long after an event it is republished for the first time, in milliseconds. */
  republishAfterMs?: number;
  /** Pause between rounds of the sweepers, in milliseconds. */
  sweepEveryMs?: number;
}

export interface Intake extends Closable {
  app: Express;
  /** Begins to consume and to sweep. */
  start(): Promise<void>;
}

/** Of a deleted evidence only its submission: a proof names it, and waits for that event. */
const repeat = ({ republishAfterMs: afterMs }: Deps): RepublishOptions => ({
  isRepublished: (type, evidence) => type === evidenceSubmitted.type || !evidence?.deletedAt,
  reads: ['deletedAt'],
  afterMs,
});
type SweepDeps = Parameters<typeof createReconciler>[0] &
  Parameters<typeof createSessionTimeouts>[0] &
  Parameters<typeof createOrphanSweep>[0] & { sweepEveryMs: number };

/** What looks for work that nobody's request or message brings. */
const sweepsOf = (deps: SweepDeps) => {
  const { sweepEveryMs: everyMs } = deps;
  return [
    { name: 'reconciler', run: createReconciler(deps), everyMs, idleMs: everyMs * IDLE_PAUSES.reissues },
    { name: 'session-timeouts', run: createSessionTimeouts(deps), everyMs, idleMs: everyMs * IDLE_PAUSES.sessions },
    { name: 'orphans', run: createOrphanSweep(deps), everyMs: everyMs * ORPHANS_EVERY_ROUNDS },
  ];
};

/** Where the bytes of media are: in the database, or in objects elsewhere. */
const openBlobs = ({ mongodb, openObjects, mediaSizes: { small, chunk } = MEDIA_SIZES }: Deps) => {
  const inDatabase = createBlobs(mongodb.connection, 'blobs', { chunkBytes: chunk });
  const objects = openObjects?.(inDatabase);
  return { blobs: objects ?? inDatabase, objects, smallBytes: objects ? 0 : small };
};

/**
 * evidence-intake: takes evidence in and stores it. Consumes what ends evidences and identities;
 * its sweeps finish what a crash interrupted.
 */
export const createIntake = async (deps: Deps): Promise<Intake> => {
  const { mongodb, rabbitmq, gateway, now, log, reconcileAfterMs, sweepEveryMs = SWEEP_MS } = deps;
  const { orphanAfterMs = ORPHAN_AFTER_MS } = deps;
  const evidencesModel = evidenceModel(mongodb.connection);
  const evidences = createEvidenceStore(evidencesModel);
  const media = createMediaStore(mediaModel(mongodb.connection));
  const tombstones = createTombstones(mongodb.connection);
  await mongodb.ensureIndexes();

  const outbox = createOutbox({ model: evidencesModel, bus: rabbitmq, service: SERVICE, log, republish: repeat(deps) });
  const { images = createImages() } = deps;
  const { blobs, objects, smallBytes } = openBlobs(deps);
  const storage = createMediaStorage({ media, blobs, images, smallBytes, orphanAfterMs, now });
  const purge = createPurge({ evidences, media, tombstones, storage });
  const release = createRelease({ media, tombstones, storage });
  const nextSession = createNextLook({ now, withinMs: OTHERS_SESSIONS_MS });
  const accept = createAcceptSubmission({ evidences, tombstones, outbox, nextSession, now, reconcileAfterMs });
  const askGrant = createAskGrant(gateway);
  const shared = {
    ...{ evidences, media, tombstones, storage, outbox, askGrant, purge, accept },
    ...{ nextSession, now, reconcileAfterMs, orphanAfterMs, log },
  };
  const sessions = createLiveSessions(shared);
  const chipSessions = createChipSessions({ ...shared, images });

  const changes = [
    on(evidenceDeleted, onEvidenceDeleted({ evidences, media, storage })),
    on(evidenceEvaluated, onEvidenceEvaluated({ evidences, media, storage })),
    on(identityClosed, onIdentityClosed(purge)),
  ];
  const sweeps = sweepsOf({ ...shared, sweepEveryMs });
  const { keys, maxUploads } = deps;
  const running: Closable[] = [...(objects ? [objects] : []), images, outbox];

  return {
    app: createApp({
      service: SERVICE,
      log,
      routes: routes({
        evidences,
        media,
        storage,
        images,
        accept,
        sessions,
        chipSessions,
        release,
        maxUploads,
        keys,
      }),
    }),
    start: async () => {
      running.push(...sweeps.map((sweep) => startSweeper({ ...sweep, log })));
      running.push(await rabbitmq.consume(`${SERVICE}.changes`, changes, { prefetch: CHANGES_AT_ONCE }));
    },
    close: async () => {
      for (const part of running.toReversed()) await part.close();
    },
  };
};
