import { type adjudicationWaiting, type DataOf, formatDateTime, type IdentityStatus, present } from '@assay/contracts';
import type { AdjudicationCase, AdjudicationChange } from './adjudication-case.ts';
import { secondsAfter } from './identity.ts';
import type { EffectiveSettings } from './settings.ts';

type Settings = EffectiveSettings['adjudication'];

/**
 * When the tenant is notified of a case that began at this time; undefined if no channel is set.
 */
export const noticeTime = (
  requestedAt: Date,
  { noticeAfterSeconds, noticeWebhook, noticeEmail }: Settings,
): { noticeAt?: Date } =>
  noticeWebhook || noticeEmail !== undefined ? { noticeAt: secondsAfter(requestedAt, noticeAfterSeconds) } : {};

/** The content of a notice beside the case. */
export interface NoticeContext {
  identityStatus: IdentityStatus;
  webhook: boolean;
  sealedMail?: string | undefined;
  sealedBusinessId?: string | undefined;
  url?: string | undefined;
}

/**
 * Notifies of a case that still waits, once: the mark that it is due is removed in the same write.
 * If there is nobody to notify any more, or the case has expired, only the mark is removed.
 */
export const reportWaiting = (
  { _id, state, noticeAt, evidenceId, type, requestedAt, expiresAt }: AdjudicationCase,
  context: NoticeContext | undefined,
  now: Date,
): AdjudicationChange | undefined => {
  if (state === 'DECIDED' || noticeAt === undefined || noticeAt > now) return undefined;
  const hasReader = context?.webhook || context?.sealedMail !== undefined;
  if (!context || !hasReader || expiresAt <= now) return { set: {}, unset: ['noticeAt'] };
  const { identityStatus, webhook, sealedMail, sealedBusinessId, url } = context;
  return {
    set: {},
    unset: ['noticeAt'],
    waiting: {
      caseId: _id,
      evidenceId,
      type: type as DataOf<typeof adjudicationWaiting>['type'],
      identityStatus,
      requestedAt,
      expiresAt: formatDateTime(expiresAt),
      webhook,
      ...present({ sealedMail, sealedBusinessId, url }),
    },
  };
};
