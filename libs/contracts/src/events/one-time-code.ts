import { Type } from 'typebox';
import { eventType } from '../envelope.ts';
import { DateTime, Exact, Id, OneOf, Sealed } from '../shapes/building-blocks.ts';
import { OTP_STATUSES } from '../vocabulary.ts';

/** one-time-code.requested: a code is to be sent. Consumed by notifier, which sends it. */
export const oneTimeCodeRequested = eventType(
  'one-time-code.requested',
  Exact({
    codeId: Id,
    evidenceId: Id,
    channel: OneOf(['EMAIL', 'MOBILE']),
    expiresAt: DateTime,
    language: Type.Optional(Type.String()),
    /** Sealed JSON {to, code}. */
    sealedMessage: Sealed,
  }),
);

/**
 * one-time-code.sent: the provider accepted the message, or refused it for good. Consumed by
 * gateway.
 */
export const oneTimeCodeSent = eventType(
  'one-time-code.sent',
  Exact({ codeId: Id, evidenceId: Id, accepted: Type.Boolean(), sentAt: DateTime }),
);

/**
 * contact.changed: the state of a contact's one-time code. Consumed by verification-worker (a
 * verified contact is an evidence EMAIL or MOBILE_OTP) and proof-builder.
 */
export const contactChanged = eventType(
  'contact.changed',
  Exact({
    evidenceId: Id,
    channel: OneOf(['EMAIL', 'MOBILE']),
    contactRevision: Type.Integer(),
    otp: Exact({ status: OneOf(OTP_STATUSES), creationTime: DateTime, timeout: Type.Integer() }),
    verified: Type.Boolean(),
    submitDateTime: DateTime,
    operationId: Type.Optional(Id),
    /** Sealed JSON {value, language?, system?}. */
    sealedContact: Sealed,
  }),
);
