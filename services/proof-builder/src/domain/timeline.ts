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

type Description = Pick<TimelineItem, 'kind' | 'evidenceId' | 'details'>;

const event = (details: Record<string, unknown>, evidenceId?: string): Description => ({
  kind: 'EVENT',
  details,
  ...present({ evidenceId }),
});

const described = <E extends EventType>(
  eventType: E,
  describe: (data: DataOf<E>) => Description,
): [string, (data: never) => Description] => [eventType.type, describe as (data: never) => Description];

/**
 * What is published of each event, without its sealed parts. Who called is no part of it, nor what
 * was written or read.
 */
const DESCRIPTIONS = new Map<string, (data: never) => Description>([
  described(identityCreated, ({ tenantRole, settings }) => event({ by: tenantRole, policy: settings.policy.name })),
  described(consentsChanged, ({ change }) =>
    event({ change: change.type, consents: change.consents.map(({ type, approved }) => ({ type, approved })) }),
  ),
  described(evidenceSubmitted, ({ evidenceId, type, operation, media, reissued }) =>
    event({ type, operation, media: media.length, ...(reissued ? { reissued } : {}) }, evidenceId),
  ),
  described(evidenceDeleted, ({ evidenceId, type, reason }) => event({ type, reason }, evidenceId)),
  described(evidenceEvaluated, ({ caseRevision, policy, evidences, identity }) => ({
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
  described(operationRecorded, ({ name, type, rest }) => event({ name, change: type, method: rest.method })),
  described(contactChanged, ({ evidenceId, channel, verified, otp }) =>
    event({ channel, verified, code: otp.status }, evidenceId),
  ),
  described(identityStatusChanged, ({ identityStatus }) => event({ status: identityStatus })),
  described(adjudicationDecided, ({ evidenceId, decision, reasons }) => event({ decision, reasons }, evidenceId)),
]);

/**
 * What happened to an identity, oldest first, without anything personal. An event of a later
 * release has only its name.
 */
export const timelineOf = (records: readonly HistoryRecord[]): TimelineItem[] =>
  records
    .map(({ type, at, data }) => ({ at, type, ...(DESCRIPTIONS.get(type)?.(data as never) ?? event({})) }))
    .sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
