import { type Consent, type ConsentType, consentInForce, consentRefused, type Today } from '@assay/contracts';
import type { KindRules } from '@assay/policy';
import type { ConsentFacts } from './facts.ts';

/**
 * The consents that decide about an evidence: those last heard, unless they are older than the ones
 * it was submitted under (news of a consent and of the evidence travel apart). A consent that it
 * was submitted under and that the list does not know was not heard of yet, or was deleted.
 */
const decisive = (snapshot: readonly Consent[], facts: ConsentFacts, type: ConsentType): readonly Consent[] => {
  const given = snapshot.findLast((consent) => consent.type === type);
  if (!given) return facts.known;
  const heard =
    facts.known.some(({ consentId }) => consentId === given.consentId) || facts.deleted.includes(given.consentId);
  return heard ? facts.known : snapshot;
};

export interface ConsentState {
  inForce: boolean;
  refused: boolean;
}

/**
 * The consent of one type for an evidence today. One that was given and
 * deleted counts as refused.
 */
export const consentState = (
  snapshot: readonly Consent[],
  facts: ConsentFacts,
  type: ConsentType,
  today: Today,
): ConsentState => {
  const list = decisive(snapshot, facts, type);
  const inForce = consentInForce(list, type, today);
  const given = snapshot.findLast((consent) => consent.type === type);
  const withdrawn = given?.approved === true && facts.deleted.includes(given.consentId) && !inForce;
  return { inForce, refused: withdrawn || consentRefused(list, type, today) };
};

/** Whether the consent that the policy asks for is there. */
export const consentSuffices = (rules: KindRules, state: ConsentState | undefined): boolean => {
  if (!rules.consent || !state) return true;
  return rules.consent.need === 'REQUIRED' ? state.inForce : !state.refused;
};
