import {
  type Consent,
  type ConsentType,
  consentInForce,
  consentRefused,
  type EvidenceType,
  evidenceDeleted,
  formatDateTime,
  type IdentityOperationName,
} from '@assay/contracts';
import { type Change, type Decision, fact, type Refusal, refuse } from './change.ts';
import { BOUNDS, type Evidence, type Identity, secondsAfter } from './identity.ts';
import { restartedClock, whyNotWritable } from './transaction.ts';

/** What a submission needs of the consents: `inForce` must have been given, `notRefused` must not have been denied (decisions, Consents). */
export interface ConsentRule {
  inForce?: ConsentType;
  notRefused?: readonly ConsentType[];
}

/** The consents each submission needs. Images without GIV are processed: the issuing source is then not asked. */
export const CONSENT_RULES = {
  DOCUMENT_CAPTURE: { notRefused: ['ID_DOCUMENT'] },
  DOCUMENT_TEXT: { inForce: 'GIV', notRefused: ['ID_DOCUMENT'] },
  VISA_TEXT: { inForce: 'GIV', notRefused: ['ID_DOCUMENT', 'VISA'] },
  HEALTH_CARD: { inForce: 'GIV', notRefused: ['ID_DOCUMENT'] },
  PORTRAIT: { inForce: 'PORTRAIT' },
  ATTRIBUTES: { notRefused: ['ATTRIBUTES'] },
  ADDRESS: { notRefused: ['ADDRESS'] },
  EMAIL: { inForce: 'EMAIL_OTP', notRefused: ['EMAIL'] },
  MOBILE: { inForce: 'MOBILE_OTP', notRefused: ['MOBILE'] },
  NONE: {},
} as const satisfies Record<string, ConsentRule>;
export type ConsentRuleName = keyof typeof CONSENT_RULES;

/** 403/3001 when a consent the submission needs is missing or was withdrawn; undefined when all is well. */
export const consentMissing = (
  consents: readonly Consent[],
  name: ConsentRuleName,
  today: string,
): Refusal | undefined => {
  const rule: ConsentRule = CONSENT_RULES[name];
  const missing = rule.inForce !== undefined && !consentInForce(consents, rule.inForce, today);
  const refused = rule.notRefused?.some((type) => consentRefused(consents, type, today));
  return missing || refused ? refuse('CONSENT_MISSING') : undefined;
};

export interface Submission {
  evidenceId: string;
  type: EvidenceType;
  operation: IdentityOperationName;
  consent: ConsentRuleName;
}

/** Makes room for a submission before its bytes go to evidence-intake: the identity is PROCESSING from here on. */
export const reserve = (identity: Identity, submission: Submission, now: Date): Decision => {
  const refused = whyNotWritable(identity);
  if (refused) return refuse(refused);
  const missing = consentMissing(identity.consents, submission.consent, now.toISOString().slice(0, 10));
  if (missing) return missing;
  if (identity.evidences.length + identity.reservations.length >= BOUNDS.evidences) return refuse('STATE_CONFLICT');
  if (identity.operationIds.length >= BOUNDS.operations) return refuse('STATE_CONFLICT');
  const { evidenceId, type, operation } = submission;
  const others = without(identity.reservations, evidenceId);
  const leaseUntil = secondsAfter(now, RESERVATION_LEASE_SECONDS);
  return { set: { reservations: [...others, { evidenceId, type, operation, at: now, leaseUntil }] }, facts: [] };
};

/** How long a reservation holds without being renewed. */
export const RESERVATION_LEASE_SECONDS = 15;

/** The submission is still on its way. */
export const renew = (identity: Identity, evidenceId: string, now: Date): Change | undefined =>
  identity.reservations.some((entry) => entry.evidenceId === evidenceId)
    ? {
        set: {
          reservations: identity.reservations.map((entry) =>
            entry.evidenceId === evidenceId
              ? { ...entry, leaseUntil: secondsAfter(now, RESERVATION_LEASE_SECONDS) }
              : entry,
          ),
        },
        facts: [],
      }
    : undefined;

const without = <T extends { evidenceId: string }>(list: readonly T[], evidenceId: string): T[] =>
  list.filter((entry) => entry.evidenceId !== evidenceId);

/** The submission was refused: the reservation goes. */
export const release = (identity: Identity, evidenceId: string): Change | undefined =>
  identity.reservations.some((entry) => entry.evidenceId === evidenceId)
    ? { set: { reservations: without(identity.reservations, evidenceId) }, facts: [] }
    : undefined;

/** What evidence-intake stored. */
export interface Stored {
  evidenceId: string;
  type: EvidenceType;
  operation: IdentityOperationName;
  submitDateTime: string;
  sessionId?: string;
}

const processing = (stored: Stored): Evidence => ({
  evidenceId: stored.evidenceId,
  type: stored.type,
  operation: stored.operation,
  submitDateTime: stored.submitDateTime,
  ...(stored.sessionId === undefined ? {} : { sessionId: stored.sessionId }),
  status: 'PROCESSING',
  evidenceRevision: 0,
  publishedRevisions: [],
});

/** Evidence that comes in place of the former of its kind: an identity has one portrait and one reference for it. */
const replaces =
  (stored: Stored) =>
  (former: Evidence): boolean =>
    former.type === stored.type &&
    (stored.type === 'PORTRAIT' || stored.type === 'PORTRAIT_REFERENCE') &&
    former.evidenceId !== stored.evidenceId &&
    former.sessionId === undefined;

/**
 * The stored evidence enters the read model, its reservation goes, and a former portrait leaves with it (decisions, Uploads: no DELETED notification). When the
 * event was faster than the request, what is there is kept and only the time of submission put right.
 */
export const takeIn = (identity: Identity, stored: Stored, now: Date): Change | undefined => {
  if (identity.deletedEvidenceIds.includes(stored.evidenceId)) return undefined;
  const known = identity.evidences.find(({ evidenceId }) => evidenceId === stored.evidenceId);
  const reservations = without(identity.reservations, stored.evidenceId);
  if (known) {
    const right =
      known.submitDateTime === stored.submitDateTime && reservations.length === identity.reservations.length;
    const evidences = identity.evidences.map((entry) =>
      entry === known ? { ...entry, submitDateTime: stored.submitDateTime } : entry,
    );
    return right ? undefined : { set: { reservations, evidences }, facts: [] };
  }
  const replaced = stored.sessionId === undefined ? identity.evidences.filter(replaces(stored)) : [];
  return {
    set: {
      reservations,
      evidences: [...identity.evidences.filter((entry) => !replaced.includes(entry)), processing(stored)],
      deletedEvidenceIds: [...identity.deletedEvidenceIds, ...replaced.map(({ evidenceId }) => evidenceId)],
    },
    facts: replaced.map(({ evidenceId, type, operation }) =>
      fact(evidenceDeleted, {
        evidenceId,
        type,
        operation,
        reason: 'REPLACED',
        deletedAt: formatDateTime(now),
        replacedBy: stored.evidenceId,
      }),
    ),
  };
};

/** The submission that reserved has been stored: it enters the read model and the clock restarts. */
export const commit = (identity: Identity, stored: Stored, lifetimeSeconds: number, now: Date): Decision => {
  const refused = whyNotWritable(identity);
  if (refused) return refuse(refused);
  if (identity.deletedEvidenceIds.includes(stored.evidenceId)) return refuse('NOT_FOUND');
  const { set, unset, facts } = takeIn(identity, stored, now) ?? { set: {}, facts: [] };
  return { set: { ...set, ...restartedClock(lifetimeSeconds, now) }, ...(unset ? { unset } : {}), facts };
};
