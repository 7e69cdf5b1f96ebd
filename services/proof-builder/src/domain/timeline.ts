import {
  adjudicationDecided,
  consentsChanged,
  contactChanged,
  type DataOf,
  type EventType,
  evidenceDeleted,
  evidenceEvaluated,
  evidenceSubmitted,
  identityCreated,
  identityStatusChanged,
  operationRecorded,
  present,
  type TimelineItem,
} from '@assay/contracts';
import type { HistoryRecord } from './history.ts';

type Told = Pick<TimelineItem, 'kind' | 'evidenceId' | 'details'>;

const event = (details: Record<string, unknown>, evidenceId?: string): Told => ({
  kind: 'EVENT',
  details,
  ...present({ evidenceId }),
});

const teller = <E extends EventType>(
  eventType: E,
  tell: (data: DataOf<E>) => Told,
): [string, (data: never) => Told] => [eventType.type, tell as (data: never) => Told];

/**
 * What each event tells without its sealed parts. Who called is no part of it, nor what was written
 * or read.
 */
const TELLERS = new Map<string, (data: never) => Told>([
  teller(identityCreated, ({ tenantRole, settings }) => event({ by: tenantRole, policy: settings.policy.name })),
  teller(consentsChanged, ({ change }) =>
    event({ change: change.type, consents: change.consents.map(({ type, approved }) => ({ type, approved })) }),
  ),
  teller(evidenceSubmitted, ({ evidenceId, type, operation, media, reissued }) =>
    event({ type, operation, media: media.length, ...(reissued ? { reissued } : {}) }, evidenceId),
  ),
  teller(evidenceDeleted, ({ evidenceId, type, reason }) => event({ type, reason }, evidenceId)),
  teller(evidenceEvaluated, ({ caseRevision, policy, evidences, identity }) => ({
    kind: 'EVALUATION',
    details: {
      caseRevision,
      policy: policy.name,
      levelOfAssurance: identity.levelOfAssurance,
      evidences: evidences.map(({ evidenceId, type, status, score, strength, errors = [] }) => ({
        evidenceId,
        type,
        status,
        score,
        strength,
        errors: errors.map(({ code }) => code),
      })),
    },
  })),
  teller(operationRecorded, ({ name, type, rest }) => event({ name, change: type, method: rest.method })),
  teller(contactChanged, ({ evidenceId, channel, verified, otp }) =>
    event({ channel, verified, code: otp.status }, evidenceId),
  ),
  teller(identityStatusChanged, ({ identityStatus }) => event({ status: identityStatus })),
  teller(adjudicationDecided, ({ evidenceId, decision, reasons }) => event({ decision, reasons }, evidenceId)),
]);

/**
 * What happened to an identity, oldest first, without anything personal. An event of a later
 * release is told by its name.
 */
export const timelineOf = (records: readonly HistoryRecord[]): TimelineItem[] =>
  records
    .map(({ type, at, data }) => ({ at, type, ...(TELLERS.get(type)?.(data as never) ?? event({})) }))
    .sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
