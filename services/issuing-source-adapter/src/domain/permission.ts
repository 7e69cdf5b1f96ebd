import {
  type Consent,
  type ConsentFacts,
  consentInForce,
  type consentsChanged,
  type DataOf,
  decisiveConsents,
  type Today,
} from '@assay/contracts';

/** What was taken back of an open identity, as far as questions to issuers depend on it. */
export interface Withdrawals {
  /** Evidences that were deleted. */
  deletedEvidences: string[];
  /** The consents to asking issuers (GIV). */
  consents: ConsentFacts;
}

export const nothingWithdrawn: Withdrawals = {
  deletedEvidences: [],
  consents: { known: [], revision: 0, deleted: [] },
};

/** What a question depends on. */
export interface QuestionBasis {
  evidenceId: string;
  /** The consents it was requested under; absent from requests of a former version. */
  consents?: readonly Consent[];
}

/**
 * GONE: the answer is not needed any more. WITHDRAWN: an answer is expected, but the source may not
 * give it.
 */
export type Permission = 'GIVEN' | 'WITHDRAWN' | 'GONE';

const isConsented = (
  requested: readonly Consent[] | undefined,
  { consents: facts }: Withdrawals,
  today: Today,
): boolean => {
  if (requested) return consentInForce(decisiveConsents(requested, facts, 'GIV'), 'GIV', today);
  return facts.revision === 0 && facts.deleted.length === 0 ? true : consentInForce(facts.known, 'GIV', today);
};

/** Whether the source may still be asked today. */
export const permissionOf = (
  { evidenceId, consents }: QuestionBasis,
  withdrawals: Withdrawals,
  today: Today,
): Permission => {
  if (withdrawals.deletedEvidences.includes(evidenceId)) return 'GONE';
  return isConsented(consents, withdrawals, today) ? 'GIVEN' : 'WITHDRAWN';
};

/**
 * The consent to ask issuers after a change of consents; undefined if the change does not affect
 * it, or says no more than the requests do.
 */
export const consentChanges = ({
  consentsRevision,
  consents,
  change,
}: DataOf<typeof consentsChanged>): ConsentFacts | undefined => {
  const known = consents.filter(({ type }) => type === 'GIV');
  const changed = change.consents.filter(({ type }) => type === 'GIV');
  if (changed.length === 0) return undefined;
  if (change.type === 'ADD' && known.length === 1 && known[0]?.approved) return undefined;
  const deleted = change.type === 'DELETE' ? changed.map(({ consentId }) => consentId) : [];
  return { known, revision: consentsRevision, deleted };
};
