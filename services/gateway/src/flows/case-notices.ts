import { parseDateTime } from '@assay/contracts';
import { type Clock, createApart, type Log } from '@assay/runtime';
import { noticeKeyOf, sealingContext, sealJson } from '@assay/sealing';
import { type NoticeContext, noticeTime, reportWaiting } from '../domain/case-notice.ts';
import { effectiveSettings } from '../domain/settings.ts';
import { identityStatusOf } from '../domain/status.ts';
import type { Adjudications } from '../store/adjudications.ts';
import type { Identities } from '../store/identities.ts';
import type { IdentityKeys } from '../store/identity-keys.ts';
import type { Tenants } from '../store/tenants.ts';

const BATCH = 50;

export interface Deps {
  adjudications: Adjudications;
  identities: Identities;
  keys: IdentityKeys;
  tenants: Tenants;
  /** The address of the console, as operators know it. */
  publicUrl?: string | undefined;
  now: Clock;
  log: Log;
}

export type CaseNotices = ReturnType<typeof createCaseNotices>;

/** Tells tenants of cases that wait for operators for too long, once for each case. */
export const createCaseNotices = ({ adjudications, identities, keys, tenants, publicUrl, now, log }: Deps) => {
  const apart = createApart({ sweeper: 'case notices', log });
  const settingsOf = async (tenantId: string) =>
    effectiveSettings((await tenants.find(tenantId))?.settings ?? {}).adjudication;

  /** What to say and by which ways, by the settings of now; undefined of an identity that ended. */
  const contextOf = async (
    tenantId: string,
    identityId: string,
    caseId: string,
  ): Promise<NoticeContext | undefined> => {
    const [identity, key, settings] = await Promise.all([
      identities.find(tenantId, identityId),
      keys.find(identityId),
      settingsOf(tenantId),
    ]);
    if (!identity || !key) return undefined;
    const { noticeWebhook: webhook, noticeEmail } = settings;
    const context = sealingContext(tenantId, identityId, 'message');
    return {
      identityStatus: identityStatusOf(identity),
      webhook,
      sealedMail: noticeEmail === undefined ? undefined : sealJson(noticeKeyOf(key), context, noticeEmail),
      sealedBusinessId: identity.sealedBusinessId,
      url: publicUrl && `${publicUrl}/console/#/cases/${caseId}`,
    };
  };

  return {
    /** When a case that begins is to be reported. */
    timeFor: async (tenantId: string, requestedAt: string) =>
      noticeTime(parseDateTime(requestedAt), await settingsOf(tenantId)),

    /** Reports the cases whose time has come. */
    sweep: async (): Promise<'nothing' | undefined> => {
      const at = now();
      const due = await adjudications.toReport(at, { limit: BATCH, except: apart.resting() });
      await apart.each(
        due,
        ({ _id }) => _id,
        async ({ _id, tenantId, identityId }) => {
          const context = await contextOf(tenantId, identityId, _id);
          await adjudications.change(_id, (waiting) => reportWaiting(waiting, context, at), { now: at });
        },
      );
      return due.length === 0 ? 'nothing' : undefined;
    },
  };
};
