import type { adjudicationRequested, DataOf, Envelope } from '@assay/contracts';
import { parseDateTime } from '@assay/contracts';
import type { Adjudications } from '../store/adjudications.ts';

/** adjudication.requested: the case joins the operators' queue. A repeat finds it there. */
export const onAdjudicationRequested =
  (adjudications: Adjudications) =>
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
  };
