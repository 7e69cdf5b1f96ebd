import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { present, SANDBOX_CODE, sandboxCodeFor, todayAt } from '@assay/contracts';
import { ApiError, type Reply } from '@assay/http';
import { type Clock, newId } from '@assay/runtime';
import { type HashFor, isStillOpen, rightCode, whyNotAnswerable, wrongCode } from '../domain/code-answer.ts';
import { consentMissing } from '../domain/consent-rules.ts';
import type { Channel, Contact } from '../domain/contact.ts';
import {
  codeView,
  contactIdIn,
  contactOf,
  evidenceTypeOf,
  expireCodes,
  OPERATIONS,
  startCode,
  whyNoCode,
} from '../domain/contacts.ts';
import type { Identity } from '../domain/identity.ts';
import type { CodeLimits } from '../store/code-limits.ts';
import type { Identities } from '../store/identities.ts';
import type { Access, Opened } from './access.ts';
import { type Caller, tenantOf } from './caller.ts';
import type { Effects } from './effect.ts';
import { accepted } from './refusal.ts';

export interface Deps {
  identities: Identities;
  access: Access;
  effects: Effects;
  codeLimits: CodeLimits;
  now: Clock;
}

export interface ContactDetails {
  value: string;
  language?: string;
  system?: string;
}

const DIGITS = 6;
const newCode = (): string => String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');

/** Only this keyed hash of a code is stored; closing the identity destroys its key. */
const hashOf = ({ dataKey }: Opened, codeId: string, code: string): string =>
  createHmac('sha256', dataKey).update(`${codeId}|${code}`).digest('hex');

/** @throws NOT_FOUND if the identity has no contact on this channel */
const current = (identity: Identity, channel: Channel): Contact => {
  const contact = contactOf(identity, channel);
  if (!contact) throw new ApiError('NOT_FOUND');
  return contact;
};

/** Why the consent for this channel does not count now; undefined if it is in force. */
const consentRefusal = ({ consents }: Identity, channel: Channel, at: Date) =>
  consentMissing(consents, channel, todayAt(at));

/** A code is sent, and accepted from the person, only while the consent is in force. */
const requireConsent = (identity: Identity, channel: Channel, at: Date): void => {
  accepted(consentRefusal(identity, channel, at) ?? {});
};

/**
 * Starts a one-time code. Consent and state are checked before the limit is used up, and again in
 * the write: they may have changed in between.
 */
const codeStarter =
  ({ access, effects, codeLimits, now }: Deps) =>
  async (caller: Caller, identityId: string, channel: Channel, details: ContactDetails): Promise<Reply> => {
    const opened = await access.open(caller, identityId);
    requireConsent(opened.identity, channel, now());
    const refused = whyNoCode(opened.identity, channel);
    if (refused) throw new ApiError(refused);
    const { tenantId } = tenantOf(caller);
    const waitSeconds = await codeLimits.take({ tenantId, channel, to: details.value }, now());
    if (waitSeconds > 0) throw new ApiError('TOO_MANY_REQUESTS', { headers: { 'Retry-After': String(waitSeconds) } });
    const codeId = newId();
    const { otp: usual, sandbox, transactionLifetimeSeconds } = tenantOf(caller).effective;
    const code = sandbox ? SANDBOX_CODE : newCode();
    const otp = sandbox ? { ...usual, ...sandboxCodeFor(details.value) } : usual;
    const { seedId } = caller;
    // The contact may have been verified or deleted since it was read: the write says which it is.
    const contextIds = (found: Identity) => [contactIdIn(found, channel, seedId)];
    return effects(caller, opened, {
      method: 'POST',
      kind: (found) => ({ name: OPERATIONS[channel].start, type: 'ADD', contextIds: contextIds(found) }),
      decide: (identity, operationId, at) =>
        consentRefusal(identity, channel, at) ??
        startCode(identity, {
          channel,
          evidenceId: seedId,
          codeId,
          hash: hashOf(opened, codeId, code),
          sealedContact: access.seal(opened, 'contact', details),
          sealedMessage: access.sealNotice(opened, 'message', { to: details.value, code }),
          ...present({ language: details.language || undefined }),
          timeoutSeconds: otp.timeoutSeconds,
          attempts: otp.attempts,
          lifetimeSeconds: transactionLifetimeSeconds,
          operationId,
          now: at,
        }),
      body: (after) => codeView(after, current(after, channel)),
    });
  };

/**
 * Uses up one attempt in a write of its own, before the code is compared: however many answers
 * arrive at once, no more of them are compared than there are attempts.
 */
const attemptTaker =
  ({ identities }: Deps) =>
  async (identity: Identity, channel: Channel, hashFor: HashFor, at: Date): Promise<Identity> => {
    if (isStillOpen(identity, channel, hashFor, at)) return identity;
    const refused = whyNotAnswerable(identity, channel, at);
    if (refused === 'OTP_EXPIRED')
      accepted(await identities.change(identity._id, (found) => expireCodes(found, at), { now: at }));
    if (refused) throw new ApiError(refused);
    const { evidenceId, otp } = current(identity, channel);
    const { codeId } = otp;
    const taken = await identities.takeAttempt(identity._id, { evidenceId, codeId, hash: hashFor(codeId) });
    if (taken) return taken;
    const found = await identities.read(identity._id);
    if (found && isStillOpen(found, channel, hashFor, at)) return found;
    throw new ApiError((found && whyNotAnswerable(found, channel, at)) ?? 'OTP_NOT_STARTED');
  };

export type ContactFlow = ReturnType<typeof createContactFlow>;

/**
 * One-time codes: `start` has one sent, `verify` compares the person's answer with it. The code
 * itself is in the sealed message to the notifier and nowhere else.
 */
export const createContactFlow = (deps: Deps) => {
  const { identities, access, effects, now } = deps;
  const takeAttempt = attemptTaker(deps);

  const verify = async (caller: Caller, identityId: string, channel: Channel, given: string): Promise<Reply> => {
    const opened = await access.open(caller, identityId);
    const at = now();
    requireConsent(opened.identity, channel, at);
    const hashFor: HashFor = (code) => hashOf(opened, code, given);
    const identity = await takeAttempt(opened.identity, channel, hashFor, at);
    const { evidenceId, otp } = current(identity, channel);
    const { codeId } = otp;
    const isRight = timingSafeEqual(Buffer.from(otp.hash), Buffer.from(hashFor(codeId)));
    if (!isRight) {
      const answer = { channel, codeId };
      accepted(await identities.change(identity._id, (found) => wrongCode(found, answer), { now: at }));
      throw new ApiError(otp.attemptsLeft <= 0 ? 'OTP_LOCKED' : 'OTP_WRONG');
    }
    const lifetimeSeconds = tenantOf(caller).effective.transactionLifetimeSeconds;
    const verified = { ...opened, identity };
    return effects(caller, verified, {
      method: 'POST',
      kind: { name: OPERATIONS[channel].verify, type: 'ADD', contextIds: [evidenceId] },
      decide: (found, operationId, answeredAt) =>
        consentRefusal(found, channel, answeredAt) ??
        rightCode(found, { channel, codeId, lifetimeSeconds, operationId, now: answeredAt }),
      body: () => ({ status: 'PROCESSING', type: evidenceTypeOf(channel), id: evidenceId }),
    });
  };

  return { start: codeStarter(deps), verify, current };
};
