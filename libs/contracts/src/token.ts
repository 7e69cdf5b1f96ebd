import { hasBegun, isOver, type Today } from './dates.ts';
import type { Consent } from './shapes/consent.ts';
import type { VerificationSettings } from './shapes/settings.ts';
import type { ConsentType, IdentityOperationName, KeyRole } from './vocabulary.ts';

/**
 * What the gateway grants an internal call: who asks, for which identity, with which key, consents
 * and settings in force.
 */
export interface InternalClaims {
  /** The service that signed the token. */
  service: string;
  tenantId: string;
  identityId: string;
  role?: KeyRole;
  requestId: string;
  /** The identity's data key. A token carries it wrapped for its audience alone (libs/http). */
  key?: Buffer;
  /**
   * Set on submissions: the id the evidence will have, chosen by the gateway, and the operation it
   * stands for.
   */
  evidenceId?: string;
  operation?: IdentityOperationName;
  /** Set on submissions: the documents that are PROCESSING; a portrait waits for their results. */
  documentsInWork?: string[];
  /** Set on frames of a live capture session: the same batch again adds none. */
  batchId?: string;
  consents?: Consent[];
  settings?: VerificationSettings;
  limits?: { maxFileBytes: number };
  /**
   * Live capture sessions: how long they may stay open, and whether their video is kept
   * (settings.videosInProof).
   */
  sessionTimeoutSeconds?: number;
  keepVideo?: boolean;
  identityCreatedAt?: string;
}

/**
 * The newest record of a type decides: approved, begun somewhere on Earth and not over everywhere
 * (specification, Consents).
 */
export const consentInForce = (consents: readonly Consent[], type: ConsentType, today: Today): boolean => {
  const newest = consents.findLast((consent) => consent.type === type);
  if (!newest?.approved) return false;
  const { from, to } = newest.validityPeriod ?? {};
  return (from === undefined || hasBegun(from, today)) && (to === undefined || !isOver(to, today));
};

/**
 * True when the newest record of the type says no (or has ended); false when nothing was recorded.
 */
export const consentRefused = (consents: readonly Consent[], type: ConsentType, today: Today): boolean =>
  consents.some((consent) => consent.type === type) && !consentInForce(consents, type, today);
