import type { Readable } from 'node:stream';
import type { adjudicationWithdrawn, CaseClosing, DataOf, DecisionValue } from '@assay/contracts';
import { ApiError } from '@assay/http';
import { type Clock, createApart, type Log } from '@assay/runtime';
import { noticeKeyOf, openJson, sealingContext, sealJson } from '@assay/sealing';
import type { EvidenceIntake } from '../clients/evidence-intake.ts';
import {
  type AdjudicationCase,
  type AdjudicationChange,
  claim,
  closeCase,
  decide,
  endedBefore,
  expireCase,
  withdrawCase,
  withdrawnCase,
} from '../domain/adjudication.ts';
import { beginOfDays, caseDays, operatorDays, reasonDays } from '../domain/case-days.ts';
import { refusalOfKey } from '../domain/person.ts';
import { effectiveSettings } from '../domain/settings.ts';
import { resume } from '../domain/transaction.ts';
import type { Adjudications } from '../store/adjudications.ts';
import type { Identities } from '../store/identities.ts';
import type { IdentityKeys } from '../store/identity-keys.ts';
import type { Tenants } from '../store/tenants.ts';
import type { AuditLog } from './audit.ts';
import { showQueues } from './outcome-metrics.ts';
import { accepted } from './refusal.ts';

const BATCH = 50;
const DAYS_SHOWN = 30;
/** The figures of the queues are for people: they need not be newer. */
const SHOWN_EVERY_MS = 15_000;

export interface Deps {
  adjudications: Adjudications;
  identities: Identities;
  keys: IdentityKeys;
  tenants: Tenants;
  intake: EvidenceIntake;
  auditLog: Pick<AuditLog, 'recordOfSuite'>;
  now: Clock;
  log: Log;
}

const idOf = ({ _id }: Pick<AdjudicationCase, '_id'>): string => _id;

export interface DecisionRequest {
  decision: DecisionValue;
  reasons: string[];
  comment?: string;
}

/**
 * Finding a case with what was read. Personal data is opened for one answer and stored nowhere;
 * another tenant's case is as unknown as none.
 */
const caseReader = ({ adjudications, identities, keys }: Deps) => {
  const find = async (tenantId: string, caseId: string): Promise<AdjudicationCase> => {
    const found = await adjudications.find(tenantId, caseId);
    if (!found) throw new ApiError('NOT_FOUND');
    return found;
  };
  /**
   * The case with the fields that were read and the operators' comments; closed identities have
   * none left.
   */
  const view = async (tenantId: string, caseId: string) => {
    const found = await find(tenantId, caseId);
    const dataKey = await keys.find(found.identityId);
    const context = sealingContext(tenantId, found.identityId, 'fields');
    const fields =
      dataKey && found.sealedFields ? openJson<Record<string, unknown>>(dataKey, context, found.sealedFields) : {};
    const comments = found.decisions.map(({ sealedComment }) =>
      dataKey && sealedComment
        ? openJson<string>(dataKey, sealingContext(tenantId, found.identityId, 'comment'), sealedComment)
        : undefined,
    );
    const { sealedBusinessId } = (await identities.find(tenantId, found.identityId)) ?? {};
    const businessId =
      dataKey && sealedBusinessId
        ? openJson<string>(
            noticeKeyOf(dataKey),
            sealingContext(tenantId, found.identityId, 'business-id'),
            sealedBusinessId,
          )
        : undefined;
    return { found, fields, comments, businessId };
  };
  return { find, view };
};

/** Claiming and deciding a case. */
const operatorActs = (deps: Deps, { find, view }: ReturnType<typeof caseReader>) => {
  const { adjudications, identities, keys, tenants, now } = deps;

  /** An operator's answer resumes a paused transaction (specification, Identity status). */
  const resumeIfPaused = async ({ tenantId, identityId }: AdjudicationCase): Promise<void> => {
    const { transactionLifetimeSeconds } = effectiveSettings((await tenants.find(tenantId))?.settings ?? {});
    const at = now();
    const result = await identities.change(
      identityId,
      (identity) => (identity.state === 'PAUSED' ? resume(identity, transactionLifetimeSeconds, at) : undefined),
      { now: at },
    );
    accepted(result);
  };

  const refusalOf = async (tenantId: string, operatorId: string) => {
    const { adjudication } = effectiveSettings((await tenants.find(tenantId))?.settings ?? {});
    return refusalOfKey(operatorId, adjudication.peopleOnly);
  };

  return {
    claim: async (tenantId: string, caseId: string, operatorId: string) => {
      await find(tenantId, caseId);
      const at = now();
      const refused = await refusalOf(tenantId, operatorId);
      const change = (adjudication: AdjudicationCase) => refused ?? claim(adjudication, operatorId, at);
      accepted(await adjudications.change(caseId, change, { now: at }));
      return view(tenantId, caseId);
    },

    decide: async (tenantId: string, caseId: string, operatorId: string, request: DecisionRequest) => {
      const { comment, decision, reasons } = request;
      const adjudication = await find(tenantId, caseId);
      const { identityId } = adjudication;
      const dataKey = await keys.find(identityId);
      if (!dataKey) throw new ApiError('CLOSED');
      const context = sealingContext(tenantId, identityId, 'comment');
      const sealed = comment ? { sealedComment: sealJson(dataKey, context, comment) } : {};
      const at = now();
      const refused = await refusalOf(tenantId, operatorId);
      const result = await adjudications.change(
        caseId,
        (current) => refused ?? decide(current, { operatorId, decision, reasons, ...sealed }, at),
        { now: at },
      );
      accepted(result);
      await resumeIfPaused(adjudication);
      return view(tenantId, caseId);
    },
  };
};

/** Cases that end though nobody decided: each leaves one line in the audit log that says why. */
const caseEndings = ({ adjudications, identities, auditLog, now }: Deps) => {
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
    await auditLog.recordOfSuite(tenantId, 'case.close', subject, { reason }, `case ${caseId} closed`);
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

    /** No operator decided in time. The line comes first: after a crash the case is still due. */
    expire: async ({ tenantId, _id }: Pick<AdjudicationCase, '_id' | 'tenantId'>, at: Date): Promise<void> => {
      const due = await adjudications.find(tenantId, _id);
      if (!due || !expireCase(due, at)) return;
      const subject = { caseId: _id, identityId: due.identityId, evidenceId: due.evidenceId };
      const details = { decisions: due.decisions.length };
      await auditLog.recordOfSuite(tenantId, 'case.expire', subject, details, `case ${_id} expired`);
      await adjudications.change(_id, (adjudication) => expireCase(adjudication, at), { now: at });
    },

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

export type AdjudicationFlow = ReturnType<typeof createAdjudicationFlow>;

/** What operators do with cases. */
export const createAdjudicationFlow = (deps: Deps) => {
  const { adjudications, keys, intake, now, log } = deps;
  const apart = createApart({ sweeper: 'adjudications', log });
  const reader = caseReader(deps);
  const { expire, ...endings } = caseEndings(deps);
  let shownAt = 0;
  return {
    list: adjudications.list,
    figures: async (tenantId: string) => {
      const at = now();
      const [figures, cases] = await Promise.all([
        adjudications.figures(tenantId),
        adjudications.since(tenantId, beginOfDays(at, DAYS_SHOWN)),
      ]);
      return {
        ...figures,
        days: caseDays(cases, at, DAYS_SHOWN),
        reasons: reasonDays(cases, at, DAYS_SHOWN),
        operators: operatorDays(cases, at, DAYS_SHOWN),
      };
    },
    view: reader.view,
    ...operatorActs(deps, reader),
    ...endings,

    /** The bytes of an image that belongs to the case. */
    medium: async (tenantId: string, caseId: string, mediaId: string, requestId: string): Promise<Readable> => {
      const { identityId, media } = await reader.find(tenantId, caseId);
      if (!media.some((each) => each.mediaId === mediaId)) throw new ApiError('NOT_FOUND');
      const key = await keys.find(identityId);
      if (!key) throw new ApiError('CLOSED');
      return intake.read({ tenantId, identityId, requestId, role: 'OPERATOR', key }, mediaId);
    },

    /** Ends cases that no operator decided in time. */
    sweep: async (): Promise<'nothing' | undefined> => {
      const at = now();
      const due = await adjudications.expired(at, { limit: BATCH, except: apart.resting() });
      await apart.each(due, idOf, (one) => expire(one, at));
      if (at.getTime() - shownAt >= SHOWN_EVERY_MS) {
        shownAt = at.getTime();
        showQueues(await adjudications.waiting(), at);
      }
      return due.length === 0 ? 'nothing' : undefined;
    },
  };
};
