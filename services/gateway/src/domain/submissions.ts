import {
  type Consent,
  type ConsentType,
  consentInForce,
  consentRefused,
  type EvidenceType,
  evidenceDeleted,
  FAMILY_OF_TYPE,
  formatDateTime,
  type IdentityOperationName,
  present,
  type Today,
  todayAt,
} from '@assay/contracts';
import { armedFor, armedWithout, rearmed, takenLate } from './armed.ts';
import { type ChangeResult, type IdentityChange, newEvent, type Refusal, refuse } from './change.ts';
import { BOUNDS, type Evidence, type Identity, secondsAfter } from './identity.ts';
import { awaiting } from './status.ts';
import { restartedClock, whyNotAddable, whyNotWritable } from './transaction.ts';

/**
 * The consents a submission needs: `inForce` must have been given, `notRefused` must not have been
 * denied (specification, Consents).
 */
export interface ConsentRule {
  inForce?: ConsentType;
  notRefused?: readonly ConsentType[];
}

/**
 * The consents each submission needs. Images without GIV are processed: the issuing source is then
 * not asked.
 */
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

/** 403/3001 when a consent that the submission needs is missing or withdrawn, else undefined. */
export const consentMissing = (
  consents: readonly Consent[],
  name: ConsentRuleName,
  today: Today,
): Refusal | undefined => {
  const rule: ConsentRule = CONSENT_RULES[name];
  const refused = rule.notRefused?.find((type) => consentRefused(consents, type, today));
  if (refused) return refuse('CONSENT_MISSING', undefined, `the consent ${refused} was refused`);
  const missing = rule.inForce !== undefined && !consentInForce(consents, rule.inForce, today);
  return missing ? refuse('CONSENT_MISSING', undefined, `the consent ${rule.inForce} is not in force`) : undefined;
};

const CONSENT_OF_SESSION: Partial<Record<IdentityOperationName, ConsentRuleName>> = {
  LIVENESS_VIDEO: 'PORTRAIT',
  ID_DOCUMENT_LIVE_CAPTURE: 'DOCUMENT_CAPTURE',
  EVIDENCE_NFC_VERIFICATION: 'DOCUMENT_CAPTURE',
};

/** Why a session accepts nothing more: the consent it began with was withdrawn since. */
export const sessionConsentMissing = (
  consents: readonly Consent[],
  operation: IdentityOperationName,
  now: Date,
): Refusal | undefined => consentMissing(consents, CONSENT_OF_SESSION[operation] ?? 'NONE', todayAt(now));

export interface Submission {
  evidenceId: string;
  type: EvidenceType;
  operation: IdentityOperationName;
  consent: ConsentRuleName;
}

/**
 * Reserves a place for a submission before its bytes go to evidence-intake: from now on the
 * identity is PROCESSING.
 */
export const reserve = (identity: Identity, submission: Submission, now: Date): ChangeResult => {
  const refused = whyNotAddable(identity);
  if (refused) return refuse(refused);
  const missing = consentMissing(identity.consents, submission.consent, todayAt(now));
  if (missing) return missing;
  if (identity.evidences.length + identity.reservations.length >= BOUNDS.evidences) return refuse('STATE_CONFLICT');
  const { evidenceId, type, operation } = submission;
  const others = without(identity.reservations, evidenceId);
  if (others.length >= BOUNDS.reservations) return refuse('TOO_MANY_REQUESTS');
  const leaseUntil = secondsAfter(now, RESERVATION_LEASE_SECONDS);
  const before = identity.reservations.find((entry) => entry.evidenceId === evidenceId);
  const play = before ? before.play : armedFor(identity, operation);
  const reservation = { evidenceId, type, operation, at: now, leaseUntil, ...present({ play }) };
  const armed = before ? {} : armedWithout(identity, operation);
  return { set: { reservations: [...others, reservation], ...armed }, events: [] };
};

/** Documents whose result is awaited; not those that wait for an operator. */
export const documentsInWork = ({ evidences }: Pick<Identity, 'evidences'>): string[] =>
  evidences
    .filter(({ type, status }) => FAMILY_OF_TYPE[type] === 'IDDOCUMENT' && status === 'PROCESSING')
    .map(({ evidenceId }) => evidenceId);

/** How long a reservation is valid without being renewed. */
const RESERVATION_LEASE_SECONDS = 15;

/** The submission still runs: its reservation is renewed. */
export const renew = (identity: Identity, evidenceId: string, now: Date): IdentityChange | undefined =>
  identity.reservations.some((entry) => entry.evidenceId === evidenceId)
    ? {
        set: {
          reservations: identity.reservations.map((entry) =>
            entry.evidenceId === evidenceId
              ? { ...entry, leaseUntil: secondsAfter(now, RESERVATION_LEASE_SECONDS) }
              : entry,
          ),
        },
        events: [],
      }
    : undefined;

const without = <T extends { evidenceId: string }>(list: readonly T[], evidenceId: string): T[] =>
  list.filter((entry) => entry.evidenceId !== evidenceId);

/** The submission was refused: the reservation goes. */
export const release = (identity: Identity, evidenceId: string): IdentityChange | undefined => {
  const reservation = identity.reservations.find((entry) => entry.evidenceId === evidenceId);
  if (!reservation) return undefined;
  return {
    set: { reservations: without(identity.reservations, evidenceId), ...rearmed(identity, reservation) },
    events: [],
  };
};

/** What evidence-intake stored. */
export interface StoredSubmission {
  evidenceId: string;
  type: EvidenceType;
  operation: IdentityOperationName;
  submitDateTime: string;
  sessionId?: string;
  /** Media that came with it; a live capture session begins without. */
  media?: readonly unknown[];
}

const hasMedia = ({ media }: StoredSubmission): boolean => media !== undefined && media.length > 0;

/**
 * Additional files are stored, not verified: no result is expected. Everything else is PROCESSING
 * until it is evaluated.
 */
export const firstStatus = (operation: IdentityOperationName): 'NOT_VERIFIED' | 'PROCESSING' =>
  operation === 'ADDITIONAL_FILE' ? 'NOT_VERIFIED' : 'PROCESSING';

const evidenceFrom = (stored: StoredSubmission): Evidence => ({
  evidenceId: stored.evidenceId,
  type: stored.type,
  operation: stored.operation,
  submitDateTime: stored.submitDateTime,
  ...(stored.sessionId === undefined ? {} : { sessionId: stored.sessionId, captured: hasMedia(stored) }),
  status: firstStatus(stored.operation),
  evidenceRevision: 0,
  publishedRevisions: [],
});

/** Kinds of which an identity has only one: a new one replaces the former. */
const SINGLE: readonly string[] = ['PORTRAIT', 'PORTRAIT_REFERENCE'];

/**
 * The former evidence that this one replaces. A live capture session replaces nothing while it has
 * no frames, and is not replaced while it is open.
 */
const replacedBy = (identity: Identity, stored: StoredSubmission): Evidence[] =>
  !SINGLE.includes(stored.type) || (stored.sessionId !== undefined && !hasMedia(stored))
    ? []
    : identity.evidences.filter(
        ({ type, evidenceId, captured, status }) =>
          type === stored.type && evidenceId !== stored.evidenceId && !(captured === false && status === 'PROCESSING'),
      );

const replacement =
  (stored: StoredSubmission, now: Date) =>
  ({ evidenceId, type, operation }: Evidence) =>
    newEvent(evidenceDeleted, {
      evidenceId,
      type,
      operation,
      reason: 'REPLACED',
      deletedAt: formatDateTime(now),
      replacedBy: stored.evidenceId,
    });

/**
 * An evidence that is there already stays as it is, with the right time of submission; a session
 * that has ended has frames.
 */
const corrected = (known: Evidence, stored: StoredSubmission): Evidence => {
  const captured = known.captured === false && hasMedia(stored);
  const submitDateTime = stored.submitDateTime;
  return captured || known.submitDateTime !== submitDateTime
    ? { ...known, submitDateTime, ...(captured ? { captured } : {}) }
    : known;
};

/**
 * Adds the stored evidence to the read model, removes its reservation and a former portrait
 * (endpoint 6: no DELETED notification). If the event arrived before the answer, the evidence is
 * there already.
 */
export const takeIn = (identity: Identity, stored: StoredSubmission, now: Date): IdentityChange | undefined => {
  if (identity.deletedEvidenceIds.includes(stored.evidenceId)) return undefined;
  const known = identity.evidences.find(({ evidenceId }) => evidenceId === stored.evidenceId);
  const reservation = identity.reservations.find(({ evidenceId }) => evidenceId === stored.evidenceId);
  const { play = reservation?.play, ...armed } = known ? {} : takenLate(identity, stored);
  const evidence = known ? corrected(known, stored) : { ...evidenceFrom(stored), ...present({ play }) };
  const reservations = without(identity.reservations, stored.evidenceId);
  const replaced = replacedBy(identity, stored);
  if (evidence === known && reservations.length === identity.reservations.length && replaced.length === 0)
    return undefined;
  const remaining = identity.evidences.filter((entry) => !replaced.includes(entry));
  const deletedEvidenceIds = [...identity.deletedEvidenceIds, ...replaced.map(({ evidenceId }) => evidenceId)];
  return {
    set: {
      ...armed,
      reservations,
      evidences: known ? remaining.map((entry) => (entry === known ? evidence : entry)) : [...remaining, evidence],
      deletedEvidenceIds,
      ...(replaced.length > 0 ? awaiting(identity, { ...identity, deletedEvidenceIds }) : {}),
    },
    events: replaced.map(replacement(stored, now)),
  };
};

/** The reserved submission is stored: adds it to the read model, and restarts the clock. */
export const commit = (
  identity: Identity,
  stored: StoredSubmission,
  lifetimeSeconds: number,
  now: Date,
): ChangeResult => {
  const refused = whyNotWritable(identity);
  if (refused) return refuse(refused);
  if (identity.deletedEvidenceIds.includes(stored.evidenceId)) return refuse('NOT_FOUND');
  const { set, unset, events } = takeIn(identity, stored, now) ?? { set: {}, events: [] };
  return { set: { ...set, ...restartedClock(lifetimeSeconds, now) }, ...present({ unset }), events };
};
