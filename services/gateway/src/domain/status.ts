import { type IdentityStatus, isTransient, parseDateTime } from '@assay/contracts';
import type { Identity } from './identity.ts';

/** True while work on some evidence is under way, or a submission on its way in. */
export const isBusy = ({ evidences, reservations }: Pick<Identity, 'evidences' | 'reservations'>): boolean =>
  reservations.length > 0 || evidences.some(({ status }) => isTransient(status));

/**
 * What the next evaluation has to rest on, once this was deleted or consented to: where nothing was
 * submitted, there is nothing to evaluate.
 */
export const awaiting = (
  { evidences, evaluated }: Pick<Identity, 'evidences' | 'evaluated'>,
  { deletedEvidenceIds, consentsRevision }: Pick<Identity, 'deletedEvidenceIds' | 'consentsRevision'>,
): Pick<Identity, 'awaited'> =>
  evidences.length > 0 || evaluated ? { awaited: { deletions: deletedEvidenceIds.length, consentsRevision } } : {};

/**
 * True while the level of assurance, and what depends on it, is that of before a deletion or a
 * change of consents, or of a day that is over: a consent ended, or a document expired.
 */
export const isStale = ({ awaited, evaluated }: Pick<Identity, 'awaited' | 'evaluated'>, now: Date): boolean =>
  evaluated !== undefined &&
  (awaited !== undefined || (evaluated.lapsesAt !== undefined && parseDateTime(evaluated.lapsesAt) <= now));

/**
 * The identity's status (specification, Identity status): PROCESSING while any evidence is
 * PROCESSING or ADJUDICATION, else EXPECTING_INPUT.
 */
export const identityStatusOf = (identity: Identity): IdentityStatus => {
  if (identity.state === 'PAUSED' || identity.state === 'ERROR') return identity.state;
  if (identity.closing?.reason === 'TIMEOUT') return 'TIMEOUT';
  if (identity.closing?.reason === 'ERROR') return 'ERROR';
  return isBusy(identity) ? 'PROCESSING' : 'EXPECTING_INPUT';
};
