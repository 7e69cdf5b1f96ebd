import { type ConsentFacts, type ParticipantDetails, present, type Today } from '@assay/contracts';
import { CONFIRMATION } from './confirmation.ts';
import { consentState } from './consents.ts';
import type { Agreement, CaseFacts, EvidenceFacts, StatementAgreement } from './facts.ts';

/** Whether this is the answer of an issuing source that confirms the document. */
export const isConfirmation = ({ participantType, raisedIndicators = [] }: ParticipantDetails): boolean =>
  participantType === 'GOV_VERIFICATION' && raisedIndicators.includes(CONFIRMATION);

/**
 * A confirmation of the issuer needs a consent; without it, the confirmation is set aside. What the
 * issuer denied stays denied.
 */
export const isIssuerSetAside = (
  { participants, consents }: Pick<EvidenceFacts, 'participants' | 'consents'>,
  known: ConsentFacts,
  today: Today,
): boolean => participants.some(isConfirmation) && !consentState(consents, known, 'GIV', today).inForce;

const isStated = ({ kind }: EvidenceFacts): boolean => kind === 'documentText' || kind === 'healthCard';

/** All that a document as text has in common with others is what its issuer confirmed. */
const NOTHING_CONFIRMED = {
  surname: 'UNKNOWN',
  givenNames: 'UNKNOWN',
  dateOfBirth: 'UNKNOWN',
  others: 'UNKNOWN',
  address: 'UNKNOWN',
} as const;

/** Former versions kept only what was confirmed with the issuer: nothing counts without it. */
const unconfirmed = ({ all, names }: StatementAgreement): StatementAgreement => ({
  all: all === 'CONTRADICTED' ? all : 'NONE',
  names: names === 'CONTRADICTED' ? names : 'NONE',
});

const withoutConfirmation = (agreement: Agreement, documents: readonly EvidenceFacts[]): Agreement => {
  const { statement, statementWithoutIssuer = statement && unconfirmed(statement) } = agreement;
  return {
    ...agreement,
    ...(documents.some(isStated) && NOTHING_CONFIRMED),
    ...present({ statement: statementWithoutIssuer }),
  };
};

/** The facts, with the agreements that are left while confirmations of issuers are set aside. */
export const factsInForce = (facts: CaseFacts, today: Today): CaseFacts => {
  const { evidences, consents, agreements } = facts;
  const aside = new Map(
    evidences.filter((one) => isIssuerSetAside(one, consents, today)).map((one) => [one.evidenceId, one]),
  );
  if (aside.size === 0) return facts;
  const inForce = (agreement: Agreement): Agreement => {
    const documents = [agreement.a, agreement.b].flatMap((id) => aside.get(id) ?? []);
    return documents.length > 0 ? withoutConfirmation(agreement, documents) : agreement;
  };
  return { ...facts, agreements: agreements.map(inForce) };
};
