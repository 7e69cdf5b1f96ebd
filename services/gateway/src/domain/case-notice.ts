import { type adjudicationWaiting, type DataOf, formatDateTime, type IdentityStatus, present } from '@assay/contracts';
import type { AdjudicationCase, AdjudicationChange } from './adjudication.ts';
import { secondsAfter } from './identity.ts';
import type { EffectiveSettings } from './settings.ts';

type Settings = EffectiveSettings['adjudication'];

/** When a case that began then is reported to its tenant; never where no way was set. */
export const noticeTime = (
  requestedAt: Date,
  { noticeAfterSeconds, noticeWebhook, noticeEmail }: Settings,
): { noticeAt?: Date } =>
  noticeWebhook || noticeEmail !== undefined ? { noticeAt: secondsAfter(requestedAt, noticeAfterSeconds) } : {};

/** What a notice says beside the case itself. */
export interface NoticeContext {
  identityStatus: IdentityStatus;
  webhook: boolean;
  sealedMail?: string | undefined;
  sealedBusinessId?: string | undefined;
  url?: string | undefined;
}

/**
 * Reports a case that still waits, once: the mark that it is due goes with the announcement.
 * Without a context no one is left to notify, and beyond its time no one can decide it: the mark
 * goes alone.
 */
export const reportWaiting = (
  { _id, state, noticeAt, evidenceId, type, requestedAt, expiresAt }: AdjudicationCase,
  context: NoticeContext | undefined,
  now: Date,
): AdjudicationChange | undefined => {
  if (state === 'DECIDED' || noticeAt === undefined || noticeAt > now) return undefined;
  if (!context || expiresAt <= now) return { set: {}, unset: ['noticeAt'] };
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
