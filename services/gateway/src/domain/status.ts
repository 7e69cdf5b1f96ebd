import { type IdentityStatus, isTransient, parseDateTime } from '@assay/contracts';
import type { Identity } from './identity.ts';

/** True while an evidence is being verified, or a submission arrives. */
export const isBusy = ({ evidences, reservations }: Pick<Identity, 'evidences' | 'reservations'>): boolean =>
  reservations.length > 0 || evidences.some(({ status }) => isTransient(status));

/**
 * The revisions that the next evaluation must include after a deletion or a change of consents;
 * none if nothing was submitted, because then there is nothing to evaluate. A submission that
 * arrives counts: it is evaluated under the consents that it began with.
 */
export const awaiting = (
  { evidences, reservations, evaluated }: Pick<Identity, 'evidences' | 'reservations' | 'evaluated'>,
  { deletedEvidenceIds, consentsRevision }: Pick<Identity, 'deletedEvidenceIds' | 'consentsRevision'>,
): Pick<Identity, 'awaited'> =>
  evidences.length > 0 || reservations.length > 0 || evaluated
    ? { awaited: { deletions: deletedEvidenceIds.length, consentsRevision } }
    : {};

/**
 * True while the stored level of assurance is out of date: after a deletion or a change of
 * consents, or because a consent ended or a document expired since.
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
