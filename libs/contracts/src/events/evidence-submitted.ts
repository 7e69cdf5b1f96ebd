import { type Static, Type } from 'typebox';
import { eventType } from '../envelope.ts';
import { DateTime, Exact, Id, OneOf, Sealed } from '../shapes/building-blocks.ts';
import { ConsentSchema } from '../shapes/consent.ts';
import { VerificationSettingsSchema } from '../shapes/settings.ts';
import { CLIENT_ROLES, EVIDENCE_TYPES, IDENTITY_OPERATION_NAMES } from '../vocabulary.ts';

export const MEDIA_ROLES = ['FRONT', 'BACK', 'PORTRAIT', 'CROP', 'VIDEO', 'FRAME', 'ADDITIONAL_FILE', 'CHIP'] as const;

/**
 * One stored medium: `sha256` of the bytes as uploaded, lower-case hex, and the CRC-32 that an
 * archive says ahead of them. The bytes stay in evidence-intake.
 */
export const MediaReferenceSchema = Exact({
  mediaId: Id,
  role: OneOf(MEDIA_ROLES),
  contentType: Type.String(),
  bytes: Type.Integer(),
  sha256: Type.String(),
  crc32: Type.Optional(Type.Integer({ minimum: 0 })),
  originalMediaId: Type.Optional(Id),
  /** Of a file of a chip: `dg1.bin`, `sod.bin`, `session.json`. */
  name: Type.Optional(Type.String()),
});
export type MediaReference = Static<typeof MediaReferenceSchema>;

/**
 * evidence.submitted: an evidence and its media are stored. Heard by verification-worker,
 * proof-builder and gateway. Consents and settings in force travel with it: nobody asks back.
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
    /** Role of the key it was submitted with. */
    submittedBy: Type.Optional(OneOf(CLIENT_ROLES)),
    /**
     * Documents of the identity that were PROCESSING when a portrait was submitted: it waits for
     * their results.
     */
    awaitedDocumentIds: Type.Optional(Type.Array(Id)),
    /**
     * Set when evidence-intake issues work again for an evidence that stood too long without a
     * stable status. The id of the message is new: a case that has already evaluated the evidence
     * publishes its present state again (same evidenceRevision), for that is what was lost.
     */
    reissued: Type.Optional(Type.Boolean()),
    /**
     * The evidence ends NOT_VERIFIED with this error, without any verification, unless it has a
     * stable status already: its live capture session timed out, or the work was issued again five
     * times and none was answered.
     */
    endWith: Type.Optional(OneOf(['SESSION_TIMEOUT', 'PROCESSING_FAILED'])),
  }),
);
