import {
  type Envelope,
  formatDateTime,
  issuingCheckCompleted,
  type VerificationService,
  type WrappedKey,
} from '@assay/contracts';
import { outboxEntry } from '@assay/mongo';
import type { Outcome } from './domain/outcome.ts';
import type { Check } from './store/check.ts';

export interface Announcement {
  outcome: Outcome;
  source?: string | undefined;
  services: VerificationService[];
  at: Date;
  /** The identity's key, wrapped: the reader marks what the issuer confirmed, and that is kept sealed. */
  key: WrappedKey | undefined;
  late?: boolean;
}

/** The event that tells a check's end. */
export const completed = (
  check: Pick<Check, '_id' | 'tenantId' | 'identityId' | 'evidenceId' | 'startedAt'>,
  { outcome, source, services, at, key, late }: Announcement,
): Envelope<unknown> =>
  outboxEntry(issuingCheckCompleted, {
    tenantId: check.tenantId,
    identityId: check.identityId,
    at,
    key,
    data: {
      checkId: check._id,
      evidenceId: check.evidenceId,
      result: outcome.result,
      raisedIndicators: outcome.raised,
      ...(source === undefined ? {} : { source }),
      startDateTime: formatDateTime(check.startedAt),
      endDateTime: formatDateTime(at),
      services,
      ...(late ? { late } : {}),
    },
  });
