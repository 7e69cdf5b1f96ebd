import { isDeepStrictEqual } from 'node:util';
import {
  adjudicationRequested,
  adjudicationWithdrawn,
  type Envelope,
  type EventType,
  evidenceEvaluated,
  formatDateTime,
  isStable,
  present,
  todayAt,
} from '@assay/contracts';
import { type EntryOptions, outboxEntry } from '@assay/mongo';
import type { Policies, Policy } from '@assay/policy';
import { type Clock, counter, histogram, type Log, newId } from '@assay/runtime';
import { requestAdjudications, withdrawAdjudications } from '../domain/adjudication.ts';
import { type Case, factsOf, policyOf } from '../domain/case.ts';
import { evaluateCase } from '../domain/evaluate-case.ts';
import type { Former } from '../domain/evaluate-evidence.ts';
import type { Dated } from '../domain/lapse.ts';
import { type Publication, publicationOf } from '../domain/publication.ts';
import type { CaseDocument } from '../store/cases.ts';

export type Message = Pick<Envelope<unknown>, 'id' | 'tenantId' | 'identityId' | 'traceparent'>;

/** An event of the case of a message. */
export const eventOf = <E extends EventType>(
  event: E,
  { tenantId, identityId, traceparent }: Message,
  at: Date,
  data: EntryOptions<E>['data'],
): Envelope<unknown> => outboxEntry(event, { tenantId, identityId, at, data, traceparent });

const stableSeconds = histogram(
  'assay_evidence_stable_seconds',
  'Seconds from the submission of an evidence to its first stable status',
  ['type'],
  [0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 30, 60],
);

/** A replica of another release, or with other policy files, evaluates otherwise than the rest. */
const substituted = counter(
  'assay_policy_substituted_total',
  'Evaluations under another policy or version than the identity has, which this worker does not know',
  ['policy'],
);

/** Counts and logs the evidences that a publication makes stable for the first time. */
export const observeStable = (log: Log, before: Case, { entries }: Publication, at: Date): void => {
  for (const { evidenceId, status, type, changed } of entries) {
    const evidence = before.evidences.find((one) => one.evidenceId === evidenceId)!;
    const first = evidence.lastPublished === undefined || !isStable(evidence.lastPublished.status);
    if (!changed || !first || !isStable(status)) continue;
    const seconds = (at.getTime() - Date.parse(`${evidence.submitDateTime}Z`)) / 1000;
    stableSeconds.observe({ type }, seconds);
    log.info({ msg: 'evidence.stable', identityId: before._id, evidenceId, type, status, seconds });
  }
};

/** What of the client's a case rests on: so many deletions, and the consents of this revision. */
export const basisOf = ({ deleted, consents }: Case) => ({
  deletions: deleted.length,
  consentsRevision: consents.revision,
});

/**
 * Readers wait until what was published rests on a deletion or a consent that they know of:
 * published also where it changes nothing.
 */
const isAwaited = (before: Case, current: Case): boolean =>
  before.lastPublished !== undefined && !isDeepStrictEqual(basisOf(before), basisOf(current));

const formerOf = ({ evidences }: Case): Map<string, Former> =>
  new Map(
    evidences.flatMap(({ evidenceId, lastPublished }) => {
      const { parent: referenceId } = lastPublished?.proof ?? {};
      const former = lastPublished && { status: lastPublished.status, ...present({ referenceId }) };
      return former ? [[evidenceId, former] as const] : [];
    }),
  );

export interface EvaluatedChange {
  publication: Publication;
  events: Envelope<unknown>[];
  at: Date;
}

/**
 * Evaluates a case as a message leaves it: the case with what is published of it, and the events
 * that do.
 */
export const createEvaluateChange = ({ policies, now, log }: { policies: Policies; now: Clock; log: Log }) => {
  // The alert compares with what was before: a series that begins with 1 has nothing before it.
  for (const { name } of policies.list()) substituted.inc({ policy: name }, 0);
  const policyFor = (current: Case): Policy => {
    const { name, version } = policyOf(current);
    const found = policies.named(name, version) ?? policies.named('default')!;
    if (found.name !== name || (version !== undefined && found.version !== version)) {
      substituted.inc({ policy: found.name });
      const asked = { policy: name, version };
      log.warn({ msg: 'policy.substituted', identityId: current._id, ...asked, by: `${found.name} ${found.version}` });
    }
    return found;
  };

  return (
    before: CaseDocument,
    { current, lapsesAt }: Dated<Case>,
    message: Message,
    publishAnyway = false,
  ): EvaluatedChange => {
    const at = now();
    const policy = policyFor(current);
    const input = { policy, settings: current.createdUnder, today: todayAt(at), former: formerOf(current) };
    const evaluation = evaluateCase({ ...input, facts: factsOf(current) });
    const { after: remaining, withdrawals } = withdrawAdjudications(current, evaluation, at);
    const { after: asked, requests } = requestAdjudications(remaining, evaluation, {
      at,
      newId,
      faces: policy.faces,
    });
    const isAsked = requests.length + withdrawals.length > 0;
    const final = isAsked ? evaluateCase({ ...input, facts: factsOf(asked) }) : evaluation;
    const publication = publicationOf(asked, final, { policy, at: formatDateTime(at), lapsesAt });
    const evaluated = () =>
      eventOf(evidenceEvaluated, message, at, {
        caseRevision: before.revision + 1,
        policy: { name: policy.name, version: policy.version },
        evidences: publication.entries,
        identity: publication.identity,
        basis: basisOf(current),
      });
    const isDue = publication.hasChanges || publishAnyway || isAwaited(before, current);
    return {
      publication,
      events: [
        ...(isDue ? [evaluated()] : []),
        ...withdrawals.map((withdrawal) => eventOf(adjudicationWithdrawn, message, at, withdrawal)),
        ...requests.map((request) => eventOf(adjudicationRequested, message, at, request)),
      ],
      at,
    };
  };
};
