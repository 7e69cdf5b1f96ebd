import { formatDateTime, type IdentitySummary, type IdentitySummaryStatus, present } from '@assay/contracts';
import type { Identity } from './identity.ts';
import { isBusy } from './status.ts';

const isOver = ({ state }: Pick<Identity, 'state'>): boolean => state === 'CLOSING' || state === 'CLOSED';

/** The status of an identity, as lists show it. */
export const summaryStatusOf = (identity: Identity): IdentitySummaryStatus => {
  if (isOver(identity)) return 'CLOSED';
  if (identity.state === 'PAUSED' || identity.state === 'ERROR') return identity.state;
  return isBusy(identity) ? 'PROCESSING' : 'EXPECTING_INPUT';
};

/** What administrators see of an identity. */
export const summaryOf = (identity: Identity): IdentitySummary => ({
  identityId: identity._id,
  status: summaryStatusOf(identity),
  levelOfAssurance: identity.evaluated?.levelOfAssurance ?? 'LOA0',
  policy: identity.settings.policy.name,
  evidences: identity.evidences.map(({ evidenceId, type, status }) => ({ evidenceId, type, status })),
  createdAt: formatDateTime(identity.createdAt),
  expiresAt: formatDateTime(identity.expiresAt),
  ...present({
    closedAt: identity.closedAt && formatDateTime(identity.closedAt),
    reason: identity.closing?.reason,
  }),
});
