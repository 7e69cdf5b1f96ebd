import {
  contactChanged,
  type ErrorName,
  formatDateTime,
  type OtpStatus,
  oneTimeCodeRequested,
  present,
} from '@assay/contracts';
import { type ChangeResult, type IdentityChange, newEvent, refuse } from './change.ts';
import type { Channel, Contact, OneTimeCode } from './contact.ts';
import { type Identity, isFull, secondsAfter } from './identity.ts';
import { restartedClock, whyNotAddable, whyNotReadable } from './transaction.ts';

/**
 * Codes that may be sent to one contact. A channel may get another contact as often as the
 * operations of an identity allow.
 */
const MOST_CODES = 10;

export const evidenceTypeOf = (channel: Channel) =>
  channel === 'EMAIL' ? ('EMAIL' as const) : ('MOBILE_OTP' as const);

/** The names of a contact's operations in the proof. */
export const OPERATIONS = {
  EMAIL: { start: 'EMAIL_OTP', verify: 'EMAIL_OTP_VERIFICATION' },
  MOBILE: { start: 'MOBILE_OTP', verify: 'OTP_VERIFICATION' },
} as const;

/** The contact of a channel: the newest. */
export const contactOf = ({ contacts }: Pick<Identity, 'contacts'>, channel: Channel): Contact | undefined =>
  contacts.findLast((contact) => contact.channel === channel);

/** The code may still be confirmed. */
export const waiting = ({ status }: OneTimeCode): boolean => status === 'INITIATE' || status === 'PENDING';

/** Whether this code may still be confirmed: then, and only then, it may be sent. */
export const awaitsCode = (identity: Pick<Identity, 'state' | 'contacts'>, codeId: string): boolean =>
  whyNotReadable(identity) === undefined && identity.contacts.some(({ otp }) => otp.codeId === codeId && waiting(otp));

/** When the next code expires: the index of the sweep. */
const nextDue = (contacts: readonly Contact[]): Date | undefined =>
  contacts
    .filter(({ otp }) => waiting(otp))
    .map(({ otp }) => otp.expiresAt)
    .sort((a, b) => a.getTime() - b.getTime())[0];

const contactChangedEvent = (contact: Contact, operationId?: string) =>
  newEvent(contactChanged, {
    evidenceId: contact.evidenceId,
    channel: contact.channel,
    contactRevision: contact.contactRevision,
    otp: { status: contact.otp.status, creationTime: contact.otp.creationTime, timeout: contact.otp.timeout },
    verified: contact.verified,
    submitDateTime: contact.submitDateTime,
    ...present({ operationId }),
    sealedContact: contact.sealedContact,
  });

const withContacts = (contacts: Contact[]): Pick<IdentityChange, 'set' | 'unset'> => {
  const otpDueAt = nextDue(contacts);
  return otpDueAt ? { set: { contacts, otpDueAt } } : { set: { contacts }, unset: ['otpDueAt'] };
};

/** A change that replaces a contact, and publishes it. */
export const withContact = (identity: Identity, next: Contact, operationId?: string): IdentityChange => {
  const known = identity.contacts.some(({ evidenceId }) => evidenceId === next.evidenceId);
  const contacts = known
    ? identity.contacts.map((contact) => (contact.evidenceId === next.evidenceId ? next : contact))
    : [...identity.contacts, next];
  return { ...withContacts(contacts), events: [contactChangedEvent(next, operationId)] };
};

/** Deletes a contact and its one-time code; undefined if there is none of this id. */
export const withoutContact = (
  identity: Identity,
  evidenceId: string,
): Pick<IdentityChange, 'set' | 'unset'> | undefined => {
  const contacts = identity.contacts.filter((entry) => entry.evidenceId !== evidenceId);
  return contacts.length < identity.contacts.length ? withContacts(contacts) : undefined;
};

/**
 * The id of the contact that a code is requested for: a contact that is not verified yet keeps its
 * own, a verified one is followed by a new one.
 */
export const contactIdIn = (identity: Pick<Identity, 'contacts'>, channel: Channel, newId: string): string => {
  const former = contactOf(identity, channel);
  return former && !former.verified ? former.evidenceId : newId;
};

export interface CodeStart {
  channel: Channel;
  /** The id of a new contact: never that of one the identity has, or had. */
  evidenceId: string;
  codeId: string;
  hash: string;
  sealedContact: string;
  /** Sealed JSON {to, code}. */
  sealedMessage: string;
  language?: string;
  timeoutSeconds: number;
  attempts: number;
  lifetimeSeconds: number;
  operationId: string;
  now: Date;
}

/** Why no code can be sent on this channel, at whatever time; undefined if one can. */
export const whyNoCode = (
  identity: Pick<Identity, 'state' | 'operationIds' | 'contacts' | 'evidences' | 'reservations'>,
  channel: Channel,
): ErrorName | undefined => {
  const { verified, sent } = contactOf(identity, channel) ?? { verified: true, sent: 0 };
  const refused = whyNotAddable(identity) ?? (isFull(identity) ? 'STATE_CONFLICT' : undefined);
  return refused ?? (!verified && sent >= MOST_CODES ? 'OTP_USED_UP' : undefined);
};

/** Requests a one-time code (INITIATE). */
export const startCode = (identity: Identity, from: CodeStart): ChangeResult => {
  const refused = whyNoCode(identity, from.channel);
  if (refused) return refuse(refused);
  const evidenceId = contactIdIn(identity, from.channel, from.evidenceId);
  const again = identity.contacts.find((contact) => contact.evidenceId === evidenceId);
  const expiresAt = secondsAfter(from.now, from.timeoutSeconds);
  const change = withContact(
    identity,
    {
      evidenceId,
      channel: from.channel,
      contactRevision: (again?.contactRevision ?? 0) + 1,
      submitDateTime: formatDateTime(from.now),
      sealedContact: from.sealedContact,
      verified: false,
      otp: {
        codeId: from.codeId,
        status: 'INITIATE',
        creationTime: formatDateTime(from.now),
        expiresAt,
        timeout: from.timeoutSeconds,
        hash: from.hash,
        attemptsLeft: from.attempts,
      },
      sent: (again?.sent ?? 0) + 1,
    },
    from.operationId,
  );
  const asked = newEvent(oneTimeCodeRequested, {
    codeId: from.codeId,
    evidenceId,
    channel: from.channel,
    expiresAt: formatDateTime(expiresAt),
    ...present({ language: from.language }),
    sealedMessage: from.sealedMessage,
  });
  return {
    ...change,
    set: { ...change.set, ...restartedClock(from.lifetimeSeconds, from.now) },
    events: [...change.events, asked],
  };
};

/** The contact with another state of its code. */
export const moved = (contact: Contact, status: OtpStatus): Contact => ({
  ...contact,
  contactRevision: contact.contactRevision + 1,
  otp: { ...contact.otp, status },
});

/**
 * The provider accepted the message (PENDING), or refused it finally (ERROR). A result for a former
 * code changes nothing.
 */
export const codeSent = (identity: Identity, codeId: string, accepted: boolean): IdentityChange | undefined => {
  const contact = identity.contacts.find(({ otp }) => otp.codeId === codeId && otp.status === 'INITIATE');
  return contact && withContact(identity, moved(contact, accepted ? 'PENDING' : 'ERROR'));
};

/** Codes that were not confirmed in time (TIMEOUT). */
export const expireCodes = (identity: Identity, now: Date): IdentityChange | undefined => {
  const due = identity.contacts.find(({ otp }) => waiting(otp) && otp.expiresAt <= now);
  return due && withContact(identity, moved(due, 'TIMEOUT'));
};

/** A contact as replies show it: its evidence, and the state of its code. */
export const codeView = (identity: Pick<Identity, 'evidences'>, { evidenceId, channel, otp }: Contact) => ({
  status:
    identity.evidences.find((evidence) => evidence.evidenceId === evidenceId)?.status ?? ('NOT_VERIFIED' as const),
  type: evidenceTypeOf(channel),
  id: evidenceId,
  otp: { status: otp.status, creationTime: otp.creationTime, timeout: otp.timeout },
});
