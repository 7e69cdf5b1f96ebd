import { createHash } from 'node:crypto';
import type { Clock } from '@assay/runtime';
import type { Receiver } from '../clients/receiver.ts';
import type { DeliveryAttempt } from '../domain/delivery.ts';
import { headersOf } from '../domain/signing.ts';
import { parseTarget } from '../domain/target.ts';
import type { Endpoint } from '../store/endpoints.ts';
import type { Sealer } from '../store/sealer.ts';

export interface Deps {
  receiver: Pick<Receiver, 'send'>;
  sealer: Pick<Sealer, 'openSecret'>;
  now: Clock;
}

/**
 * Sends signed bytes to an endpoint once, under a webhook-id. Never rejects for what the receiver
 * does: the attempt says what happened.
 */
export type MakeAttempt = (endpoint: Endpoint, webhookId: string, body: Buffer) => Promise<DeliveryAttempt>;

export const createMakeAttempt =
  ({ receiver, sealer, now }: Deps): MakeAttempt =>
  async (endpoint, webhookId, body) => {
    const at = now();
    const url = parseTarget(endpoint.url);
    if (!url) return { at, error: 'BLOCKED' };
    const { mode, headerName, sealedSecret, sealedFormerSecret, sandbox } = endpoint;
    const opened = (sealed: string): string => sealer.openSecret(endpoint._id, sealed);
    const security = {
      mode,
      ...(sandbox ? { sandbox } : {}),
      ...(headerName ? { headerName } : {}),
      ...(sealedSecret === undefined ? {} : { secret: opened(sealedSecret) }),
      ...(sealedFormerSecret === undefined ? {} : { formerSecret: opened(sealedFormerSecret) }),
    };
    const bodySha256 = createHash('sha256').update(body).digest('hex');
    return { at, bodySha256, ...(await receiver.send(url, headersOf(security, body, webhookId, at), body)) };
  };
