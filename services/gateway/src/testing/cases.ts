import { adjudicationRequested, type DataOf, formatDateTime } from '@assay/contracts';
import { newId } from '@assay/runtime';
import { waitFor } from '@assay/testing';
import type { Rig } from './rig.ts';

const HOUR_MS = 3600_000;

/** Requests a decision like the worker. Returns the case once it is in the operators' queue. */
export const requestCase = async (
  { bus, stores }: Rig,
  { tenantId, identityId }: { tenantId: string; identityId: string },
  more: Partial<DataOf<typeof adjudicationRequested>> = {},
) => {
  const at = new Date();
  const caseId = more.caseId ?? newId();
  await bus.publish({
    id: newId(),
    type: adjudicationRequested.type,
    at: at.toISOString(),
    tenantId,
    identityId,
    data: {
      caseId,
      evidenceId: newId(),
      type: 'PASSPORT',
      submitDateTime: formatDateTime(at),
      requestedAt: formatDateTime(at),
      expiresAt: formatDateTime(new Date(at.getTime() + HOUR_MS)),
      fourEyes: false,
      raisedIndicators: [],
      reasons: [],
      media: [],
      ...more,
    },
  });
  await waitFor('the case', () => stores.adjudications.find(tenantId, caseId));
  return { caseId, path: `/operator/v1/cases/${caseId}` };
};
