import type { Consent } from './shapes/consent.ts';
import type { ConsentType } from './vocabulary.ts';

/** What a service has heard of an identity's consents. */
export interface ConsentFacts {
  /** All consents as last heard. */
  known: Consent[];
  revision: number;
  /** Ids of consents that were withdrawn by deletion, also where the news came out of order. */
  deleted: string[];
}

/**
 * The consents that decide about an evidence: those last heard, unless they are older than the ones
 * it was submitted under (news of a consent and of the evidence travel apart). A consent that it
 * was submitted under and that the list does not know was not heard of yet, or was deleted.
 */
export const decisiveConsents = (
  snapshot: readonly Consent[],
  facts: ConsentFacts,
  type: ConsentType,
): readonly Consent[] => {
  const given = snapshot.findLast((consent) => consent.type === type);
  if (!given) return facts.known;
  const heard =
    facts.known.some(({ consentId }) => consentId === given.consentId) || facts.deleted.includes(given.consentId);
  return heard ? facts.known : snapshot;
};
