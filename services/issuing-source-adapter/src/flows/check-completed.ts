import {
  type Envelope,
  formatDateTime,
  issuingCheckCompleted,
  present,
  type VerificationService,
} from '@assay/contracts';
import { outboxEntry } from '@assay/mongo';
import type { CheckResult } from '../domain/check-result.ts';
import type { Check } from '../store/check.ts';

export interface CheckCompletion {
  outcome: CheckResult;
  source?: string | undefined;
  services: VerificationService[];
  at: Date;
  late?: boolean;
}

/** The event that tells a check's end. */
export const checkCompletedEvent = (
  check: Pick<Check, '_id' | 'tenantId' | 'identityId' | 'evidenceId' | 'startedAt'>,
  { outcome, source, services, at, late }: CheckCompletion,
): Envelope<unknown> =>
  outboxEntry(issuingCheckCompleted, {
    tenantId: check.tenantId,
    identityId: check.identityId,
    at,
    data: {
      checkId: check._id,
      evidenceId: check.evidenceId,
      result: outcome.result,
      raisedIndicators: outcome.raised,
      ...(outcome.asked ? { askedFields: [...outcome.asked] } : {}),
      ...(outcome.partly ? { partlyFields: [...outcome.partly] } : {}),
      ...present({ source }),
      startDateTime: formatDateTime(check.startedAt),
      endDateTime: formatDateTime(at),
      services,
      ...(late ? { late } : {}),
    },
  });
