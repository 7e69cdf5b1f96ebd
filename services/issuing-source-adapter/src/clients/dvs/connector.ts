import { matches, OneOf } from '@assay/contracts';
import { type Static, Type } from 'typebox';
import { answerOfDvs, DVS_CODES } from '../../domain/dvs-answer.ts';
import { valueAt } from '../../domain/mapping.ts';
import type { Asking, Connector, SourceReply } from '../connector.ts';
import type { CredentialsOf } from '../credentials.ts';
import { type Exchange, outageOfStatus } from '../exchange.ts';
import { readJson } from '../json.ts';
import { askedOfDvs, dvsRequest } from './request.ts';

export interface DvsOptions {
  url: string;
  source: string;
  exchange: Exchange;
  credentials: CredentialsOf;
}

const ReplySchema = Type.Object({
  verificationRequestNumber: Type.String(),
  verificationResultCode: OneOf(DVS_CODES),
});

/** The answer and its name, which decides nothing: an answer without one, or with null, is one. */
const parsed = (body: string): (Static<typeof ReplySchema> & { activityId?: string | undefined }) | undefined => {
  const value = readJson(body);
  return matches(ReplySchema, value) ? { ...value, activityId: valueAt(value, '/activityId') } : undefined;
};

/** A reply that is not about this request is no answer to it, whatever it says. */
const read = (status: number, body: string, { checkId, question }: Asking): SourceReply => {
  if (status !== 200) return { kind: 'OUTAGE', outage: outageOfStatus(status), code: `HTTP_${status}` };
  const reply = parsed(body);
  if (reply?.verificationRequestNumber !== checkId) return { kind: 'OUTAGE', outage: 'UNREADABLE' };
  const { activityId, verificationResultCode: code } = reply;
  const about = activityId ? { reference: activityId } : {};
  return code === 'S'
    ? { kind: 'OUTAGE', outage: 'FAULT', code: 'S', ...about }
    : { kind: 'ANSWER', answer: answerOfDvs(code, askedOfDvs(question)), ...about };
};

/**
 * The Australian document verification system, asked through a gateway provider's REST interface.
 * Credentials: `agencyCode`, `apiKey`.
 */
export const createDvsConnector = ({ url, source, exchange, credentials }: DvsOptions): Connector => ({
  ask: async (asking) => {
    const { checkId, tenantId, question, timeoutMs } = asking;
    const known = credentials(source, tenantId);
    if (!known) return { kind: 'OUTAGE', outage: 'REFUSED', code: 'NO_CREDENTIALS' };
    const sent = dvsRequest(checkId, known.agencyCode ?? '', question);
    const reply = await exchange({
      url: `${url}/dvs/v1/verifications`,
      headers: { 'content-type': 'application/json', accept: 'application/json', 'x-api-key': known.apiKey ?? '' },
      body: sent,
      timeoutMs,
    });
    if (reply.kind === 'OUTAGE') return { ...reply, sent };
    return { ...read(reply.status, reply.body, asking), sent, received: reply.body };
  },
});
