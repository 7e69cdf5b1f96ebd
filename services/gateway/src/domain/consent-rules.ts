import {
  type Consent,
  type ConsentType,
  consentInForce,
  consentRefused,
  type IdentityOperationName,
  type Today,
  todayAt,
} from '@assay/contracts';
import { type Refusal, refuse } from './change.ts';

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
