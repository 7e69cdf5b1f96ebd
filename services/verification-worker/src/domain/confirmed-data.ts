import {
  addressWith,
  attributesWith,
  CONFIRMABLE,
  type Field,
  type IssuerAnswer,
  wasConfirmed,
  wasDenied,
} from './confirmation.ts';
import type { EvidenceData } from './evidence-data.ts';

/**
 * The data of a document after the answer of its issuing source. Confirmed are the values that were
 * confirmed before and that the source did not deny, and those that the source confirmed.
 */
export const withIssuerAnswer = (data: EvidenceData, answer: IssuerAnswer): EvidenceData => {
  const { idDocumentData, confirmed: before = [] } = data;
  if (!idDocumentData) return data;
  const confirmed = CONFIRMABLE.filter(
    (field) => wasConfirmed(answer, field) || (before.includes(field) && !wasDenied(answer, field)),
  );
  const is = (field: Field) => confirmed.includes(field);
  const { personalAttributes, address } = idDocumentData;
  return {
    ...data,
    confirmed,
    idDocumentData: {
      ...idDocumentData,
      ...(personalAttributes && { personalAttributes: attributesWith(personalAttributes, is) }),
      ...(address && { address: addressWith(address, is) }),
    },
  };
};

/** What is shown while the evidence is not VERIFIED: nothing counts as verified. */
export const unconfirmed = <T>(shown: T): T =>
  JSON.parse(JSON.stringify(shown), (key, inner: unknown) => (key === 'verified' ? false : inner)) as T;
