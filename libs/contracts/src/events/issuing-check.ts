import { Type } from 'typebox';
import { eventType } from '../envelope.ts';
import { DateTime, Exact, Id, OneOf, Sealed } from '../shapes/building-blocks.ts';
import { ConsentSchema } from '../shapes/consent.ts';
import { VerificationServiceSchema } from '../shapes/proof-verification.ts';
import { EVIDENCE_TYPES } from '../vocabulary.ts';

/**
 * issuing-check.requested: the worker asks for one check of one document. `checkId` is the
 * idempotency key at the source.
 */
export const issuingCheckRequested = eventType(
  'issuing-check.requested',
  Exact({
    checkId: Id,
    evidenceId: Id,
    type: OneOf(EVIDENCE_TYPES),
    mode: OneOf(['IMAGE', 'TEXT', 'HEALTH_CARD']),
    userCategory: OneOf(['COMMERCIAL', 'GOVERNMENT']),
    /**
     * Sealed JSON of the DocumentText or HealthCard to check; for images, what was read, in the
     * same form.
     */
    sealedDocument: Sealed,
    recheckAfterSeconds: Type.Optional(Type.Integer()),
    /**
     * The consents to asking issuers (GIV) that decide about the evidence, as the worker knows
     * them; absent in requests of a former version.
     */
    consents: Type.Optional(Type.Array(ConsentSchema)),
  }),
);

/**
 * issuing-check.completed: the source's answer, or why there is none. `VERIFIED` is never assumed:
 * during an outage the answer is UNVERIFIED.
 */
export const issuingCheckCompleted = eventType(
  'issuing-check.completed',
  Exact({
    checkId: Id,
    evidenceId: Id,
    result: OneOf(['VERIFIED', 'UNVERIFIED', 'FAILED']),
    /**
     * GIV_ELIGIBILITY_*, GIV_AVAILABILITY_*, GIV_VERIFICATION_* and the *_COMPARE indicators of the
     * answer.
     */
    raisedIndicators: Type.Array(Type.String()),
    /**
     * The values that the source was asked about. Of a source that answers field by field, only
     * those that it also found to be the same are confirmed.
     */
    askedFields: Type.Optional(Type.Array(Type.String())),
    /** The values that the source confirmed in part only, such as a surname without its suffix. */
    partlyFields: Type.Optional(Type.Array(Type.String())),
    /** The name of the source that was asked; absent if none covers the document. */
    source: Type.Optional(Type.String()),
    startDateTime: DateTime,
    endDateTime: DateTime,
    services: Type.Array(VerificationServiceSchema),
    /** Set on an answer that arrived after an inconclusive one was reported. */
    late: Type.Optional(Type.Boolean()),
  }),
);
