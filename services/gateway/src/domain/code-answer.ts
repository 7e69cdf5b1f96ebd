import type { ErrorName } from '@assay/contracts';
import { type ChangeResult, type IdentityChange, refuse } from './change.ts';
import type { Channel, Contact } from './contact.ts';
import { contactOf, evidenceTypeOf, moved, OPERATIONS, waiting, withContact } from './contacts.ts';
import { type Identity, isFull } from './identity.ts';
import { restartedClock, whyNotWritable } from './transaction.ts';

/** Why no answer is accepted for the code of this channel now; undefined if one is. */
export const whyNotAnswerable = (identity: Identity, channel: Channel, now: Date): ErrorName | undefined => {
  const refused = whyNotWritable(identity);
  if (refused) return refused;
  const otp = contactOf(identity, channel)?.otp;
  if (!otp) return 'OTP_NOT_STARTED';
  const isOver = otp.expiresAt <= now;
  if (otp.status === 'TIMEOUT' || (waiting(otp) && isOver)) return 'OTP_EXPIRED';
  if (otp.attemptsLeft <= 0 && otp.status !== 'DONE') return 'OTP_LOCKED';
  if (waiting(otp)) return isFull(identity) ? 'STATE_CONFLICT' : undefined;
  // A message that was not sent in time is refused by the notifier, perhaps before the sweep.
  return otp.status === 'ERROR' && isOver ? 'OTP_EXPIRED' : 'OTP_NOT_STARTED';
};

/** The keyed hash of what was given, as an answer to this code. */
export type HashFor = (codeId: string) => string;

/**
 * Whether the last attempt was counted for this very answer, and what came of it was not stored:
 * the answer may be compared again. It is the same guess, so nobody gains one.
 */
export const isStillOpen = (identity: Identity, channel: Channel, hashFor: HashFor, now: Date): boolean => {
  const otp = contactOf(identity, channel)?.otp;
  if (!otp || whyNotAnswerable(identity, channel, now) !== 'OTP_LOCKED') return false;
  return waiting(otp) && otp.lastAnswer === hashFor(otp.codeId);
};

/**
 * An answer whose attempt was counted: attempts are counted before the code is compared, each in a
 * write of its own.
 */
export interface CodeAnswer {
  channel: Channel;
  codeId: string;
  lifetimeSeconds: number;
  operationId: string;
  now: Date;
}

/** The contact, while that code is its newest and was not confirmed. */
const answered = (identity: Identity, { channel, codeId }: Pick<CodeAnswer, 'channel' | 'codeId'>) => {
  const contact = contactOf(identity, channel);
  return contact?.otp.codeId === codeId && !contact.verified ? contact : undefined;
};

/** A wrong answer: published, and with the last attempt the code is locked (ERROR). */
export const wrongCode = (
  identity: Identity,
  answer: Pick<CodeAnswer, 'channel' | 'codeId'>,
): IdentityChange | undefined => {
  const contact = answered(identity, answer);
  if (!contact || !waiting(contact.otp)) return undefined;
  return withContact(identity, moved(contact, contact.otp.attemptsLeft <= 0 ? 'ERROR' : contact.otp.status));
};

/**
 * The contact is verified (DONE): from now on it is an evidence, PROCESSING until it is evaluated.
 */
const verified = (identity: Identity, contact: Contact, answer: CodeAnswer): IdentityChange => {
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

/**
 * The right answer. Its attempt was counted in time, so a wrong last answer of another request does
 * not lock it out.
 */
export const rightCode = (identity: Identity, answer: CodeAnswer): ChangeResult => {
  const refused = whyNotWritable(identity);
  if (refused) return refuse(refused);
  const contact = answered(identity, answer);
  if (!contact) return refuse('OTP_NOT_STARTED');
  if (contact.otp.status === 'TIMEOUT') return refuse('OTP_EXPIRED');
  return isFull(identity) ? refuse('STATE_CONFLICT') : verified(identity, contact, answer);
};
