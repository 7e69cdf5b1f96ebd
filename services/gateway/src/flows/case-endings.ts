import type { adjudicationWithdrawn, CaseClosing, DataOf } from '@assay/contracts';
import type { Clock } from '@assay/runtime';
import type { AdjudicationCase, AdjudicationChange } from '../domain/adjudication-case.ts';
import {
  closeCase,
  endedBefore,
  expireCase,
  expiryRecorded,
  withdrawCase,
  withdrawnCase,
} from '../domain/case-endings.ts';
import type { Adjudications } from '../store/adjudications.ts';
import type { Identities } from '../store/identities.ts';
import type { AuditLog } from './audit.ts';

export interface Deps {
  adjudications: Adjudications;
  identities: Identities;
  auditLog: Pick<AuditLog, 'recordOfSuite'>;
  now: Clock;
}

/**
 * No operator decided in time. The case says that its line is still to be written: until then it is
 * due, also after a crash.
 */
const expiry =
  ({ adjudications, auditLog }: Deps) =>
  async ({ tenantId, _id }: Pick<AdjudicationCase, '_id' | 'tenantId'>, at: Date): Promise<void> => {
    await adjudications.change(_id, (adjudication) => expireCase(adjudication, at), { now: at });
    const ended = await adjudications.find(tenantId, _id);
    if (!ended?.expiryUnrecorded) return;
    const { identityId, evidenceId, decisions } = ended;
    await auditLog.recordOfSuite(tenantId, {
      act: 'case.expire',
      subject: { caseId: _id, identityId, evidenceId },
      details: { decisions: decisions.length },
      once: `case ${_id} expired`,
    });
    await adjudications.change(_id, expiryRecorded, { now: at });
  };

/** Cases that end though nobody decided: each leaves one line in the audit log that says why. */
export const createCaseEndings = (deps: Deps) => {
  const { adjudications, identities, auditLog, now } = deps;
  const end = async (
    { tenantId, caseId }: { tenantId: string; caseId: string },
    change: (adjudication: AdjudicationCase, at: Date) => AdjudicationChange | undefined,
  ): Promise<void> => {
    const at = now();
    await adjudications.change(caseId, (adjudication) => change(adjudication, at), { now: at });
    const ended = await adjudications.find(tenantId, caseId);
    if (!ended?.closedBecause) return;
    const { identityId, evidenceId, closedBecause: reason } = ended;
    const subject = { caseId, identityId, evidenceId };
    await auditLog.recordOfSuite(tenantId, {
      act: 'case.close',
      subject,
      details: { reason },
      once: `case ${caseId} closed`,
    });
  };

  /**
   * The identity is closed or has failed, or one evidence of it was deleted: its cases wait for no
   * operator and have no personal data from here on.
   */
  const forget = async (identityId: string, because: CaseClosing, evidenceId?: string): Promise<void> => {
    for (const found of await adjudications.ofIdentity(identityId, evidenceId))
      await end(found, (adjudication, at) => closeCase(adjudication, because, at));
  };

  return {
    forget,

    expire: expiry(deps),

    /** Ends the case of an evidence that was deleted, or whose identity ended, before it came. */
    forgetEnded: async (tenantId: string, identityId: string, evidenceId: string): Promise<void> => {
      const because = endedBefore(await identities.find(tenantId, identityId), evidenceId);
      if (because) await forget(identityId, because, evidenceId);
    },

    /** The evidence waits for no operator any more; known here even where its case comes later. */
    withdraw: async (
      identity: Pick<AdjudicationCase, 'tenantId' | 'identityId'>,
      withdrawal: DataOf<typeof adjudicationWithdrawn>,
    ): Promise<void> => {
      await adjudications.insert(withdrawnCase(identity, withdrawal));
      const { caseId, reason } = withdrawal;
      await end({ tenantId: identity.tenantId, caseId }, (adjudication, at) => withdrawCase(adjudication, reason, at));
    },
  };
};
