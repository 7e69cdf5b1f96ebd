import { type Static, Type } from 'typebox';
import { MediaReferenceSchema } from '../events/evidence-submitted.ts';
import { EndpointHealthSchema } from '../shapes/administration.ts';
import { DateTime, Exact, Id, OneOf } from '../shapes/building-blocks.ts';
import { ConsentSchema } from '../shapes/consent.ts';
import { RetainedMediumSchema } from '../shapes/proof-request.ts';
import { VerificationSettingsSchema } from '../shapes/settings.ts';
import { EVIDENCE_TYPES, SIDES } from '../vocabulary.ts';

/**
 * Replies of one service to another. The receiver checks the members that it uses; others may be
 * added.
 */

/**
 * gateway, GET /internal/v1/identities/:id/key and .../notice-key: the key, wrapped for the caller,
 * and how long the caller may keep it.
 */
export const IdentityKeyReplySchema = Type.Object({ wrapped: Type.String(), holdMs: Type.Integer({ minimum: 0 }) });

/** gateway, POST /internal/v1/identities/:id/grant: what is allowed for the identity now. */
export const GrantReplySchema = Type.Object({
  claims: Type.Object({
    consents: Type.Optional(Type.Array(ConsentSchema)),
    settings: Type.Optional(VerificationSettingsSchema),
  }),
});

/** evidence-intake, to every submission; for a live capture session also its members. */
export const AcceptedSubmissionSchema = Type.Object({
  evidenceId: Id,
  type: OneOf(EVIDENCE_TYPES),
  submitDateTime: DateTime,
  media: Type.Array(MediaReferenceSchema),
  sessionId: Type.Optional(Type.String()),
  livenessParameters: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  sidesToCapture: Type.Optional(Type.Array(OneOf(SIDES))),
  /** Only for a session in which a chip is read. */
  expireAt: Type.Optional(Type.String()),
  dataGroups: Type.Optional(Type.Array(Type.Integer())),
  activeAuthenticationChallenge: Type.Optional(Type.String()),
  /** The number of frames in the session. */
  frames: Type.Optional(Type.Integer({ minimum: 0 })),
});
export type AcceptedSubmission = Static<typeof AcceptedSubmissionSchema>;

/** evidence-intake, GET /internal/v1/evidences/:id/media. */
export const MediaReplySchema = Type.Array(MediaReferenceSchema);

/** evidence-intake, GET /internal/v1/evidences/:id/chip-files: base64 by the ids of the media. */
export const ChipFilesReplySchema = Type.Record(Type.String(), Type.String());

/** evidence-intake, PUT /internal/v1/archives/:id/media. */
export const RetainedMediaReplySchema = Type.Array(RetainedMediumSchema);

/** notifier, POST /internal/v1/endpoints/health: the tenants to report on. */
export const EndpointsAskedSchema = Exact({ tenantIds: Type.Array(Id, { maxItems: 500 }) });

/** The reply to that, without tenants that have no endpoint. */
export const EndpointsHealthReplySchema = Type.Object({
  items: Type.Array(Type.Object({ tenantId: Id, ...EndpointHealthSchema.properties })),
});
