import { type Bus, on } from '@assay/bus';
import {
  adjudicationDecided,
  consentsChanged,
  contactChanged,
  evidenceDeleted,
  evidenceSubmitted,
  identityClosed,
  identityCreated,
  identityStatusChanged,
  issuingCheckCompleted,
  issuingCheckRequested,
} from '@assay/contracts';
import { type Engine, observedEngine } from '@assay/engine';
import { createApp, type InternalClient, type InternalKeys, identityKeyring } from '@assay/http';
import { createOutbox, type Database, type RepublishOptions } from '@assay/mongo';
import { shippedPolicies } from '@assay/policy';
import { type Clock, type Closable, type Log, startSweeper } from '@assay/runtime';
import type { Express } from 'express';
import type { ChipProcess } from './clients/chip-process.ts';
import { createIntakeClient } from './clients/intake.ts';
import { onAdjudicationDecided } from './consumers/adjudication-decided.ts';
import { onConsentsChanged } from './consumers/consents-changed.ts';
import { onContactChanged } from './consumers/contact-changed.ts';
import { onEvidenceDeleted } from './consumers/evidence-deleted.ts';
import { consumeEvidence } from './consumers/evidence-queues.ts';
import { endEvidence, onEvidenceSubmitted } from './consumers/evidence-submitted.ts';
import { onIdentityClosed } from './consumers/identity-closed.ts';
import { onIdentityCreated } from './consumers/identity-created.ts';
import { onIdentityStatusChanged } from './consumers/identity-status-changed.ts';
import { onIssuingCheckCompleted } from './consumers/issuing-check-completed.ts';
import { createCaseChanger } from './flows/change-case.ts';
import { createCompareFaces } from './flows/compare-faces.ts';
import { createDescribeFaces } from './flows/describe-faces.ts';
import { createLapsedCases } from './flows/lapsed-cases.ts';
import { logParticipantStarted } from './flows/participant-log.ts';
import { createTrustSeed } from './flows/trust-seed.ts';
import { routes } from './http/routes.ts';
import { caseModel, createCaseStore } from './store/cases.ts';
import { createTrustStore } from './store/trust.ts';

const SERVICE = 'verification-worker';
const CHANGES_AT_ONCE = 10;
const SWEEP_MS = 1000;
const SEED_MS = 500;

export interface Deps {
  mongodb: Database;
  rabbitmq: Bus;
  gateway: InternalClient;
  intake: InternalClient;
  /** This service's keys for calls between services. */
  keys: InternalKeys;
  engine: Engine;
  /** Checks chips in a process that holds no secret. */
  chipProcess: ChipProcess;
  trustSeedFile?: string;
  now: Clock;
  log: Log;
  /** How long after an event it is republished for the first time, in milliseconds. */
  republishAfterMs?: number;
  /** Pause between rounds of the outbox' sweeper, in milliseconds. */
  sweepEveryMs?: number;
}

/**
 * The worker repeats a request for a check when evidence-intake re-issues the evidence; events of a
 * closed case are not republished.
 */
const repeat = ({ republishAfterMs: afterMs }: Deps): RepublishOptions => ({
  isRepublished: (type, caseDocument) => type !== issuingCheckRequested.type && !caseDocument?.closed,
  reads: ['closed'],
  afterMs,
});

export interface Worker extends Closable {
  app: Express;
  isTrustSeeded(): boolean;
  /** Begins to consume. */
  start(): Promise<void>;
}

/**
 * verification-worker: looks at evidence, asks the issuing source when it may, and evaluates. One
 * case for each identity.
 */
export const createWorker = async (deps: Deps): Promise<Worker> => {
  const { mongodb, rabbitmq, gateway, log, now } = deps;
  const engine = observedEngine(deps.engine, (job, error) => log.warn({ msg: 'engine.job-failed', job, error }));
  const model = caseModel(mongodb.connection);
  const cases = createCaseStore(model);
  const trust = createTrustStore(mongodb.connection);
  await mongodb.ensureIndexes();

  const keyring = identityKeyring(gateway, deps.keys);
  const sweepEveryMs = deps.sweepEveryMs ?? SWEEP_MS;
  const outbox = createOutbox({ model, bus: rabbitmq, service: SERVICE, log, sweepEveryMs, republish: repeat(deps) });
  const policies = shippedPolicies();
  const onParticipantStarted = logParticipantStarted(log);
  const compareFaces = createCompareFaces(engine, now, onParticipantStarted);
  const intake = createIntakeClient(deps.intake, keyring);
  const describeFaces = createDescribeFaces(engine, intake, now);
  const changer = createCaseChanger({ cases, outbox, keyring, policies, describeFaces, compareFaces, now, log });
  const chips = { process: deps.chipProcess, trust };
  const verify = onEvidenceSubmitted({
    ...{ cases, changer, engine, chips, intake, keyring, onParticipantStarted, now, log },
  });
  const evidence = on(evidenceSubmitted, verify);
  const end = endEvidence({ changer });
  const giveUp = (event: Parameters<typeof end>[0]) => end(event, 'PROCESSING_FAILED');
  const lapsed = createLapsedCases({ cases, changer, now, log });
  const changes = [
    on(identityCreated, onIdentityCreated({ changer })),
    on(consentsChanged, onConsentsChanged({ changer })),
    on(evidenceDeleted, onEvidenceDeleted({ changer })),
    on(issuingCheckCompleted, onIssuingCheckCompleted({ changer })),
    on(adjudicationDecided, onAdjudicationDecided({ changer })),
    on(contactChanged, onContactChanged({ changer, now })),
    on(identityStatusChanged, onIdentityStatusChanged),
    on(identityClosed, onIdentityClosed({ cases, keyring })),
  ];
  const seed = createTrustSeed({ ...deps, trust });
  const running: Closable[] = [outbox];

  return {
    app: createApp({
      service: SERVICE,
      log,
      routes: routes({ cases, changer, policies, trust, chips: deps.chipProcess, now }, deps.keys),
    }),
    isTrustSeeded: seed.isDone,
    start: async () => {
      running.push(startSweeper({ name: 'trust-seed', everyMs: SEED_MS, run: seed.run, log }));
      running.push(startSweeper({ name: 'lapsed-cases', everyMs: sweepEveryMs, run: lapsed, log }));
      running.push(
        ...(await consumeEvidence({ rabbitmq, evidence, giveUp, prefetch: engine.capacity, now })),
        await rabbitmq.consume(`${SERVICE}.changes`, changes, { prefetch: CHANGES_AT_ONCE }),
      );
    },
    close: async () => {
      for (const part of running.toReversed()) await part.close();
    },
  };
};
