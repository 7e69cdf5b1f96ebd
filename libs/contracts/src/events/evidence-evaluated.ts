import { type Static, Type } from 'typebox';
import { eventType } from '../envelope.ts';
import { DateTime, Exact, Id, OneOf, Sealed } from '../shapes/building-blocks.ts';
import { ErrorSchema } from '../shapes/error.ts';
import { UpgradePathsSchema } from '../shapes/identity.ts';
import { EvaluationDetailsSchema } from '../shapes/proof-evaluation.ts';
import { ParticipantDetailsSchema } from '../shapes/proof-verification.ts';
import {
  EVIDENCE_STATUSES,
  EVIDENCE_TYPES,
  LEVELS_OF_ASSURANCE,
  PROGRESS_VALUES,
  TRUST_LEVELS,
} from '../vocabulary.ts';

/** One evidence after an evaluation. `evidenceRevision` grows with each change of this evidence. */
export const EvaluatedEvidenceSchema = Exact({
  evidenceId: Id,
  evidenceRevision: Type.Integer(),
  type: OneOf(EVIDENCE_TYPES),
  status: OneOf(EVIDENCE_STATUSES),
  strength: Type.Optional(OneOf(TRUST_LEVELS)),
  score: Type.Optional(OneOf(TRUST_LEVELS)),
  isAdjudicable: Type.Boolean(),
  evaluationDateTime: DateTime,
  positiveIndicators: Type.Array(Type.String()),
  warningIndicators: Type.Array(Type.String()),
  unverifiedIndicators: Type.Array(Type.String()),
  errors: Type.Optional(Type.Array(ErrorSchema, { minItems: 1 })),
  referenceIds: Type.Optional(Type.Array(Id)),
  portraitQuality: Type.Optional(Type.Boolean()),
  portraitData: Type.Optional(Exact({ source: Type.Optional(Type.String()), channel: Type.Optional(Type.String()) })),
  /** Sealed JSON {idDocumentData?, attributesData?, addressData?}: what replies show. */
  sealedData: Type.Optional(Sealed),
  /** True if status or score differ from what was last published: then the client is notified. */
  changed: Type.Boolean(),
  proof: Exact({
    progress: OneOf(PROGRESS_VALUES),
    verificationDetails: Type.Array(ParticipantDetailsSchema),
    evaluationDetails: EvaluationDetailsSchema,
    /** Sealed JSON {data?: DocumentData, originLanguageData?: OriginLanguageData}. */
    sealedEvidenceDetails: Type.Optional(Sealed),
    /** The crops of this evidence, which evidence-intake stores. */
    crops: Type.Array(Exact({ mediaId: Id, originalMediaId: Id })),
    parent: Type.Optional(Id),
    attributesReferenceId: Type.Optional(Id),
    addressReferenceId: Type.Optional(Id),
  }),
});
export type EvaluatedEvidence = Static<typeof EvaluatedEvidenceSchema>;

/** The identity's part of an evaluation. */
export const EvaluatedIdentitySchema = Exact({
  levelOfAssurance: OneOf(LEVELS_OF_ASSURANCE),
  evaluationDateTime: DateTime,
  nameReferenceEvidenceId: Type.Optional(Id),
  portraitReferenceEvidenceId: Type.Optional(Id),
  upgradePaths: UpgradePathsSchema,
  /**
   * When the evaluation changes by itself: a consent begins or ends, or a document expires. Absent
   * if that is far away.
   */
  lapsesAt: Type.Optional(DateTime),
});
export type EvaluatedIdentity = Static<typeof EvaluatedIdentitySchema>;

/**
 * evidence.evaluated: one write of a case, with every evidence that it changed (none if only the
 * identity's part changed). The events may arrive in any order: a reader applies an evidence, or
 * the identity's part, only if its revision is newer than the one it has. Consumed by gateway and
 * proof-builder.
 */
export const evidenceEvaluated = eventType(
  'evidence.evaluated',
  Exact({
    caseRevision: Type.Integer(),
    policy: Exact({ name: Type.String(), version: Type.String() }),
    evidences: Type.Array(EvaluatedEvidenceSchema),
    identity: EvaluatedIdentitySchema,
    /**
     * What the case knew when it was evaluated: how many deletions, and which revision of the
     * consents.
     */
    basis: Type.Optional(Exact({ deletions: Type.Integer(), consentsRevision: Type.Integer() })),
  }),
);
