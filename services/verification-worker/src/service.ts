import { type Bus, on } from '@assay/bus';
import {
  adjudicationDecided,
  consentsChanged,
  contactChanged,
  type DataOf,
  type Envelope,
  evidenceDeleted,
  evidenceSubmitted,
  identityClosed,
  identityCreated,
  identityStatusChanged,
  issuingCheckCompleted,
} from '@assay/contracts';
import { type InternalClient, transportKeyFetcher } from '@assay/http';
import { createOutbox, type Database } from '@assay/mongo';
import { shippedPolicies } from '@assay/policy';
import type { Clock, Closable, Log } from '@assay/runtime';
import { createKeyring } from '@assay/sealing';
import { createCaseChanger } from './change-case.ts';
import { createIntakeClient } from './clients/intake.ts';
import { createCompareFaces } from './compare-faces.ts';
import { onAdjudicationDecided } from './consumers/adjudication-decided.ts';
import { onConsentsChanged } from './consumers/consents-changed.ts';
import { onContactChanged } from './consumers/contact-changed.ts';
import { onEvidenceDeleted } from './consumers/evidence-deleted.ts';
import { endEvidence, onEvidenceSubmitted } from './consumers/evidence-submitted.ts';
import { onIdentityClosed } from './consumers/identity-closed.ts';
import { onIdentityCreated } from './consumers/identity-created.ts';
import { onIdentityStatusChanged } from './consumers/identity-status-changed.ts';
import { onIssuingCheckCompleted } from './consumers/issuing-check-completed.ts';
import type { Engine } from './engine/engine.ts';
import { observedEngine } from './engine/observed.ts';
import { logBegun } from './participants/observe.ts';
import { caseModel, createCaseStore } from './store/cases.ts';

export interface WorkerOptions {
  database: Database;
  bus: Bus;
  gateway: InternalClient;
  intake: InternalClient;
  engine: Engine;
  log: Log;
  now: Clock;
  /** Pause between rounds of the outbox' sweeper, in milliseconds. */
  sweepEveryMs?: number;
}

const CHANGES_AT_ONCE = 10;

/** verification-worker: looks at evidence, asks the issuing source when it may, and evaluates. One case for each identity. */
export const createWorker = async (options: WorkerOptions) => {
  const { database, bus, gateway, log, now, sweepEveryMs = 1000 } = options;
  const engine = observedEngine(options.engine);
  const model = caseModel(database.connection);
  const cases = createCaseStore(model);
  await database.ensureIndexes();

  const keyring = createKeyring(transportKeyFetcher(gateway));
  const outbox = createOutbox({ model, bus, service: 'verification-worker', log, sweepEveryMs });
  const policies = shippedPolicies();
  const begun = logBegun(log);
  const compareFaces = createCompareFaces(engine, now, begun);
  const changer = createCaseChanger({ cases, outbox, keyring, policies, compareFaces, now, log });
  const intake = createIntakeClient(options.intake);
  const needs = { cases, changer, engine, intake, keyring, now, begun };
  const end = endEvidence(needs);

  const evidence = await bus.consume(
    'verification-worker.evidence',
    [on(evidenceSubmitted, onEvidenceSubmitted(needs))],
    {
      prefetch: engine.capacity,
      // The dead letters keep the message; the evidence ends (invariant 5).
      onGivenUp: (event) => end(event as Envelope<DataOf<typeof evidenceSubmitted>>, 'PROCESSING_FAILED'),
    },
  );
  const changes = await bus.consume(
    'verification-worker.changes',
    [
      on(identityCreated, onIdentityCreated(needs)),
      on(consentsChanged, onConsentsChanged(needs)),
      on(evidenceDeleted, onEvidenceDeleted(needs)),
      on(issuingCheckCompleted, onIssuingCheckCompleted(needs)),
      on(adjudicationDecided, onAdjudicationDecided(needs)),
      on(contactChanged, onContactChanged(needs)),
      on(identityStatusChanged, onIdentityStatusChanged),
      on(identityClosed, onIdentityClosed(needs)),
    ],
    { prefetch: CHANGES_AT_ONCE },
  );
  const parts: Closable[] = [outbox, changes, evidence];

  return {
    cases,
    changer,
    policies,
    now,
    close: async (): Promise<void> => {
      for (const part of parts.toReversed()) await part.close();
    },
  };
};
export type Worker = Awaited<ReturnType<typeof createWorker>>;
