import { connectBus } from '@assay/bus';
import { createInternalClient, type InternalKeys, SERVICE_NAMES, type ServiceName } from '@assay/http';
import { connectMongo } from '@assay/mongo';
import { shippedPolicies } from '@assay/policy';
import type { Clock, Log } from '@assay/runtime';
import { testKeys } from '@assay/testing';
import { createIntake } from '../../../services/evidence-intake/src/service.ts';
import { createClients } from '../../../services/gateway/src/clients/clients.ts';
import { createGateway } from '../../../services/gateway/src/service.ts';
import { openSources } from '../../../services/issuing-source-adapter/src/clients/connectors.ts';
import { DEFAULT_PACE } from '../../../services/issuing-source-adapter/src/domain/pace.ts';
import { createAdapter } from '../../../services/issuing-source-adapter/src/service.ts';
import { createTexter } from '../../../services/notifier/src/clients/sms.ts';
import { createNotifier } from '../../../services/notifier/src/service.ts';
import { createEvidenceIntake } from '../../../services/proof-builder/src/clients/evidence-intake.ts';
import { createProofBuilder } from '../../../services/proof-builder/src/service.ts';
import { createWorker } from '../../../services/verification-worker/src/service.ts';
import { simulatedChips } from './chips.ts';
import { simulatedEngine, simulatedImages } from './engine.ts';
import { simulatedSigner } from './signer.ts';
import type { Stage } from './stage.ts';

/** The only administrator of the suite. */
export const ADMINISTRATOR = 'administrator-of-the-simulation';
const MASTER_KEY = Buffer.alloc(32, 7);
/**
 * Later than the longest faults by any process's clock, because a message that a queue loses twice
 * waits for an hour.
 */
const REPUBLISH_AFTER_MS = 120_000;
const RECONCILE_AFTER_MS = 15_000;
/**
 * Longer than faults last, and shorter than in production, so that no run waits a quarter of an
 * hour for it.
 */
const ORPHAN_AFTER_MS = 200_000;
const at = (service: ServiceName): string => `http://${service}`;
// Made once: neither depends on the seed, and making them takes longer than a start may.
const keysOf = new Map(SERVICE_NAMES.map((service) => [service, testKeys(service)]));
export const policies = shippedPolicies();
const keysFor = (service: ServiceName, now: Clock): InternalKeys => ({
  ...(keysOf.get(service) ?? testKeys(service)),
  now,
});

/** The program of a service from its start until it is ready, as in its `main.ts`. */
type Program = (stage: Stage, log: Log) => Promise<void>;

const connected = async (service: ServiceName, stage: Stage, log: Log) => {
  const mongodb = await connectMongo('mongodb://store', service, log);
  const { now } = mongodb;
  const keys = keysFor(service, now);
  return {
    mongodb,
    rabbitmq: await connectBus({ url: 'amqp://broker', service, now, log, connect: stage.lines.connect as never }),
    gateway: createInternalClient({ baseUrl: 'http://gateway-internal', keys, to: 'gateway', log }),
    keys,
    now,
    log,
  };
};

const gateway: Program = async (stage, log) => {
  const service = 'gateway';
  const { keys: internalKeys, ...parts } = await connected(service, stage, log);
  const addresses = {
    EVIDENCE_INTAKE_URL: at('evidence-intake'),
    PROOF_BUILDER_URL: at('proof-builder'),
    NOTIFIER_URL: at('notifier'),
    VERIFICATION_WORKER_URL: at('verification-worker'),
    ISSUING_SOURCE_ADAPTER_URL: at('issuing-source-adapter'),
  };
  const made = await createGateway({
    ...parts,
    ...createClients(addresses, internalKeys, log),
    internalKeys,
    keysMongodb: await connectMongo('mongodb://store', 'keys', log),
    masterKey: MASTER_KEY,
    keyService: stage.masterKeys.service,
    policies,
    prefixes: ['svc'],
    republishAfterMs: REPUBLISH_AFTER_MS,
    pages: 'none',
    specimens: 'none',
    version: '0.0.0',
  });
  await made.stores.apiKeys.register(ADMINISTRATOR, 'ADMINISTRATOR', undefined);
  stage.serve('gateway-internal', made.internalApp);
  await made.start();
  stage.serve('gateway', made.app);
};

const intake: Program = async (stage, log) => {
  const made = await createIntake({
    ...(await connected('evidence-intake', stage, log)),
    reconcileAfterMs: RECONCILE_AFTER_MS,
    maxUploads: 32,
    images: simulatedImages(),
    // So that the small pictures of the simulation are stored as large ones are.
    mediaSizes: { small: 1000, chunk: 600 },
    orphanAfterMs: ORPHAN_AFTER_MS,
    republishAfterMs: REPUBLISH_AFTER_MS,
  });
  stage.serve('evidence-intake', made.app);
  await made.start();
};

const worker: Program = async (stage, log) => {
  const parts = await connected('verification-worker', stage, log);
  const made = await createWorker({
    ...parts,
    intake: createInternalClient({ baseUrl: at('evidence-intake'), keys: parts.keys, to: 'evidence-intake', log }),
    engine: simulatedEngine(),
    chipProcess: simulatedChips(),
    republishAfterMs: REPUBLISH_AFTER_MS,
  });
  stage.serve('verification-worker', made.app);
  await made.start();
};

const adapter: Program = async (stage, log) => {
  const credentials = {
    default: { AUSTRALIA: { agencyCode: 'A', apiKey: 'k' }, DVS: { agencyCode: 'A', apiKey: 'k' } },
  };
  const parts = await connected('issuing-source-adapter', stage, log);
  const made = await createAdapter({
    ...parts,
    ...openSources({ dvsUrl: 'http://source', credentials, now: parts.now }),
    pace: DEFAULT_PACE,
    maintenanceWindows: false,
    republishAfterMs: REPUBLISH_AFTER_MS,
  });
  stage.serve('issuing-source-adapter', made.app);
  await made.start();
};

const proofBuilder: Program = async (stage, log) => {
  const parts = await connected('proof-builder', stage, log);
  const client = createInternalClient({ baseUrl: at('evidence-intake'), keys: parts.keys, to: 'evidence-intake', log });
  const made = await createProofBuilder({
    ...parts,
    keyMongodb: await connectMongo('mongodb://store', 'proof-keys', log),
    intake: createEvidenceIntake(client),
    masterKey: MASTER_KEY,
    componentVersion: '0.0.0',
    signingKeys: { bits: 2048, maxAgeSeconds: 1e9, overlapSeconds: 1 },
    remoteSigner: simulatedSigner,
  });
  stage.serve('proof-builder', made.app);
  await made.start();
};

const notifier: Program = async (stage, log) => {
  const made = await createNotifier({
    ...(await connected('notifier', stage, log)),
    masterKey: MASTER_KEY,
    allowPrivateTargets: ['10.0.0.0/8'],
    senders: { MOBILE: createTexter('http://texts', undefined) },
  });
  stage.serve('notifier', made.app);
  await made.start();
};

export const PROGRAMS: Readonly<Record<ServiceName, Program>> = {
  gateway,
  'evidence-intake': intake,
  'verification-worker': worker,
  'issuing-source-adapter': adapter,
  'proof-builder': proofBuilder,
  notifier,
};
