import { type Static, Type } from 'typebox';
import { eventType } from '../envelope.ts';
import { DateTime, Exact, Id, OneOf, Sealed } from '../shapes/building-blocks.ts';
import { ConsentSchema } from '../shapes/consent.ts';
import { VerificationSettingsSchema } from '../shapes/settings.ts';
import { CLIENT_ROLES, EVIDENCE_TYPES, IDENTITY_OPERATION_NAMES } from '../vocabulary.ts';

export const MEDIA_ROLES = ['FRONT', 'BACK', 'PORTRAIT', 'CROP', 'VIDEO', 'FRAME', 'ADDITIONAL_FILE', 'CHIP'] as const;

/**
 * One stored medium: `sha256` of the uploaded bytes in lower-case hex, and their CRC-32, which an
 * archive writes ahead of them. The bytes stay in evidence-intake.
 */
export const MediaReferenceSchema = Exact({
  mediaId: Id,
  role: OneOf(MEDIA_ROLES),
  contentType: Type.String(),
  bytes: Type.Integer(),
  sha256: Type.String(),
  crc32: Type.Optional(Type.Integer({ minimum: 0 })),
  originalMediaId: Type.Optional(Id),
  /** For a file of a chip: `dg1.bin`, `sod.bin`, `session.json`. */
  name: Type.Optional(Type.String()),
});
export type MediaReference = Static<typeof MediaReferenceSchema>;

/**
 * evidence.submitted: an evidence and its media are stored. Consumed by verification-worker,
 * proof-builder and gateway. It carries the consents and settings in force, so that no consumer
 * asks for them.
 */
export const evidenceSubmitted = eventType(
  'evidence.submitted',
  Exact({
    evidenceId: Id,
    type: OneOf(EVIDENCE_TYPES),
    operation: OneOf(IDENTITY_OPERATION_NAMES),
    submitDateTime: DateTime,
    identityCreationDateTime: Type.Optional(DateTime),
    media: Type.Array(MediaReferenceSchema),
    /**
     * Sealed JSON of the submission: {captureDetails?} for images, {documentText} for endpoint 4,
     * {healthCard} for endpoint 5,
     * {attributes}, {address}, {metadata} for additional files, {chip} for a chip; plus
     * {sessionId?} for live capture.
     */
    sealedSubmission: Type.Optional(Sealed),
    sessionId: Type.Optional(Id),
    consents: Type.Array(ConsentSchema),
    settings: VerificationSettingsSchema,
    /** The role of the key it was submitted with. */
    submittedBy: Type.Optional(OneOf(CLIENT_ROLES)),
    /**
     * The identity's documents that were PROCESSING when a portrait was submitted: the portrait
     * waits for their results.
     */
    awaitedDocumentIds: Type.Optional(Type.Array(Id)),
    /**
     * Set if evidence-intake requests the work again for an evidence that has had no stable status
     * for too long. The message has a new id. A case that has evaluated the evidence already
     * publishes its present state again with the same evidenceRevision, since that is what was
     * lost.
     */
    reissued: Type.Optional(Type.Boolean()),
    /**
     * The evidence ends NOT_VERIFIED with this error, without any verification, unless it has a
     * stable status already. Either its live capture session timed out, or the work was requested
     * again five times without an answer.
     */
    endWith: Type.Optional(OneOf(['SESSION_TIMEOUT', 'PROCESSING_FAILED'])),
  }),
);
