import type { Clock } from '@assay/runtime';
import { answerOfDldv } from '../../domain/dldv-answer.ts';
import type { Asking, Connector, SourceReply } from '../connector.ts';
import type { Credentials, CredentialsOf } from '../credentials.ts';
import { type Exchange, outageOfStatus } from '../exchange.ts';
import { VERIFY_ACTION, verifyMessage } from './messages.ts';
import { readSoap, readVerifyResult } from './replies.ts';
import { createTokens } from './tokens.ts';

export interface DldvOptions {
  /**
   * Base address of the verification service, and of the authentication service where it is
   * another.
   */
  url: string;
  authenticateUrl?: string;
  source: string;
  exchange: Exchange;
  credentials: CredentialsOf;
  clock: Clock;
}

// Subcodes with which WS-Security refuses a token that has grown old.
const TOKEN_REFUSED: readonly string[] = [
  'BadContextToken',
  'InvalidSecurityToken',
  'FailedAuthentication',
  'MessageExpired',
];
const TIMED_OUT = '0047';

/**
 * An answer to another question, or none at all, says nothing: the source's trouble, never a
 * mismatch.
 */
const read = (status: number, text: string, asking: Asking): SourceReply => {
  const soap = readSoap(text);
  if (soap.kind === 'FAULT')
    return { kind: 'OUTAGE', outage: soap.fault.code === TIMED_OUT ? 'TIMEOUT' : 'FAULT', code: soap.fault.code };
  if (status !== 200) return { kind: 'OUTAGE', outage: outageOfStatus(status), code: `HTTP_${status}` };
  const result = soap.kind === 'BODY' ? readVerifyResult(soap.body) : undefined;
  if (!result || result.transactionLocatorId !== asking.checkId) return { kind: 'OUTAGE', outage: 'UNREADABLE' };
  return {
    kind: 'ANSWER',
    answer: answerOfDldv(result.matches, asking.question.values),
    reference: result.transactionLocatorId,
  };
};

/**
 * AAMVA's Driver's License Data Verification 2.1: SOAP 1.2, a token obtained in two steps, then the
 * verification. Credentials: `originatorId`, optionally `privateKey` (PEM) and `thumbprint` of the
 * client's certificate, and `destinationId` to send everything to one test destination.
 */
export const createDldvConnector = ({
  url,
  authenticateUrl,
  source,
  exchange,
  credentials,
  clock,
}: DldvOptions): Connector => {
  const tokens = createTokens({
    authenticateUrl: `${authenticateUrl ?? url}/Authentication/Authenticate.svc`,
    exchange,
    clock,
  });

  const verify = async (asking: Asking, known: Credentials, token: string): Promise<SourceReply> => {
    const { checkId, question, timeoutMs } = asking;
    const addressing = {
      transactionLocatorId: checkId,
      originatorId: known.originatorId ?? '',
      destinationId: known.destinationId ?? question.jurisdiction ?? '',
    };
    const headers = { 'content-type': 'application/soap+xml;charset=UTF-8', soapaction: `"${VERIFY_ACTION}"` };
    const sent = verifyMessage(token, addressing, question);
    const record = { sent: sent.replace(token, '') };
    const reply = await exchange({ url: `${url}/dldv/2.1/online`, headers, body: sent, timeoutMs });
    if (reply.kind === 'OUTAGE') return { ...reply, ...record };
    return { ...read(reply.status, reply.body, asking), ...record, received: reply.body };
  };

  // The two token steps and the verification share the time of one question.
  const ask = async (asking: Asking, mayRenew: boolean): Promise<SourceReply> => {
    const known = credentials(source, asking.tenantId);
    if (!known) return { kind: 'OUTAGE', outage: 'REFUSED', code: 'NO_CREDENTIALS' };
    const startedAt = clock().getTime();
    const token = await tokens.get(asking.tenantId, known, asking.timeoutMs / 2);
    if (token.kind === 'OUTAGE') return token;
    const timeoutMs = asking.timeoutMs - (clock().getTime() - startedAt);
    if (timeoutMs <= 0) return { kind: 'OUTAGE', outage: 'TIMEOUT', code: 'TOKEN' };
    const reply = await verify({ ...asking, timeoutMs }, known, token.token);
    if (reply.kind !== 'OUTAGE' || !TOKEN_REFUSED.includes(reply.code ?? '')) return reply;
    tokens.forget(asking.tenantId);
    return mayRenew ? ask({ ...asking, timeoutMs }, false) : { ...reply, outage: 'REFUSED' };
  };

  return { ask: (asking) => ask(asking, true) };
};
