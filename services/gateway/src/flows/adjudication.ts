import type { Readable } from 'node:stream';
import type { DecisionValue } from '@assay/contracts';
import { ApiError } from '@assay/http';
import { createApart, type Log } from '@assay/runtime';
import { noticeKeyOf, openJson, sealingContext, sealJson } from '@assay/sealing';
import type { EvidenceIntake } from '../clients/evidence-intake.ts';
import { claim, decide, hasDecided } from '../domain/adjudication.ts';
import type { AdjudicationCase } from '../domain/adjudication-case.ts';
import { beginOfDays, caseDays, operatorDays, reasonDays } from '../domain/case-days.ts';
import { effectiveSettings } from '../domain/settings.ts';
import { resume } from '../domain/transaction.ts';
import type { IdentityKeys } from '../store/identity-keys.ts';
import type { Tenants } from '../store/tenants.ts';
import { createCaseEndings, type Deps as EndingDeps } from './case-endings.ts';
import { showQueues } from './outcome-metrics.ts';
import { accepted } from './refusal.ts';

const BATCH = 50;
const DAYS_SHOWN = 30;
/** The figures of the queues are for people: they need not be newer. */
const SHOWN_EVERY_MS = 15_000;

export interface Deps extends EndingDeps {
  keys: IdentityKeys;
  tenants: Tenants;
  intake: EvidenceIntake;
  log: Log;
}

const idOf = ({ _id }: Pick<AdjudicationCase, '_id'>): string => _id;

export interface DecisionRequest {
  decision: DecisionValue;
  reasons: string[];
  comment?: string;
  /** An earlier request under the same Idempotency-Key may have had its effect. */
  isRepeated: boolean;
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

  const arePeopleOnly = async (tenantId: string): Promise<boolean> =>
    effectiveSettings((await tenants.find(tenantId))?.settings ?? {}).adjudication.peopleOnly;

  return {
    claim: async (tenantId: string, caseId: string, operatorId: string) => {
      await find(tenantId, caseId);
      const at = now();
      const peopleOnly = await arePeopleOnly(tenantId);
      const change = (adjudication: AdjudicationCase) => claim(adjudication, operatorId, at, peopleOnly);
      accepted(await adjudications.change(caseId, change, { now: at }));
      return view(tenantId, caseId);
    },

    decide: async (tenantId: string, caseId: string, operatorId: string, request: DecisionRequest) => {
      const { comment, decision, reasons } = request;
      const adjudication = await find(tenantId, caseId);
      const { identityId } = adjudication;
      if (request.isRepeated && hasDecided(adjudication, { operatorId, decision, reasons }))
        return view(tenantId, caseId);
      const dataKey = await keys.find(identityId);
      if (!dataKey) throw new ApiError('CLOSED');
      const context = sealingContext(tenantId, identityId, 'comment');
      const sealed = comment ? { sealedComment: sealJson(dataKey, context, comment) } : {};
      const at = now();
      const peopleOnly = await arePeopleOnly(tenantId);
      const decided = (current: AdjudicationCase) =>
        decide(current, { operatorId, decision, reasons, ...sealed, peopleOnly }, at);
      accepted(decided(adjudication));
      // Resumed first: after a crash in between, the operator can repeat what is not stored.
      await resumeIfPaused(adjudication);
      accepted(await adjudications.change(caseId, decided, { now: at }));
      return view(tenantId, caseId);
    },
  };
};

export type AdjudicationFlow = ReturnType<typeof createAdjudicationFlow>;

/** What operators do with cases. */
export const createAdjudicationFlow = (deps: Deps) => {
  const { adjudications, keys, intake, now, log } = deps;
  const apart = createApart({ sweeper: 'adjudications', log });
  const reader = caseReader(deps);
  const { expire, ...endings } = createCaseEndings(deps);
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
