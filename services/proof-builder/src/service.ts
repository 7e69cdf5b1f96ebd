import type { Bus } from '@assay/bus';
import { on } from '@assay/bus';
import {
  adjudicationDecided,
  consentsChanged,
  contactChanged,
  evidenceDeleted,
  evidenceEvaluated,
  evidenceSubmitted,
  identityClosed,
  identityCreated,
  identityStatusChanged,
  operationRecorded,
} from '@assay/contracts';
import { createApp, requireToken } from '@assay/http';
import { createBlobs, type Database } from '@assay/mongo';
import { type Clock, type Closable, type Log, startSweeper } from '@assay/runtime';
import type { Keyring } from '@assay/sealing';
import type { Express } from 'express';
import { createBuildProof } from './archive/build-proof.ts';
import { createGrace } from './archive/grace.ts';
import { createLayouts } from './archive/layouts.ts';
import { createOpenArchive } from './archive/open-archive.ts';
import type { EvidenceIntake } from './clients/evidence-intake.ts';
import { onHistoryEvent } from './consumers/history-event.ts';
import { onIdentityClosed } from './consumers/identity-closed.ts';
import { keyRoutes } from './http/keys.ts';
import { proofRoutes } from './http/proofs.ts';
import { schemaRoutes } from './http/schemas.ts';
import { createLocalSigner } from './signing/local-signer.ts';
import type { Signer } from './signing/signer.ts';
import { createArchiveKeys } from './store/archive-keys.ts';
import { createHistories } from './store/histories.ts';
import { createProofs } from './store/proofs.ts';
import { createSigningKeys } from './store/signing-keys.ts';
import { createTombstones } from './store/tombstones.ts';

export interface ProofBuilderNeeds {
  database: Database;
  /** The database of the archives' keys, apart from the other. */
  keyDatabase: Database;
  intake: EvidenceIntake;
  keyring: Keyring;
  masterKey: Buffer;
  internalSecret: string;
  componentVersion: string;
  signingKeys: { bits: number; maxAgeSeconds: number; overlapSeconds: number };
  /** Holds the signing keys in this service's stead. */
  remoteSigner?: Signer | undefined;
  now: Clock;
  log: Log;
  historyPatienceMs?: number;
}

export interface ProofBuilder {
  app: Express;
  consume(bus: Bus): Promise<Closable>;
  /** Ends grace periods and keeps the signing keys in order. */
  sweep(): Closable;
}

const PREFETCH = 32;
const SWEEP_MS = 1000;
const KEYS_MS = 60_000;

/** The service without its connections: what main.ts and the tests both start. */
export const createProofBuilder = async (needs: ProofBuilderNeeds): Promise<ProofBuilder> => {
  const { database, intake, masterKey, log, now } = needs;
  const histories = createHistories(database.connection);
  const tombstones = createTombstones(database.connection);
  const proofs = createProofs(database.connection);
  const layouts = createLayouts({
    blobs: createBlobs(database.connection, 'archives'),
    keys: createArchiveKeys(needs.keyDatabase.connection),
    masterKey,
  });
  const localSigner = createLocalSigner({
    keys: createSigningKeys(database.connection),
    masterKey,
    now,
    ...needs.signingKeys,
  });
  await database.ensureIndexes();
  const signer = needs.remoteSigner ?? localSigner;
  if (!needs.remoteSigner) await localSigner.maintain();
  const grace = createGrace({ proofs, layouts, intake, now, log });
  const buildProof = createBuildProof({ ...needs, histories, tombstones, proofs, layouts, signer });

  const keep = onHistoryEvent({ histories, tombstones });
  const kept = [
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
  const subscriptions = [
    ...kept.map((event) => on(event, keep)),
    on(identityClosed, onIdentityClosed({ histories, tombstones, grace })),
  ];

  return {
    app: createApp({
      service: 'proof-builder',
      log,
      routes: (app) => {
        app.use(
          '/internal/v1',
          requireToken(needs.internalSecret),
          proofRoutes({ buildProof, proofs, openArchive: createOpenArchive({ layouts, intake }) }),
          keyRoutes({ signer, rotate: needs.remoteSigner ? undefined : localSigner.rotate }),
          schemaRoutes(),
        );
      },
    }),
    consume: (bus) => bus.consume('proof-builder.history', subscriptions, { prefetch: PREFETCH }),
    sweep: () => {
      const ends = startSweeper({ name: 'proof-builder.grace', everyMs: SWEEP_MS, run: grace.sweep, log });
      const keys = startSweeper({
        name: 'proof-builder.signing-keys',
        everyMs: KEYS_MS,
        run: needs.remoteSigner ? async () => undefined : localSigner.maintain,
        log,
      });
      return { close: () => Promise.all([ends.close(), keys.close()]) };
    },
  };
};
