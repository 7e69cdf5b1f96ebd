import { type Static, Type } from 'typebox';
import { CLIENT_ROLES } from '../vocabulary.ts';
import { DateTime, Exact, Id, OneOf } from './building-blocks.ts';
import { IdentitySchema } from './identity.ts';

/**
 * Name of the one part of the proof's MIME envelope; its filename is the one `POST
 * /internal/v1/proofs` answers.
 */
export const PROOF_PART_NAME = 'proof';

/**
 * Body of POST /internal/v1/proofs, gateway to proof-builder: what the gateway knows, so that
 * nothing it reported to a client is missing.
 */
export const ProofRequestSchema = Exact({
  proofId: Id,
  /** The retrieval with a Relying Service key; becomes identityDetails.json. */
  identity: IdentitySchema,
  tenantRole: OneOf(CLIENT_ROLES),
  /** Policy name and version. */
  tenantUsed: Type.String(),
  previousProofId: Type.Optional(Type.String()),
  businessId: Type.Optional(Type.String()),
  /**
   * The case revision and the consents revision that the retrieval shows; 0 when there is none yet.
   */
  caseRevision: Type.Integer({ minimum: 0 }),
  consentsRevision: Type.Integer({ minimum: 0 }),
  /** Every recorded operation of the identity. */
  operationIds: Type.Array(Id),
  /**
   * Every evidence attached to the identity, also those a retrieval does not list (contacts,
   * portrait reference, additional files).
   */
  evidenceIds: Type.Array(Id),
  startDateTime: DateTime,
  videosInProof: Type.Boolean(),
  graceSeconds: Type.Integer({ minimum: 1 }),
});
export type ProofRequest = Static<typeof ProofRequestSchema>;

/**
 * Answer once the archive is complete: its size and the filename `<identity_id>_<timestamp>.zip`.
 */
export const ProofReadySchema = Type.Object({
  proofId: Id,
  bytes: Type.Integer(),
  filename: Type.String(),
});
export type ProofReady = Static<typeof ProofReadySchema>;

/**
 * Body of PUT /internal/v1/archives/:archiveId/media, proof-builder to evidence-intake: the media
 * an archive consists of.
 */
export const RetainRequestSchema = Exact({ mediaIds: Type.Array(Id) });
export type RetainRequest = Static<typeof RetainRequestSchema>;

/**
 * A medium that an archive holds: its own key, wrapped by the identity's and bound to
 * `mediaContext`.
 */
export const RetainedMediumSchema = Type.Object({ mediaId: Id, wrappedKey: Type.String() });
export type RetainedMedium = Static<typeof RetainedMediumSchema>;

/**
 * What else the signing key signs; the kind is in the signed content, so that one is never
 * taken for another, or for a proof.
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
