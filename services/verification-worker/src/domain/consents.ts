import {
  type Consent,
  type ConsentFacts,
  type ConsentType,
  consentInForce,
  consentRefused,
  decisiveConsents,
  type Today,
} from '@assay/contracts';
import type { KindRules } from '@assay/policy';

export interface ConsentState {
  inForce: boolean;
  refused: boolean;
}

/**
 * The consent of one type for an evidence today. A consent that was given and deleted counts as
 * refused.
 */
export const consentState = (
  snapshot: readonly Consent[],
  facts: ConsentFacts,
  type: ConsentType,
  today: Today,
): ConsentState => {
  const list = decisiveConsents(snapshot, facts, type);
  const inForce = consentInForce(list, type, today);
  const given = snapshot.findLast((consent) => consent.type === type);
  const withdrawn = given?.approved === true && facts.deleted.includes(given.consentId) && !inForce;
  return { inForce, refused: withdrawn || consentRefused(list, type, today) };
};

/**
 * Whether a selfie may be compared with other faces today, which is the purpose of the consent
 * PORTRAIT. After a withdrawal no face is compared, and earlier comparisons are set aside.
 */
export const mayBeCompared = (
  { consents }: { consents: readonly Consent[] },
  facts: ConsentFacts,
  today: Today,
): boolean => consentState(consents, facts, 'PORTRAIT', today).inForce;

/** Whether the consent that the policy asks for is there. */
export const consentSuffices = (rules: KindRules, state: ConsentState | undefined): boolean => {
  if (!rules.consent || !state) return true;
  return rules.consent.need === 'REQUIRED' ? state.inForce : !state.refused;
};
