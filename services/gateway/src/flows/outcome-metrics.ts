import { type DataOf, type EvaluatedEvidence, evaluationPublished } from '@assay/contracts';
import { boundedLabel, counter, gauge, histogram } from '@assay/runtime';
import type { NewEvent } from '../domain/change.ts';
import type { ClosingReason, Identity } from '../domain/identity.ts';

const MOST_TENANTS = 50;
const tenantLabel = boundedLabel(MOST_TENANTS);

const outcomes = counter('assay_evidence_outcomes_total', 'Results published to clients, by type of evidence', [
  'tenant',
  'type',
  'status',
]);
const refusals = counter('assay_evidence_refusals_total', 'Errors of evidences that were not verified, by code', [
  'tenant',
  'code',
]);
const publishedSeconds = histogram(
  'assay_result_seconds',
  'From the submission of an evidence to the moment its result can be read',
  ['type'],
  [0.5, 1, 2, 3, 5, 8, 13, 30, 60, 300, 3600],
);
const levels = counter('assay_identity_levels_total', 'Closed identities by the level of assurance they had reached', [
  'tenant',
  'level',
  'reason',
]);
const oldest = gauge('assay_adjudication_oldest_seconds', 'Age of the case that has waited longest for an operator', [
  'tenant',
]);
const waiting = gauge('assay_adjudication_open', 'Cases that wait for an operator', ['tenant']);

/** Ids of the evidences whose result these events tell. */
const publishedIn = (events: readonly NewEvent[]): Set<string> =>
  new Set(
    events
      .filter(({ event }) => event === evaluationPublished)
      .map(({ data }) => (data as DataOf<typeof evaluationPublished>).evidence.evidenceId),
  );

/** Counts the results that a written change published. */
export const countResults = (
  { tenantId, evidences }: Pick<Identity, 'tenantId' | 'evidences'>,
  evaluated: readonly EvaluatedEvidence[],
  events: readonly NewEvent[],
  now: Date,
): void => {
  const published = publishedIn(events);
  const tenant = tenantLabel(tenantId);
  for (const { evidenceId, type, status, errors = [] } of evaluated.filter((each) => published.has(each.evidenceId))) {
    outcomes.inc({ tenant, type, status });
    if (status !== 'VERIFIED') for (const { code } of errors) refusals.inc({ tenant, code });
    const submitted = evidences.find((each) => each.evidenceId === evidenceId)?.submitDateTime;
    if (submitted) publishedSeconds.observe({ type }, (now.getTime() - Date.parse(`${submitted}Z`)) / 1000);
  }
};

/** Counts the end of an identity, with the level it had until then. */
export const countEnd = (
  { tenantId, evaluated }: Pick<Identity, 'tenantId' | 'evaluated'>,
  reason: ClosingReason,
): void => levels.inc({ tenant: tenantLabel(tenantId), level: evaluated?.levelOfAssurance ?? 'LOA0', reason });

export interface Waiting {
  tenantId: string;
  count: number;
  /** When the oldest was asked for. */
  since: string;
}

/** Shows how long each tenant's cases wait; a tenant without any shows none. */
export const showQueues = (queues: readonly Waiting[], now: Date): void => {
  oldest.reset();
  waiting.reset();
  const shown = new Map<string, { count: number; seconds: number }>();
  for (const { tenantId, count, since } of queues) {
    const tenant = tenantLabel(tenantId);
    const seconds = (now.getTime() - Date.parse(`${since}Z`)) / 1000;
    const before = shown.get(tenant) ?? { count: 0, seconds: 0 };
    shown.set(tenant, { count: before.count + count, seconds: Math.max(before.seconds, seconds) });
  }
  for (const [tenant, { count, seconds }] of shown) {
    waiting.set({ tenant }, count);
    oldest.set({ tenant }, seconds);
  }
};
