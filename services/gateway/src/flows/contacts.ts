import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import type { ErrorName } from '@assay/contracts';
import { ApiError, type Reply } from '@assay/http';
import { type Clock, newId } from '@assay/runtime';
import { refuse } from '../domain/change.ts';
import {
  answerCode,
  type Channel,
  type CodeOutcome,
  type Contact,
  codeView,
  contactOf,
  evidenceTypeOf,
  type OneTimeCode,
  OPERATIONS,
  outcomeOfCode,
  startCode,
} from '../domain/contacts.ts';
import type { Identity } from '../domain/identity.ts';
import { consentMissing } from '../domain/submissions.ts';
import { type Call, tenantOf } from '../http/call.ts';
import type { Identities } from '../store/identities.ts';
import type { Access, Opened } from './access.ts';
import type { Effects } from './effect.ts';

export interface ContactFlowParts {
  identities: Identities;
  access: Access;
  effects: Effects;
  clock: Clock;
}

export interface ContactDetails {
  value: string;
  language?: string;
  system?: string;
}

const DIGITS = 6;
const newCode = (): string => String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');

/** Only this keyed hash of a code is kept; its key goes with the identity. */
const hashOf = ({ dataKey }: Opened, codeId: string, code: string): string =>
  createHmac('sha256', dataKey).update(`${codeId}|${code}`).digest('hex');

const REFUSAL: Readonly<Record<Exclude<CodeOutcome, 'VERIFIED'>, ErrorName>> = {
  WRONG: 'OTP_WRONG',
  LOCKED: 'OTP_LOCKED',
  EXPIRED: 'OTP_EXPIRED',
  NOT_STARTED: 'OTP_NOT_STARTED',
};

const current = (identity: Identity, channel: Channel): Contact => {
  const contact = contactOf(identity, channel);
  if (!contact) throw new ApiError('NOT_FOUND');
  return contact;
};

export type ContactFlow = ReturnType<typeof createContactFlow>;

/** One-time codes: asking for one, giving it back. The code itself is in the sealed message to the notifier and nowhere else. */
export const createContactFlow = ({ identities, access, effects, clock }: ContactFlowParts) => {
  const start = async (call: Call, channel: Channel, details: ContactDetails): Promise<Reply> => {
    const opened = await access.open(call);
    const code = newCode();
    const codeId = newId();
    const { otp, transactionLifetimeSeconds } = tenantOf(call).effective;
    const known = contactOf(opened.identity, channel);
    const evidenceId = known && !known.verified ? known.evidenceId : call.seedId;
    return effects(call, opened, {
      method: 'POST',
      kind: { name: OPERATIONS[channel].start, type: 'ADD', contextIds: [evidenceId] },
      decide: (identity, operationId, now) =>
        consentMissing(identity.consents, channel, now.toISOString().slice(0, 10)) ??
        startCode(identity, {
          channel,
          evidenceId,
          codeId,
          hash: hashOf(opened, codeId, code),
          sealedContact: access.seal(opened, 'contact', details),
          sealedMessage: access.seal(opened, 'message', { to: details.value, code }),
          ...(details.language ? { language: details.language } : {}),
          timeoutSeconds: otp.timeoutSeconds,
          attempts: otp.attempts,
          lifetimeSeconds: transactionLifetimeSeconds,
          operationId,
          now,
        }),
      body: (after) => codeView(after, current(after, channel)),
    });
  };

  const verify = async (call: Call, channel: Channel, given: string): Promise<Reply> => {
    const opened = await access.open(call);
    const matches = ({ codeId, hash }: OneTimeCode): boolean =>
      timingSafeEqual(Buffer.from(hash), Buffer.from(hashOf(opened, codeId, given)));
    const lifetimeSeconds = tenantOf(call).effective.transactionLifetimeSeconds;
    const answerAt = (operationId: string, now: Date) => ({ channel, matches, lifetimeSeconds, operationId, now });

    const now = clock();
    if (outcomeOfCode(opened.identity, answerAt('', now)) !== 'VERIFIED') {
      // A wrong answer is counted in a write of its own; it is no call that changed the identity.
      let outcome = 'NOT_STARTED' as CodeOutcome;
      const counted = (identity: Identity) => {
        outcome = outcomeOfCode(identity, answerAt('', now));
        return outcome === 'VERIFIED' ? refuse('STATE_CONFLICT') : answerCode(identity, answerAt('', now));
      };
      await identities.change(opened.identity._id, counted, { now, key: await access.wrap(opened) });
      throw new ApiError(outcome === 'VERIFIED' ? 'STATE_CONFLICT' : REFUSAL[outcome]);
    }
    const { evidenceId } = current(opened.identity, channel);
    return effects(call, opened, {
      method: 'POST',
      kind: { name: OPERATIONS[channel].verify, type: 'ADD', contextIds: [evidenceId] },
      decide: (identity, operationId, at) => {
        const answer = answerAt(operationId, at);
        const outcome = outcomeOfCode(identity, answer);
        return outcome === 'VERIFIED' ? answerCode(identity, answer) : refuse(REFUSAL[outcome]);
      },
      body: () => ({ status: 'PROCESSING', type: evidenceTypeOf(channel), id: evidenceId }),
    });
  };

  return { start, verify, current };
};
