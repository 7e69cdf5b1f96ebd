import type { Consent } from './shapes/consent.ts';
import type { ConsentType } from './vocabulary.ts';

/** What a service knows of an identity's consents. */
export interface ConsentFacts {
  /** All consents as the last event listed them. */
  known: Consent[];
  revision: number;
  /** Ids of consents that were withdrawn by deletion, also if the events arrived out of order. */
  deleted: string[];
}

/**
 * The consents that decide about an evidence: those of the last event, unless they are older than
 * the consents it was submitted under (events of consents and of evidences travel apart). A consent
 * that it was submitted under and that the list lacks was deleted, or its event has not arrived
 * yet.
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
