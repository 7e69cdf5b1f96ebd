import { type Static, Type } from 'typebox';
import {
  EVIDENCE_STATUSES,
  EVIDENCE_TYPES,
  IDENTITY_STATUSES,
  LEVELS_OF_ASSURANCE,
  TRUST_LEVELS,
} from '../vocabulary.ts';
import { DateTime, Exact, Id, OneOf } from './building-blocks.ts';
import { ConsentSchema } from './consent.ts';
import { EvidenceRecordSchema, PortraitRecordSchema } from './evidence.ts';

/**
 * One submission that a path still lacks: any of the types, at the score, with what else it needs
 * (`GIV` = issuing source, `CHIP` = its chip, `OTHER_DOCUMENT` and `OTHER_TYPE` = another document
 * or type than those that count already or come before it in the path).
 */
export const PathStepSchema = Exact({
  evidenceTypes: Type.Array(OneOf(EVIDENCE_TYPES), { minItems: 1 }),
  score: OneOf(TRUST_LEVELS),
  with: Type.Optional(Type.Array(Type.String())),
});
export type PathStep = Static<typeof PathStepSchema>;

/**
 * upgradePaths: for each level of assurance above the present one, a list of alternatives, each a
 * list of steps.
 */
export const UpgradePathsSchema = Type.Record(Type.String(), Type.Array(Type.Array(PathStepSchema)));
export type UpgradePaths = Static<typeof UpgradePathsSchema>;

/** Reply of endpoint 1 (specification, Identity). */
export const IdentityCreatedSchema = Exact({
  id: Id,
  status: OneOf(IDENTITY_STATUSES),
  levelOfAssurance: OneOf(LEVELS_OF_ASSURANCE),
  creationDateTime: DateTime,
  evaluationDateTime: DateTime,
  upgradePaths: UpgradePathsSchema,
});
export type IdentityCreated = Static<typeof IdentityCreatedSchema>;

export const GlobalStatusSchema = Exact({
  id: Id,
  status: OneOf(IDENTITY_STATUSES),
  levelOfAssurance: OneOf(LEVELS_OF_ASSURANCE),
  creationDateTime: DateTime,
  evaluationDateTime: Type.Optional(DateTime),
  nameReferenceEvidenceId: Type.Optional(Id),
  portraitReferenceEvidenceId: Type.Optional(Id),
  upgradePaths: Type.Optional(UpgradePathsSchema),
});

/** Reply of endpoint 8 (specification, Identity); also identityDetails.json of the proof. */
export const IdentitySchema = Exact({
  globalStatus: GlobalStatusSchema,
  consents: Type.Array(ConsentSchema),
  attributes: Type.Array(EvidenceRecordSchema),
  addresses: Type.Array(EvidenceRecordSchema),
  idDocuments: Type.Array(EvidenceRecordSchema),
  portrait: Type.Optional(PortraitRecordSchema),
});
export type Identity = Static<typeof IdentitySchema>;

/**
 * Reply of GET status: the identity's status and each evidence's (specification, Further
 * endpoints).
 */
export const IdentityStatusReplySchema = Exact({
  globalStatus: GlobalStatusSchema,
  singleStatuses: Type.Array(Exact({ id: Id, type: OneOf(EVIDENCE_TYPES), status: OneOf(EVIDENCE_STATUSES) })),
});
export type IdentityStatusReply = Static<typeof IdentityStatusReplySchema>;
