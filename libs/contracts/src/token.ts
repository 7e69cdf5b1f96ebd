import { hasBegun, isPast, type Today } from './dates.ts';
import type { Consent } from './shapes/consent.ts';
import type { VerificationSettings } from './shapes/settings.ts';
import type { ConsentType, IdentityOperationName, KeyRole } from './vocabulary.ts';

/**
 * What the gateway allows an internal call: who asks, for which identity, with which key, consents
 * and settings in force.
 */
export interface InternalClaims {
  /** The service that signed the token. */
  service: string;
  tenantId: string;
  identityId: string;
  role?: KeyRole;
  requestId: string;
  /** The identity's data key. A token contains it wrapped for its audience only (libs/http). */
  key?: Buffer;
  /**
   * Set on submissions: the id that the gateway chose for the evidence, and the operation that it
   * belongs to.
   */
  evidenceId?: string;
  operation?: IdentityOperationName;
  /** Set on submissions: the documents that are PROCESSING. A portrait waits for their results. */
  documentsInWork?: string[];
  /** Set on frames of a live capture session: a batch that is sent again adds no frames. */
  batchId?: string;
  /** Set on a rotation of the signing key: one that is sent again makes no further key. */
  rotationId?: string;
  /**
   * Set on a change of a webhook: the later of two changes has the larger number. That of a new
   * tenant has 0.
   */
  changeNumber?: number;
  consents?: Consent[];
  settings?: VerificationSettings;
  limits?: { maxFileBytes: number };
  /**
   * Live capture sessions: how long they may stay open, and whether their video is stored
   * (settings.videosInProof).
   */
  sessionTimeoutSeconds?: number;
  keepVideo?: boolean;
  identityCreatedAt?: string;
}

/**
 * The newest record of a type decides: it is approved, has begun somewhere on Earth, and its last
 * day is not in the past (specification, Consents).
 */
export const consentInForce = (consents: readonly Consent[], type: ConsentType, today: Today): boolean => {
  const newest = consents.findLast((consent) => consent.type === type);
  if (!newest?.approved) return false;
  const { from, to } = newest.validityPeriod ?? {};
  return (from === undefined || hasBegun(from, today)) && (to === undefined || !isPast(to, today));
};

/** True if the newest record of the type refuses or has ended; false if nothing was recorded. */
export const consentRefused = (consents: readonly Consent[], type: ConsentType, today: Today): boolean =>
  consents.some((consent) => consent.type === type) && !consentInForce(consents, type, today);
