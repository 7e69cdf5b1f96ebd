import { randomBytes } from 'node:crypto';
import type { Clock } from '@assay/runtime';
import type { Outage } from '../../domain/answer.ts';
import type { Credentials } from '../credentials.ts';
import { type Exchange, outageOfStatus } from '../exchange.ts';
import { derivedSecret } from './derived-secret.ts';
import { readSoap } from './replies.ts';
import { AUTHENTICATE_ACTION, authenticateMessage, securityTokenMessage } from './token-messages.ts';
import { findText, type Xml } from './xml.ts';

type TokenReply = { kind: 'TOKEN'; token: string } | { kind: 'OUTAGE'; outage: Outage; code?: string };

export interface Tokens {
  /** The tenant's token; asked for once and shared until it is old or forgotten. */
  get(tenantId: string, credentials: Credentials, timeoutMs: number): Promise<TokenReply>;
  /** Called when the source no longer takes the token. */
  forget(tenantId: string): void;
}

export interface TokensOptions {
  authenticateUrl: string;
  exchange: Exchange;
  clock: Clock;
  lifetimeMs?: number;
}

type Step = { kind: 'BODY'; body: Xml } | Extract<TokenReply, { kind: 'OUTAGE' }>;

const unreadable = { kind: 'OUTAGE', outage: 'UNREADABLE', code: 'TOKEN' } as const;

/**
 * The two steps before a verification: a security context, and in it the token that verifications
 * carry.
 */
export const createTokens = ({ authenticateUrl, exchange, clock, lifetimeMs = 15 * 60_000 }: TokensOptions): Tokens => {
  const known = new Map<string, { reply: Promise<TokenReply>; until: number }>();

  const step = async (body: string, timeoutMs: number): Promise<Step> => {
    const headers = { 'content-type': `application/soap+xml;charset=UTF-8;action="${AUTHENTICATE_ACTION}"` };
    // A token says nothing of whose it is.
    const reply = await exchange({ url: authenticateUrl, headers, body, timeoutMs, isAlone: true });
    if (reply.kind === 'OUTAGE') return reply;
    const soap = readSoap(reply.body);
    if (soap.kind === 'FAULT') return { kind: 'OUTAGE', outage: 'REFUSED', code: soap.fault.code };
    if (reply.status !== 200)
      return { kind: 'OUTAGE', outage: outageOfStatus(reply.status), code: `HTTP_${reply.status}` };
    return soap.kind === 'BODY' ? soap : unreadable;
  };

  const ask = async ({ privateKey, thumbprint }: Credentials, timeoutMs: number): Promise<TokenReply> => {
    const entropy = randomBytes(32);
    const key = privateKey ? { privateKey, thumbprint: thumbprint ?? '' } : undefined;
    const context = await step(securityTokenMessage(authenticateUrl, clock(), entropy, key), timeoutMs);
    if (context.kind === 'OUTAGE') return context;
    const contextId = findText(context.body, 'Identifier');
    const theirs = findText(context.body, 'BinarySecret');
    if (!contextId || !theirs) return unreadable;
    const secret = derivedSecret(entropy, Buffer.from(theirs, 'base64'));
    const authenticated = await step(authenticateMessage(authenticateUrl, clock(), contextId, secret), timeoutMs);
    if (authenticated.kind === 'OUTAGE') return authenticated;
    const token = findText(authenticated.body, 'AuthenticateResult');
    return token ? { kind: 'TOKEN', token } : unreadable;
  };

  return {
    get: (tenantId, credentials, timeoutMs) => {
      const now = clock().getTime();
      const cached = known.get(tenantId);
      if (cached && cached.until > now) return cached.reply;
      const reply = ask(credentials, timeoutMs);
      known.set(tenantId, { reply, until: now + lifetimeMs });
      void reply.then(({ kind }) => {
        if (kind === 'OUTAGE' && known.get(tenantId)?.reply === reply) known.delete(tenantId);
      });
      return reply;
    },
    forget: (tenantId) => {
      known.delete(tenantId);
    },
  };
};
