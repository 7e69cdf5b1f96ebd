import { type Static, Type } from 'typebox';
import { CLIENT_ROLES } from '../vocabulary.ts';
import { DateTime, Exact, Id, OneOf } from './building-blocks.ts';
import { IdentitySchema } from './identity.ts';

/**
 * The name of the one part in the proof's MIME envelope. Its filename is the one that `POST
 * /internal/v1/proofs` answers.
 */
export const PROOF_PART_NAME = 'proof';

/**
 * Body of POST /internal/v1/proofs, gateway to proof-builder: what the gateway knows, so that the
 * proof lacks nothing that clients were told.
 */
export const ProofRequestSchema = Exact({
  proofId: Id,
  /** The retrieval with a relying-service key; it becomes identityDetails.json. */
  identity: IdentitySchema,
  tenantRole: OneOf(CLIENT_ROLES),
  /** Policy name and version. */
  tenantUsed: Type.String(),
  previousProofId: Type.Optional(Type.String()),
  businessId: Type.Optional(Type.String()),
  /**
   * The revisions of the case and of the consents that the retrieval shows; 0 if there is none yet.
   */
  caseRevision: Type.Integer({ minimum: 0 }),
  consentsRevision: Type.Integer({ minimum: 0 }),
  /** Every recorded operation of the identity. */
  operationIds: Type.Array(Id),
  /**
   * Every evidence of the identity, also those that a retrieval does not list (contacts, portrait
   * reference, additional files).
   */
  evidenceIds: Type.Array(Id),
  startDateTime: DateTime,
  videosInProof: Type.Boolean(),
  graceSeconds: Type.Integer({ minimum: 1 }),
});
export type ProofRequest = Static<typeof ProofRequestSchema>;

/**
 * The answer when the archive is complete: its size and the filename
 * `<identity_id>_<timestamp>.zip`.
 */
export const ProofReadySchema = Type.Object({
  proofId: Id,
  bytes: Type.Integer(),
  filename: Type.String(),
});
export type ProofReady = Static<typeof ProofReadySchema>;

/**
 * Body of PUT /internal/v1/archives/:archiveId/media, proof-builder to evidence-intake: the media
 * of an archive.
 */
export const RetainRequestSchema = Exact({ mediaIds: Type.Array(Id) });
export type RetainRequest = Static<typeof RetainRequestSchema>;

/**
 * A medium in an archive. It has a key of its own, wrapped with the identity's key and bound to
 * `mediaContext`.
 */
export const RetainedMediumSchema = Type.Object({ mediaId: Id, wrappedKey: Type.String() });
export type RetainedMedium = Static<typeof RetainedMediumSchema>;

/**
 * What the signing key signs beside proofs. The signed content contains its kind, so that one kind
 * cannot be passed off as another, or as a proof.
 */
export const SIGNED_KINDS = ['deletion-receipt', 'audit-checkpoint'] as const;

/**
 * Body of POST /internal/v1/signatures: the content is signed as the minimized JSON of `{kind,
 * ...content}`.
 */
export const SignatureRequestSchema = Exact({
  kind: OneOf(SIGNED_KINDS),
  content: Type.Record(Type.String(), Type.Unknown()),
});
export type SignatureRequest = Static<typeof SignatureRequestSchema>;

/** A compact JWS (RS256, header `{"alg":"RS256"}`) and the thumbprint of the key that made it. */
export const SignatureReplySchema = Type.Object({ jws: Type.String(), kid: Type.String() });
export type SignatureReply = Static<typeof SignatureReplySchema>;
