import type { adjudicationRequested, DataOf, Envelope } from '@assay/contracts';
import { parseDateTime } from '@assay/contracts';
import type { Clock } from '@assay/runtime';
import { withChips } from '../domain/adjudication.ts';
import type { AdjudicationFlow } from '../flows/adjudication.ts';
import type { Adjudications } from '../store/adjudications.ts';
import type { Identities } from '../store/identities.ts';

export interface Deps {
  adjudications: Adjudications;
  identities: Identities;
  adjudication: Pick<AdjudicationFlow, 'forget'>;
  now: Clock;
}

/**
 * adjudication.requested: the case joins the operators' queue. A repeat finds it there, and brings
 * chips that were read since. The identity is looked at behind the insertion: a deletion that is
 * written later finds the case.
 */
export const onAdjudicationRequested =
  ({ adjudications, identities, adjudication, now }: Deps) =>
  async ({ tenantId, identityId, data }: Envelope<DataOf<typeof adjudicationRequested>>): Promise<void> => {
    const { caseId, expiresAt, ...rest } = data;
    const isNew = await adjudications.insert({
      ...rest,
      _id: caseId,
      revision: 0,
      tenantId,
      identityId,
      expiresAt: parseDateTime(expiresAt),
      state: 'OPEN',
      decisions: [],
    });
    if (!isNew) await adjudications.change(caseId, (waiting) => withChips(waiting, data), { now: now() });
    const identity = await identities.find(tenantId, identityId);
    if (identity?.deletedEvidenceIds.includes(rest.evidenceId)) await adjudication.forget(identityId, rest.evidenceId);
  };
