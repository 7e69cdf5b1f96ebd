import type { Readable } from 'node:stream';
import { ApiError } from '@assay/http';
import type { Clock } from '@assay/runtime';
import { openJson, sealingContext, sealJson } from '@assay/sealing';
import type { EvidenceIntake } from '../clients/evidence-intake.ts';
import {
  type AdjudicationCase,
  claim,
  closeCase,
  decide,
  expireCase,
  type OperatorDecision,
} from '../domain/adjudication.ts';
import { effectiveSettings } from '../domain/settings.ts';
import { resume } from '../domain/transaction.ts';
import type { Adjudications } from '../store/adjudications.ts';
import type { Identities } from '../store/identities.ts';
import type { IdentityKeys } from '../store/identity-keys.ts';
import type { Tenants } from '../store/tenants.ts';

const BATCH = 50;

export interface AdjudicationParts {
  adjudications: Adjudications;
  identities: Identities;
  keys: IdentityKeys;
  tenants: Tenants;
  intake: EvidenceIntake;
  clock: Clock;
}

export interface Verdict {
  decision: OperatorDecision;
  reasons: string[];
  comment?: string;
}

export type AdjudicationFlow = ReturnType<typeof createAdjudicationFlow>;

/** What operators do with cases. Personal data is opened for one answer and kept nowhere; another tenant's case is as unknown as none. */
export const createAdjudicationFlow = ({
  adjudications,
  identities,
  keys,
  tenants,
  intake,
  clock,
}: AdjudicationParts) => {
  const find = async (tenantId: string, caseId: string): Promise<AdjudicationCase> => {
    const found = await adjudications.find(tenantId, caseId);
    if (!found) throw new ApiError('NOT_FOUND');
    return found;
  };
  const wrappedKey = async (identityId: string) => {
    const dataKey = await keys.find(identityId);
    return dataKey && (await keys.wrap(dataKey, identityId));
  };

  /** An operator's answer wakes a paused transaction (decisions, Identity status). */
  const wake = async (of: AdjudicationCase): Promise<void> => {
    const { transactionLifetimeSeconds } = effectiveSettings((await tenants.find(of.tenantId))?.settings ?? {});
    const now = clock();
    const key = await wrappedKey(of.identityId);
    await identities.change(
      of.identityId,
      (identity) => (identity.state === 'PAUSED' ? resume(identity, transactionLifetimeSeconds, now) : undefined),
      { now, key },
    );
  };

  /** The case with the fields that were read; closed identities have none left. */
  const view = async (tenantId: string, caseId: string) => {
    const found = await find(tenantId, caseId);
    const dataKey = await keys.find(found.identityId);
    const context = sealingContext(tenantId, found.identityId, 'fields');
    const fields =
      dataKey && found.sealedFields ? openJson<Record<string, unknown>>(dataKey, context, found.sealedFields) : {};
    return { found, fields };
  };

  return {
    list: adjudications.list,
    figures: adjudications.figures,
    view,

    claim: async (tenantId: string, caseId: string, operatorId: string) => {
      await find(tenantId, caseId);
      const now = clock();
      await adjudications.change(caseId, (of) => claim(of, operatorId, now), { now });
      return view(tenantId, caseId);
    },

    decide: async (tenantId: string, caseId: string, operatorId: string, { comment, ...verdict }: Verdict) => {
      const of = await find(tenantId, caseId);
      const dataKey = await keys.find(of.identityId);
      if (!dataKey) throw new ApiError('CLOSED');
      const sealedComment = comment
        ? sealJson(dataKey, sealingContext(tenantId, of.identityId, 'comment'), comment)
        : undefined;
      const now = clock();
      await adjudications.change(
        caseId,
        (current) => decide(current, { operatorId, ...verdict, ...(sealedComment ? { sealedComment } : {}) }, now),
        { now, key: await keys.wrap(dataKey, of.identityId) },
      );
      await wake(of);
      return view(tenantId, caseId);
    },

    /** The bytes of an image that belongs to the case. */
    medium: async (tenantId: string, caseId: string, mediaId: string, requestId: string): Promise<Readable> => {
      const { identityId, media } = await find(tenantId, caseId);
      if (!media.some((each) => each.mediaId === mediaId)) throw new ApiError('NOT_FOUND');
      const key = await wrappedKey(identityId);
      if (!key) throw new ApiError('CLOSED');
      return intake.read({ tenantId, identityId, requestId, role: 'OPERATOR', key }, mediaId);
    },

    /** Ends cases that nobody decided in time. */
    sweep: async (): Promise<void> => {
      const now = clock();
      for (const { _id, identityId } of await adjudications.expired(now, BATCH))
        await adjudications.change(_id, (of) => expireCase(of, now), { now, key: await wrappedKey(identityId) });
    },

    /** The identity is closed: its cases keep no personal data. */
    forget: async (identityId: string): Promise<void> => {
      const now = clock();
      for (const caseId of await adjudications.ofIdentity(identityId))
        await adjudications.change(caseId, (of) => closeCase(of, now), { now });
    },
  };
};
