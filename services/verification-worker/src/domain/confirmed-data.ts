import {
  addressWith,
  attributesWith,
  CONFIRMABLE,
  CONFIRMATION,
  type Field,
  type IssuerAnswer,
  wasConfirmed,
  wasDenied,
} from './confirmation.ts';
import type { EvidenceData } from './evidence-data.ts';

const withConfirmed = (data: EvidenceData, confirmed: Field[]): EvidenceData => {
  const { idDocumentData } = data;
  if (!idDocumentData) return { ...data, confirmed };
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

/**
 * The data of a document after the answer of its issuing source. Confirmed are the values that were
 * confirmed before and that the source did not deny, and those that the source confirmed.
 */
export const withIssuerAnswer = (data: EvidenceData, answer: IssuerAnswer): EvidenceData => {
  const { idDocumentData, confirmed: before = [] } = data;
  if (!idDocumentData) return data;
  const left = before.filter((field) => !wasDenied(answer, field));
  const confirmed = CONFIRMABLE.filter((field) => wasConfirmed(answer, field) || left.includes(field));
  return {
    ...withConfirmed(data, confirmed),
    ...(answer.raised.includes(CONFIRMATION) && { confirmedWithoutIssuer: left }),
  };
};

/**
 * The data of a document without what only its issuing source confirmed; what the source denied
 * stays denied. Of a document that a former version stored, nothing is confirmed then.
 */
export const withoutIssuer = (data: EvidenceData): EvidenceData =>
  withConfirmed(data, data.confirmedWithoutIssuer ?? []);

/** What is shown while the evidence is not VERIFIED: nothing counts as verified. */
export const unconfirmed = <T>(shown: T): T =>
  JSON.parse(JSON.stringify(shown), (key, inner: unknown) => (key === 'verified' ? false : inner)) as T;
