import {
  type adjudicationWaiting,
  type DataOf,
  type evaluationPublished,
  type identityStatusChanged,
  present,
  type WebhookEvent,
} from '@assay/contracts';

/**
 * What a webhook tells (specification, Events), without the name that the relying service gave the
 * identity: no personal data.
 */
export interface Notification {
  event: WebhookEvent;
  identityId: string;
  identityStatus: string;
  expireAt?: string;
  completedAt?: string;
  evidence?: { evidenceId: string; evidenceType: string; evidenceOperation?: string };
  caseId?: string;
  waitingSince?: string;
}

/** An evaluation, or the deletion of an evidence, as the client is notified of it. */
export const evaluationNotification = (
  identityId: string,
  { identityStatus, completedAt, evidence }: DataOf<typeof evaluationPublished>,
): Notification => ({
  event: 'Evaluation',
  identityId,
  identityStatus,
  completedAt,
  evidence: {
    evidenceId: evidence.evidenceId,
    evidenceType: evidence.evidenceType,
    evidenceOperation: evidence.evidenceOperation,
  },
});

/**
 * PAUSED, TIMEOUT or ERROR as the client is notified of it; nothing where the specification names
 * no notification.
 */
export const statusNotification = (
  identityId: string,
  { identityStatus, completedAt, expireAt, notify }: DataOf<typeof identityStatusChanged>,
): Notification | undefined =>
  notify
    ? {
        event: 'IdentityStatusUpdate',
        identityId,
        identityStatus,
        ...present({ expireAt }),
        completedAt,
      }
    : undefined;

/** A case that has waited for operators for too long, as the client is notified of it. */
export const waitingNotification = (
  identityId: string,
  { identityStatus, evidenceId, type, caseId, requestedAt }: DataOf<typeof adjudicationWaiting>,
): Notification => ({
  event: 'AdjudicationWaiting',
  identityId,
  identityStatus,
  evidence: { evidenceId, evidenceType: type },
  caseId,
  waitingSince: requestedAt,
});

/**
 * The body of the webhook: fields in the order of the specification's table, absent where they do
 * not apply. The same bytes each time it is made.
 */
export const bodyOf = ({ event, identityId, ...rest }: Notification, businessId: string | undefined): Buffer =>
  Buffer.from(JSON.stringify({ event, identityId, ...present({ businessId }), ...rest }), 'utf8');
