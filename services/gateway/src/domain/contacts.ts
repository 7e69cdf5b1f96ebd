import { contactChanged, formatDateTime, type OtpStatus, oneTimeCodeRequested } from '@assay/contracts';
import { type Change, type Decision, fact, refuse } from './change.ts';
import { type Identity, secondsAfter } from './identity.ts';
import { restartedClock, whyNotWritable } from './transaction.ts';

export type Channel = 'EMAIL' | 'MOBILE';

/** A one-time code on its way or waited for. Of the code itself only a keyed hash is kept. */
export interface OneTimeCode {
  codeId: string;
  status: OtpStatus;
  creationTime: string;
  expiresAt: Date;
  /** Seconds the code is good for. */
  timeout: number;
  hash: string;
  attemptsLeft: number;
}

/** A contact and its one-time code. Once verified it is an evidence, EMAIL or MOBILE_OTP. */
export interface Contact {
  evidenceId: string;
  channel: Channel;
  contactRevision: number;
  submitDateTime: string;
  sealedContact: string;
  verified: boolean;
  otp: OneTimeCode;
  /** Codes sent for it so far. */
  sent: number;
}

/** Codes one contact may be sent; a channel may be given another contact as often as the operations of an identity allow. */
export const MOST_CODES = 10;

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

const waiting = ({ status }: OneTimeCode): boolean => status === 'INITIATE' || status === 'PENDING';

/** When the next code runs out: the sweeper's index. */
const nextDue = (contacts: readonly Contact[]): Date | undefined =>
  contacts
    .filter(({ otp }) => waiting(otp))
    .map(({ otp }) => otp.expiresAt)
    .sort((a, b) => a.getTime() - b.getTime())[0];

const changedFact = (contact: Contact, operationId?: string) =>
  fact(contactChanged, {
    evidenceId: contact.evidenceId,
    channel: contact.channel,
    contactRevision: contact.contactRevision,
    otp: { status: contact.otp.status, creationTime: contact.otp.creationTime, timeout: contact.otp.timeout },
    verified: contact.verified,
    submitDateTime: contact.submitDateTime,
    ...(operationId === undefined ? {} : { operationId }),
    sealedContact: contact.sealedContact,
  });

/** A change that puts one contact in place of its former state and tells of it. */
const withContact = (identity: Identity, next: Contact, operationId?: string): Change => {
  const known = identity.contacts.some(({ evidenceId }) => evidenceId === next.evidenceId);
  const contacts = known
    ? identity.contacts.map((contact) => (contact.evidenceId === next.evidenceId ? next : contact))
    : [...identity.contacts, next];
  const otpDueAt = nextDue(contacts);
  return {
    set: { contacts, ...(otpDueAt ? { otpDueAt } : {}) },
    ...(otpDueAt ? {} : { unset: ['otpDueAt'] as const }),
    facts: [changedFact(next, operationId)],
  };
};

export interface CodeStart {
  channel: Channel;
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

/** Asks for a one-time code (INITIATE). A contact that is not verified yet keeps its id; a verified one makes room for a new one. */
export const startCode = (identity: Identity, from: CodeStart): Decision => {
  const refused = whyNotWritable(identity);
  if (refused) return refuse(refused);
  const former = contactOf(identity, from.channel);
  const again = former && !former.verified ? former : undefined;
  if (again && again.sent >= MOST_CODES) return refuse('TOO_MANY_REQUESTS');
  const expiresAt = secondsAfter(from.now, from.timeoutSeconds);
  const evidenceId = again?.evidenceId ?? from.evidenceId;
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
  const asked = fact(oneTimeCodeRequested, {
    codeId: from.codeId,
    evidenceId,
    channel: from.channel,
    expiresAt: formatDateTime(expiresAt),
    ...(from.language === undefined ? {} : { language: from.language }),
    sealedMessage: from.sealedMessage,
  });
  return {
    ...change,
    set: { ...change.set, ...restartedClock(from.lifetimeSeconds, from.now) },
    facts: [...change.facts, asked],
  };
};

const moved = (contact: Contact, status: OtpStatus, more: Partial<OneTimeCode> = {}): Contact => ({
  ...contact,
  contactRevision: contact.contactRevision + 1,
  otp: { ...contact.otp, ...more, status },
});

/** The provider took the message (PENDING) or refused it for good (ERROR). Word of a former code changes nothing. */
export const codeSent = (identity: Identity, codeId: string, accepted: boolean): Change | undefined => {
  const contact = identity.contacts.find(({ otp }) => otp.codeId === codeId && otp.status === 'INITIATE');
  return contact && withContact(identity, moved(contact, accepted ? 'PENDING' : 'ERROR'));
};

/** Codes nobody gave back in time (TIMEOUT). */
export const expireCodes = (identity: Identity, now: Date): Change | undefined => {
  const due = identity.contacts.find(({ otp }) => waiting(otp) && otp.expiresAt <= now);
  return due && withContact(identity, moved(due, 'TIMEOUT'));
};

export interface CodeAnswer {
  channel: Channel;
  /** Whether a code has the hash, in constant time. */
  matches: (otp: OneTimeCode) => boolean;
  lifetimeSeconds: number;
  operationId: string;
  now: Date;
}

/** How an answer went; a wrong one is counted, so it is a change as well as a refusal. */
export type CodeOutcome = 'VERIFIED' | 'WRONG' | 'LOCKED' | 'EXPIRED' | 'NOT_STARTED';

export const outcomeOfCode = (identity: Identity, { channel, matches, now }: CodeAnswer): CodeOutcome => {
  const otp = contactOf(identity, channel)?.otp;
  if (!otp) return 'NOT_STARTED';
  if (otp.status === 'TIMEOUT' || (waiting(otp) && otp.expiresAt <= now)) return 'EXPIRED';
  if (otp.status === 'ERROR' && otp.attemptsLeft <= 0) return 'LOCKED';
  if (!waiting(otp)) return 'NOT_STARTED';
  if (matches(otp)) return 'VERIFIED';
  return otp.attemptsLeft <= 1 ? 'LOCKED' : 'WRONG';
};

/** The contact is verified (DONE): from here on it is an evidence, PROCESSING until it is evaluated. */
const verified = (identity: Identity, contact: Contact, answer: CodeAnswer): Change => {
  const change = withContact(identity, { ...moved(contact, 'DONE'), verified: true }, answer.operationId);
  const evidence = {
    evidenceId: contact.evidenceId,
    type: evidenceTypeOf(contact.channel),
    operation: OPERATIONS[contact.channel].start,
    submitDateTime: contact.submitDateTime,
    status: 'PROCESSING' as const,
    evidenceRevision: 0,
    publishedRevisions: [],
  };
  return {
    ...change,
    set: {
      ...change.set,
      evidences: [...identity.evidences, evidence],
      ...restartedClock(answer.lifetimeSeconds, answer.now),
    },
  };
};

/** Takes the answer to a one-time code. */
export const answerCode = (identity: Identity, answer: CodeAnswer): Decision => {
  const refused = whyNotWritable(identity);
  if (refused) return refuse(refused);
  const contact = contactOf(identity, answer.channel);
  const outcome = outcomeOfCode(identity, answer);
  if (!contact || outcome === 'NOT_STARTED') return refuse('OTP_NOT_STARTED');
  switch (outcome) {
    case 'VERIFIED':
      return verified(identity, contact, answer);
    case 'EXPIRED':
      return waiting(contact.otp) ? withContact(identity, moved(contact, 'TIMEOUT')) : refuse('OTP_EXPIRED');
    case 'LOCKED':
      return waiting(contact.otp)
        ? withContact(identity, moved(contact, 'ERROR', { attemptsLeft: 0 }))
        : refuse('OTP_LOCKED');
    default:
      return withContact(identity, moved(contact, contact.otp.status, { attemptsLeft: contact.otp.attemptsLeft - 1 }));
  }
};

/** A contact as a reply shows it: the evidence it is or will be, and its code without the code. */
export const codeView = (identity: Pick<Identity, 'evidences'>, { evidenceId, channel, otp }: Contact) => ({
  status:
    identity.evidences.find((evidence) => evidence.evidenceId === evidenceId)?.status ?? ('NOT_VERIFIED' as const),
  type: evidenceTypeOf(channel),
  id: evidenceId,
  otp: { status: otp.status, creationTime: otp.creationTime, timeout: otp.timeout },
});
