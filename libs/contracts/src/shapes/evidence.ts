import { type Static, Type } from 'typebox';
import { EVIDENCE_STATUSES, EVIDENCE_TYPES, TRUST_LEVELS } from '../vocabulary.ts';
import { DateTime, Exact, Id, OneOf } from './building-blocks.ts';
import { ErrorSchema } from './error.ts';
import { AddressDataSchema, AttributesDataSchema, IdDocumentDataSchema } from './person.ts';

/** Reply to every submission: {status, type, id} (endpoints 3 to 6). */
export const SubmissionReplySchema = Exact({
  status: OneOf(EVIDENCE_STATUSES),
  type: OneOf(EVIDENCE_TYPES),
  id: Id,
});
export type SubmissionReply = Static<typeof SubmissionReplySchema>;

/** Reply of endpoint 7. `errors` is present only if there are some. */
export const EvidenceStatusReplySchema = Exact({
  id: Id,
  type: OneOf(EVIDENCE_TYPES),
  status: OneOf(EVIDENCE_STATUSES),
  errors: Type.Optional(Type.Array(ErrorSchema, { minItems: 1 })),
});
export type EvidenceStatusReply = Static<typeof EvidenceStatusReplySchema>;

/**
 * evidenceStatus of a full retrieval. A user agent sees status, evaluationDateTime, isAdjudicable
 * and errors only.
 */
export const EvidenceStatusSchema = Exact({
  evaluationDateTime: Type.Optional(DateTime),
  status: OneOf(EVIDENCE_STATUSES),
  strength: Type.Optional(OneOf(TRUST_LEVELS)),
  score: Type.Optional(OneOf(TRUST_LEVELS)),
  isAdjudicable: Type.Optional(Type.Boolean()),
  positiveIndicators: Type.Optional(Type.Array(Type.String())),
  warningIndicators: Type.Optional(Type.Array(Type.String())),
  unverifiedIndicators: Type.Optional(Type.Array(Type.String())),
  errors: Type.Optional(Type.Array(ErrorSchema, { minItems: 1 })),
});
export type EvidenceStatus = Static<typeof EvidenceStatusSchema>;

/** Entry of attributes, addresses and idDocuments (specification, Evidence record). */
export const EvidenceRecordSchema = Exact({
  evidenceId: Id,
  submitDateTime: DateTime,
  type: OneOf(EVIDENCE_TYPES),
  evidenceStatus: EvidenceStatusSchema,
  referenceIds: Type.Optional(Type.Array(Id)),
  attributesData: Type.Optional(AttributesDataSchema),
  addressData: Type.Optional(AddressDataSchema),
  idDocumentData: Type.Optional(IdDocumentDataSchema),
});
export type EvidenceRecord = Static<typeof EvidenceRecordSchema>;

/** The portrait of a full retrieval (specification, Portrait). */
export const PortraitRecordSchema = Exact({
  evidenceId: Id,
  submitDateTime: DateTime,
  type: Type.Literal('PORTRAIT'),
  evidenceStatus: EvidenceStatusSchema,
  portraitQuality: Type.Optional(Type.Boolean()),
  portraitData: Type.Optional(Exact({ source: Type.Optional(Type.String()), channel: Type.Optional(Type.String()) })),
});
export type PortraitRecord = Static<typeof PortraitRecordSchema>;
