import type { adjudicationRequested, DataOf, Envelope } from '@assay/contracts';
import { parseDateTime } from '@assay/contracts';
import type { AdjudicationFlow } from '../flows/adjudication.ts';
import type { Adjudications } from '../store/adjudications.ts';
import type { Identities } from '../store/identities.ts';

export interface Deps {
  adjudications: Adjudications;
  identities: Identities;
  adjudication: Pick<AdjudicationFlow, 'forget'>;
}

/**
 * adjudication.requested: the case joins the operators' queue. A repeat finds it there. The identity is looked at behind the insertion: a deletion that is written
 * later finds the case.
 */
export const onAdjudicationRequested =
  ({ adjudications, identities, adjudication }: Deps) =>
  async ({ tenantId, identityId, data }: Envelope<DataOf<typeof adjudicationRequested>>): Promise<void> => {
    const { caseId, expiresAt, ...rest } = data;
    await adjudications.insert({
      ...rest,
      _id: caseId,
      revision: 0,
      tenantId,
      identityId,
      expiresAt: parseDateTime(expiresAt),
      state: 'OPEN',
      decisions: [],
    });
    const identity = await identities.find(tenantId, identityId);
    if (identity?.deletedEvidenceIds.includes(rest.evidenceId)) await adjudication.forget(identityId, rest.evidenceId);
  };
