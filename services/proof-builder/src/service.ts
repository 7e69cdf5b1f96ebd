import { type Bus, on } from '@assay/bus';
import {
  adjudicationDecided,
  consentsChanged,
  contactChanged,
  type Envelope,
  evidenceDeleted,
  evidenceEvaluated,
  evidenceSubmitted,
  identityClosed,
  identityCreated,
  identityStatusChanged,
  operationRecorded,
} from '@assay/contracts';
import { createApp, type InternalKeys } from '@assay/http';
import { createBlobs, createTombstones, type Database } from '@assay/mongo';
import { type Clock, type Closable, createBatches, examineWith, type Log, startSweeper } from '@assay/runtime';
import { createSealingKeys, type SealingKeys } from '@assay/sealing';
import type { Express } from 'express';
import type { EvidenceIntake } from './clients/evidence-intake.ts';
import { addToHistories } from './consumers/history-event.ts';
import { onIdentityClosed } from './consumers/identity-closed.ts';
import type { Signer } from './domain/signer.ts';
import { signingKeyFinding } from './domain/signing-findings.ts';
import { createBuildProof } from './flows/build-proof.ts';
import { createGrace } from './flows/grace.ts';
import { createLocalSigner } from './flows/local-signer.ts';
import { createOpenArchive } from './flows/open-archive.ts';
import { routes } from './http/routes.ts';
import { createArchiveKeys } from './store/archive-keys.ts';
import { createHistories } from './store/histories.ts';
import { createLayouts } from './store/layouts.ts';
import { createProofs } from './store/proofs.ts';
import { createSigningKeys, type SigningKeys } from './store/signing-keys.ts';

const SERVICE = 'proof-builder';
const EVENTS_AT_ONCE = 128;
/**
 * Events wait so long for others that are stored with them; a proof that is asked for has them
 * stored at once.
 */
const EVENT_BATCH = { lingerMs: 500, most: 64 };
const SWEEP_MS = 1000;
const SIGNING_KEYS_EVERY_ROUNDS = 60;
/** So many pauses are one while no grace period is over. */
const IDLE_PAUSES = 3;

/** Events that a proof is made of: each is stored as it came. */
const HISTORY_EVENTS = [
  identityCreated,
  consentsChanged,
  evidenceSubmitted,
  evidenceDeleted,
  evidenceEvaluated,
  operationRecorded,
  contactChanged,
  identityStatusChanged,
  adjudicationDecided,
];

export interface Deps {
  mongodb: Database;
  /** The database of the archives' keys, apart from the other. */
  keyMongodb: Database;
  rabbitmq: Bus;
  intake: EvidenceIntake;
  masterKey: Buffer;
  /** Keys that open what they sealed, while the master key is exchanged. */
  furtherMasterKeys?: readonly Buffer[];
  /** This service's keys for calls between services. */
  keys: InternalKeys;
  componentVersion: string;
  signingKeys: { bits: number; maxAgeSeconds: number; overlapSeconds: number };
  /** Holds the signing keys in this service's stead. */
  remoteSigner?: Signer | undefined;
  now: Clock;
  log: Log;
  /** How long a request waits for events that are on their way, in milliseconds. */
  historyPatienceMs?: number;
  /** Pause between rounds that look for grace periods that are over, in milliseconds. */
  sweepEveryMs?: number;
}

export interface ProofBuilder extends Closable {
  app: Express;
  /** Begins to consume and to sweep. */
  start(): Promise<void>;
}

/**
 * Who signs: another party where there is one, else this service, which then looks after its keys.
 */
const openSigner = async ({ signingKeys, remoteSigner, now, log }: Deps, keys: SigningKeys, sealing: SealingKeys) => {
  if (remoteSigner) {
    examineWith('signing key', () => [
      { check: 'signing-key', status: 'OK', message: 'another party holds the signing key' },
    ]);
    return { signer: remoteSigner };
  }
  const signer = createLocalSigner({ keys, sealing, now, log, ...signingKeys });
  await signer.maintain();
  examineWith('signing key', async () => [signingKeyFinding(await keys.all(), now(), signingKeys.maxAgeSeconds)]);
  return { signer, maintain: signer.maintain };
};

/**
 * proof-builder: stores the history of each identity, builds and signs the archive, and destroys it
 * when its grace period is over.
 */
export const createProofBuilder = async (deps: Deps): Promise<ProofBuilder> => {
  const { mongodb, keyMongodb, rabbitmq, intake, log, now, sweepEveryMs = SWEEP_MS } = deps;
  const histories = createHistories(mongodb.connection);
  const tombstones = createTombstones(mongodb.connection);
  const proofs = createProofs(mongodb.connection);
  const keys = createArchiveKeys(keyMongodb.connection);
  const storedSigningKeys = createSigningKeys(mongodb.connection);
  const sealing = createSealingKeys(deps.masterKey, deps.furtherMasterKeys);
  const layouts = createLayouts({ blobs: createBlobs(mongodb.connection, 'archives'), keys, sealing });
  await mongodb.ensureIndexes();

  const { signer, maintain } = await openSigner(deps, storedSigningKeys, sealing);
  const grace = createGrace({ proofs, layouts, intake, now, log });
  const arriving = createBatches<Envelope<unknown>>({
    work: addToHistories({ histories, tombstones }),
    ...EVENT_BATCH,
  });
  const buildProof = createBuildProof({
    ...deps,
    histories,
    tombstones,
    proofs,
    layouts,
    signer,
    storeArriving: arriving.flush,
  });
  const openArchive = createOpenArchive({ layouts, intake });
  const subscriptions = [
    ...HISTORY_EVENTS.map((event) => on(event, arriving.add)),
    on(identityClosed, onIdentityClosed({ histories, tombstones, grace })),
  ];
  const sweeps = [
    { name: 'grace', run: grace.sweep, everyMs: sweepEveryMs, idleMs: sweepEveryMs * IDLE_PAUSES },
    ...(maintain ? [{ name: 'signing-keys', run: maintain, everyMs: sweepEveryMs * SIGNING_KEYS_EVERY_ROUNDS }] : []),
  ];
  const running: Closable[] = [];

  return {
    app: createApp({
      service: SERVICE,
      log,
      routes: routes({ ...deps, histories, buildProof, proofs, openArchive, signer }),
    }),
    start: async () => {
      running.push(...sweeps.map((sweep) => startSweeper({ ...sweep, log })));
      running.push(await rabbitmq.consume(`${SERVICE}.history`, subscriptions, { prefetch: EVENTS_AT_ONCE }));
    },
    close: async () => {
      for (const part of running.toReversed()) await part.close();
    },
  };
};
