import { Type } from 'typebox';
import { eventType } from '../envelope.ts';
import { DateTime, Exact, Id, OneOf, Sealed } from '../shapes/building-blocks.ts';
import { VerificationSettingsSchema } from '../shapes/settings.ts';
import { CLIENT_ROLES, IDENTITY_STATUSES } from '../vocabulary.ts';

/**
 * identity.created: a transaction began. Heard by verification-worker (pins the policy) and
 * proof-builder.
 */
export const identityCreated = eventType(
  'identity.created',
  Exact({
    creationDateTime: DateTime,
    tenantRole: OneOf(CLIENT_ROLES),
    settings: VerificationSettingsSchema,
    previousProofId: Type.Optional(Type.String()),
    /**
     * Sealed JSON {businessId?, correlationId?, contact: {email?, mobile?, landline?, language?,
     * username?}}.
     */
    sealedDetails: Type.Optional(Sealed),
  }),
);

/**
 * identity.status-changed: PAUSED, resumed, TIMEOUT or ERROR. Heard by notifier, proof-builder and
 * verification-worker.
 */
export const identityStatusChanged = eventType(
  'identity.status-changed',
  Exact({
    identityStatus: OneOf(IDENTITY_STATUSES),
    completedAt: DateTime,
    expireAt: Type.Optional(DateTime),
    /** What the relying service calls the person, sealed under the identity's notice key. */
    sealedBusinessId: Type.Optional(Sealed),
    /** False where the specification names no notification (a resumed transaction). */
    notify: Type.Boolean(),
  }),
);

/**
 * identity.closed: the identity's key is gone; every service purges what it holds and keeps a
 * tombstone.
 */
export const identityClosed = eventType(
  'identity.closed',
  Exact({
    reason: OneOf(['PROOF_RETRIEVED', 'TIMEOUT', 'DELETED', 'ERROR']),
    closedAt: DateTime,
    /** When the tombstone may be forgotten. */
    forgetAt: DateTime,
    proofId: Type.Optional(Id),
  }),
);
