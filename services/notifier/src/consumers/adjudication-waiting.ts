import { RetryLater } from '@assay/bus';
import { type adjudicationWaiting, type DataOf, type Envelope, parseDateTime } from '@assay/contracts';
import { type Clock, counter } from '@assay/runtime';
import { type Keyring, openJson, sealingContext } from '@assay/sealing';
import type { Send } from '../clients/sms.ts';
import { noticeMessage } from '../domain/notice-message.ts';
import { waitingNotification } from '../domain/notification.ts';
import type { Enqueue } from '../flows/enqueue.ts';
import type { CodeStore } from '../store/codes.ts';

type Waiting = Envelope<DataOf<typeof adjudicationWaiting>>;

/** adjudication.waiting: the client gets a webhook, where the tenant wants it. */
export const onAdjudicationWaiting =
  (enqueue: Enqueue) =>
  async (event: Waiting): Promise<void> => {
    const { webhook, sealedBusinessId } = event.data;
    if (webhook) await enqueue(event, waitingNotification(event.identityId, event.data), { sealedBusinessId });
  };

export interface Deps {
  codes: Pick<CodeStore, 'has' | 'putNotice'>;
  keyring: Pick<Keyring, 'keyOf'>;
  senders: { EMAIL?: Send };
  now: Clock;
}

const RETRY_MS = 60_000;
/** Longer than the event is published again: a repeat finds that the mail went out. */
const REMEMBERED_MS = 3 * 24 * 3600_000;

const mails = counter('assay_notice_mails_total', 'Mails about cases that wait for too long, by outcome', ['outcome']);
for (const outcome of ['accepted', 'refused', 'unavailable']) mails.inc({ outcome }, 0);

/**
 * adjudication.waiting: a mail goes to the address that the tenant named. Tried again for as long
 * as the case can be decided. A crash between sending and remembering sends it a second time,
 * recognisable by its id.
 */
export const onAdjudicationWaitingMail = ({ codes, keyring, senders, now }: Deps) => {
  const send = async ({ id, tenantId, identityId, data }: Waiting, sealed: string) => {
    const sender = senders.EMAIL;
    const key = sender && (await keyring.keyOf({ tenantId, identityId }));
    if (!sender || !key || parseDateTime(data.expiresAt) <= now()) return 'refused';
    const to = openJson<string>(key, sealingContext(tenantId, identityId, 'message'), sealed);
    return sender({ id, to, ...noticeMessage(data, now()) });
  };

  return async (event: Waiting): Promise<void> => {
    const { sealedMail } = event.data;
    if (sealedMail === undefined || (await codes.has(event.id))) return;
    const outcome = await send(event, sealedMail);
    mails.inc({ outcome });
    if (outcome === 'unavailable') throw new RetryLater('the mail server is not available', RETRY_MS);
    await codes.putNotice({
      _id: event.id,
      identityId: event.identityId,
      accepted: outcome === 'accepted',
      forgetAt: new Date(now().getTime() + REMEMBERED_MS),
    });
  };
};
