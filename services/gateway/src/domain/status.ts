import { type EvidenceStatusValue, type IdentityStatus, TRANSIENT_STATUSES } from '@assay/contracts';
import type { Identity } from './identity.ts';

export const isTransient = (status: EvidenceStatusValue): boolean =>
  (TRANSIENT_STATUSES as readonly string[]).includes(status);

/** True while work on some evidence is under way, or a submission on its way in. */
export const isBusy = ({ evidences, reservations }: Pick<Identity, 'evidences' | 'reservations'>): boolean =>
  reservations.length > 0 || evidences.some(({ status }) => isTransient(status));

/** The identity's status (decisions, Identity status): PROCESSING while any evidence is PROCESSING or ADJUDICATION, else EXPECTING_INPUT. */
export const identityStatusOf = (identity: Identity): IdentityStatus => {
  if (identity.state === 'PAUSED' || identity.state === 'ERROR') return identity.state;
  if (identity.closing?.reason === 'TIMEOUT') return 'TIMEOUT';
  if (identity.closing?.reason === 'ERROR') return 'ERROR';
  return isBusy(identity) ? 'PROCESSING' : 'EXPECTING_INPUT';
};
