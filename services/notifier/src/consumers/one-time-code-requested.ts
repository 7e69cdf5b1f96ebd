import { RetryLater } from '@assay/bus';
import {
  type DataOf,
  type Envelope,
  formatDateTime,
  type oneTimeCodeRequested,
  oneTimeCodeSent,
  parseDateTime,
} from '@assay/contracts';
import type { AskCodeKey } from '@assay/http';
import { type Outbox, outboxEntry } from '@assay/mongo';
import type { Clock } from '@assay/runtime';
import { openJson, sealingContext } from '@assay/sealing';
import type { Send } from '../clients/sms.ts';
import { codeMessage } from '../domain/code-message.ts';
import type { CodeStore } from '../store/codes.ts';

export interface Deps {
  codes: CodeStore;
  outbox: Pick<Outbox, 'publishNow'>;
  codeKeyOf: AskCodeKey;
  /** Absent where the operator has configured none. */
  senders: { EMAIL?: Send; MOBILE?: Send };
  now: Clock;
}

type Requested = Envelope<DataOf<typeof oneTimeCodeRequested>>;
const KEPT_MS = 24 * 3600_000;
const RETRY_MS = 2000;

/**
 * one-time-code.requested: the code goes out by mail or SMS, and one-time-code.sent says whether
 * the provider took it. Tried again until the code expires, or cannot be confirmed any more: its
 * contact was deleted or got another one, or the identity was closed. A crash between sending and
 * remembering sends it a second time, recognisable by its id.
 */
export const onOneTimeCodeRequested = ({ codes, outbox, codeKeyOf, senders, now }: Deps) => {
  const send = async ({ tenantId, identityId, data }: Requested): Promise<'accepted' | 'refused' | 'unavailable'> => {
    const sender = senders[data.channel];
    const key = sender && (await codeKeyOf({ tenantId, identityId }, data.codeId));
    if (!sender || !key) return 'refused';
    const context = sealingContext(tenantId, identityId, 'message');
    const { to, code } = openJson<{ to: string; code: string }>(key, context, data.sealedMessage);
    return sender({ id: data.codeId, to, ...codeMessage(code, data.language, parseDateTime(data.expiresAt), now()) });
  };

  return async (event: Requested): Promise<void> => {
    const { tenantId, identityId, data } = event;
    if (await codes.has(data.codeId)) return;
    const expired = parseDateTime(data.expiresAt) <= now();
    const outcome = expired ? 'refused' : await send(event);
    if (outcome === 'unavailable') throw new RetryLater('the provider is not available', RETRY_MS);
    const accepted = outcome === 'accepted';
    const at = now();
    const sent = { codeId: data.codeId, evidenceId: data.evidenceId, accepted, sentAt: formatDateTime(at) };
    await codes.put(
      { _id: data.codeId, identityId, accepted, forgetAt: new Date(at.getTime() + KEPT_MS) },
      outboxEntry(oneTimeCodeSent, { tenantId, identityId, at, data: sent }),
    );
    await outbox.publishNow(data.codeId);
  };
};
