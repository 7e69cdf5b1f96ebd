import { Type } from 'typebox';
import { eventType } from '../envelope.ts';
import { DateTime, Exact, Id, OneOf, Sealed } from '../shapes/building-blocks.ts';
import { VerificationSettingsSchema } from '../shapes/settings.ts';
import { CLIENT_ROLES, IDENTITY_STATUSES } from '../vocabulary.ts';

/**
 * identity.created: a transaction began. Consumed by verification-worker, which pins the policy,
 * and by proof-builder.
 */
export const identityCreated = eventType(
  'identity.created',
  Exact({
    creationDateTime: DateTime,
    tenantRole: OneOf(CLIENT_ROLES),
    settings: VerificationSettingsSchema,
    /** Of former releases; now it is sealed with the other details. */
    previousProofId: Type.Optional(Type.String()),
    /**
     * Sealed JSON {businessId?, correlationId?, previousProofId?, contact: {email?, mobile?,
     * landline?, language?, username?}}.
     */
    sealedDetails: Type.Optional(Sealed),
  }),
);

/**
 * identity.status-changed: PAUSED, resumed, TIMEOUT or ERROR. Consumed by notifier, proof-builder
 * and verification-worker.
 */
export const identityStatusChanged = eventType(
  'identity.status-changed',
  Exact({
    identityStatus: OneOf(IDENTITY_STATUSES),
    completedAt: DateTime,
    expireAt: Type.Optional(DateTime),
    /** What the relying service calls the person, sealed under the identity's notice key. */
    sealedBusinessId: Type.Optional(Sealed),
    /** False if the specification names no notification (a resumed transaction). */
    notify: Type.Boolean(),
  }),
);

/**
 * A tombstone stays at least for so long, in every service: a message is tried for three days, may
 * be replayed from the dead letters for thirty more, and must not bring back what was deleted.
 */
export const SHORTEST_TOMBSTONE_SECONDS = 40 * 24 * 3600;

/**
 * identity.closed: the identity's key is destroyed. Every service deletes what it stores of the
 * identity and keeps a tombstone.
 */
export const identityClosed = eventType(
  'identity.closed',
  Exact({
    reason: OneOf(['PROOF_RETRIEVED', 'TIMEOUT', 'DELETED', 'ERROR']),
    closedAt: DateTime,
    /** When the tombstone may be removed. */
    forgetAt: DateTime,
    proofId: Type.Optional(Id),
  }),
);
