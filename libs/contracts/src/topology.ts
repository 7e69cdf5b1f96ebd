import {
  adjudicationDecided,
  adjudicationRequested,
  adjudicationWaiting,
  adjudicationWithdrawn,
} from './events/adjudication.ts';
import { consentsChanged } from './events/consents-changed.ts';
import { evaluationPublished } from './events/evaluation-published.ts';
import { evidenceDeleted } from './events/evidence-deleted.ts';
import { evidenceEvaluated } from './events/evidence-evaluated.ts';
import { evidenceSubmitted } from './events/evidence-submitted.ts';
import { identityClosed, identityCreated, identityStatusChanged } from './events/identity.ts';
import { issuingCheckCompleted, issuingCheckRequested } from './events/issuing-check.ts';
import { contactChanged, oneTimeCodeRequested, oneTimeCodeSent } from './events/one-time-code.ts';
import { operationRecorded } from './events/operation.ts';
import { table } from './table.ts';

/** The one exchange; the routing key of a message is its event's type. */
export const EXCHANGE = 'assay.events';

/** Every event of the suite. */
export const EVENTS = [
  identityCreated,
  consentsChanged,
  evidenceSubmitted,
  evidenceDeleted,
  issuingCheckRequested,
  issuingCheckCompleted,
  evidenceEvaluated,
  evaluationPublished,
  identityStatusChanged,
  identityClosed,
  operationRecorded,
  adjudicationRequested,
  adjudicationDecided,
  adjudicationWithdrawn,
  adjudicationWaiting,
  oneTimeCodeRequested,
  oneTimeCodeSent,
  contactChanged,
] as const;

/**
 * Which queue receives which events. A queue is named `<service>.<purpose>`. Every service declares
 * all queues when it connects: so an event that is published before its consumer was ever started
 * waits for it.
 */
export const QUEUES = table<readonly string[]>({
  'gateway.evaluations': [
    evidenceEvaluated.type,
    evidenceSubmitted.type,
    evidenceDeleted.type,
    adjudicationRequested.type,
    adjudicationWithdrawn.type,
    oneTimeCodeSent.type,
  ],
  'evidence-intake.changes': [evidenceDeleted.type, evidenceEvaluated.type, identityClosed.type],
  'verification-worker.evidence': [evidenceSubmitted.type],
  'verification-worker.surplus': [],
  'verification-worker.changes': [
    identityCreated.type,
    consentsChanged.type,
    evidenceDeleted.type,
    issuingCheckCompleted.type,
    adjudicationDecided.type,
    contactChanged.type,
    identityStatusChanged.type,
    identityClosed.type,
  ],
  'issuing-source-adapter.checks': [issuingCheckRequested.type],
  'issuing-source-adapter.closing': [identityClosed.type],
  'issuing-source-adapter.withdrawals': [evidenceDeleted.type, consentsChanged.type],
  'proof-builder.history': [
    identityCreated.type,
    consentsChanged.type,
    evidenceSubmitted.type,
    evidenceDeleted.type,
    evidenceEvaluated.type,
    operationRecorded.type,
    contactChanged.type,
    identityStatusChanged.type,
    adjudicationDecided.type,
    identityClosed.type,
  ],
  'notifier.notifications': [
    evaluationPublished.type,
    identityStatusChanged.type,
    adjudicationWaiting.type,
    identityClosed.type,
  ],
  'notifier.codes': [oneTimeCodeRequested.type, adjudicationWaiting.type],
});

/**
 * Queues that no event is bound to, by name, each with the queue whose reader fills it: there lies
 * what exceeds a tenant's share, and its events are those of that queue (decision 40).
 */
export const SURPLUS_QUEUES = table<string>({ 'verification-worker.surplus': 'verification-worker.evidence' });

export interface FormerQueue {
  name: string;
  /** The events it was bound to. */
  heard: readonly string[];
}

/**
 * Queues of former releases, by the queue that replaced them. The arguments of an existing queue
 * cannot change: a queue that needs others gets a new name (`verification-worker.evidence.v2`), and
 * its former name is listed here. Messages of the former queue are moved on, then the queue is
 * removed. An entry may be removed when no such release is in use.
 */
export const FORMER_QUEUES = table<readonly FormerQueue[]>({});

/**
 * Events that a queue received in a former release and no longer receives: it is unbound from them.
 * An entry may be removed when no such release is in use.
 */
export const RETIRED_BINDINGS = table<readonly string[]>({});
