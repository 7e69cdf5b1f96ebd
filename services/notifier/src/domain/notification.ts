import type { DataOf, evaluationPublished, identityStatusChanged, WebhookEvent } from '@assay/contracts';

/** The body of a webhook ("Events", Body): fields in the order of the specification's table, absent where they do not apply. */
export interface Notification {
  event: WebhookEvent;
  identityId: string;
  businessId?: string;
  identityStatus: string;
  expireAt?: string;
  completedAt?: string;
  evidence?: { evidenceId: string; evidenceType: string; evidenceOperation: string };
}

/** An evaluation, or the deletion of an evidence, as the client is told of it. */
export const evaluationNotification = (
  identityId: string,
  { businessId, identityStatus, completedAt, evidence }: DataOf<typeof evaluationPublished>,
): Notification => ({
  event: 'Evaluation',
  identityId,
  ...(businessId === undefined ? {} : { businessId }),
  identityStatus,
  completedAt,
  evidence: {
    evidenceId: evidence.evidenceId,
    evidenceType: evidence.evidenceType,
    evidenceOperation: evidence.evidenceOperation,
  },
});

/** PAUSED, TIMEOUT or ERROR as the client is told of it; nothing where the specification names no notification. */
export const statusNotification = (
  identityId: string,
  { businessId, identityStatus, completedAt, expireAt, notify }: DataOf<typeof identityStatusChanged>,
): Notification | undefined =>
  notify
    ? {
        event: 'IdentityStatusUpdate',
        identityId,
        ...(businessId === undefined ? {} : { businessId }),
        identityStatus,
        ...(expireAt === undefined ? {} : { expireAt }),
        completedAt,
      }
    : undefined;
