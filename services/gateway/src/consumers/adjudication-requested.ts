import type { adjudicationRequested, DataOf, Envelope } from '@assay/contracts';
import type { Clock } from '@assay/runtime';
import { withChips } from '../domain/adjudication.ts';
import { arrivedCase } from '../domain/adjudication-case.ts';
import type { AdjudicationFlow } from '../flows/adjudication.ts';
import type { CaseNotices } from '../flows/case-notices.ts';
import type { Adjudications } from '../store/adjudications.ts';

export interface Deps {
  adjudications: Adjudications;
  adjudication: Pick<AdjudicationFlow, 'forgetEnded'>;
  caseNotices: Pick<CaseNotices, 'timeFor'>;
  now: Clock;
}

/**
 * adjudication.requested: the case joins the operators' queue. A repeat finds it there, and brings
 * chips that were read since. The identity is looked at behind the insertion: an end or a deletion
 * that is written later finds the case.
 */
export const onAdjudicationRequested =
  ({ adjudications, adjudication, caseNotices, now }: Deps) =>
  async ({ tenantId, identityId, data }: Envelope<DataOf<typeof adjudicationRequested>>): Promise<void> => {
    const { caseId, evidenceId, requestedAt } = data;
    const isNew = await adjudications.insert({
      ...arrivedCase({ tenantId, identityId }, data),
      state: 'OPEN',
      ...(await caseNotices.timeFor(tenantId, requestedAt)),
    });
    if (!isNew) await adjudications.change(caseId, (waiting) => withChips(waiting, data), { now: now() });
    await adjudication.forgetEnded(tenantId, identityId, evidenceId);
  };
