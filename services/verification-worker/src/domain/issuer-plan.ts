import {
  type Consent,
  consentInForce,
  type EvidenceType,
  type Today,
  type VerificationSettings,
} from '@assay/contracts';
import type { EvidenceKind } from '@assay/policy';

/** The types that are sent to a source after a capture (specification, Issuing sources). */
const SENT_BY_IMAGE: readonly EvidenceType[] = ['IDENTITY_CARD', 'DRIVING_LICENSE'];

export interface IssuerQuestion {
  kind: EvidenceKind;
  type: EvidenceType;
  consents: readonly Consent[];
  settings: VerificationSettings;
  /** Enough of the document is known to ask. */
  askable: boolean;
  today: Today;
}

/**
 * Whether to ask the issuing source, or the indicators that say why not. There is no guess: without
 * an answer the verification is UNVERIFIED.
 */
export const planIssuerCheck = (question: IssuerQuestion): { ask: true } | { ask: false; raised: string[] } => {
  const { kind, type, consents, settings, askable, today } = question;
  const without = (...why: string[]) => ({ ask: false as const, raised: [...why, 'GIV_VERIFICATION_UNVERIFIED'] });
  if (!consentInForce(consents, 'GIV', today)) return without();
  if (!settings.issuingSources.enabled) return without('GIV_AVAILABILITY_UNVERIFIED');
  if (kind === 'documentImage' && !SENT_BY_IMAGE.includes(type)) return without('GIV_ELIGIBILITY_FAILED');
  if (!askable) return without('GIV_ELIGIBILITY_UNVERIFIED');
  return { ask: true };
};
