import { hash } from 'node:crypto';
import type { Clock } from '@assay/runtime';
import type { Receiver } from '../clients/receiver.ts';
import type { DeliveryAttempt } from '../domain/delivery.ts';
import { headersOf, type Security } from '../domain/signing.ts';
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

/** What every attempt at an endpoint needs of it. */
interface Prepared {
  url: URL;
  security: Security;
}

/** Reads an endpoint once for the many attempts that are made with what was read of it. */
const createPreparing = ({ sealer }: Pick<Deps, 'sealer'>) => {
  const known = new WeakMap<Endpoint, Prepared>();
  const prepare = (endpoint: Endpoint): Prepared | undefined => {
    const url = parseTarget(endpoint.url);
    if (!url) return undefined;
    const { mode, headerName, sealedSecret, sealedFormerSecret, sandbox } = endpoint;
    const opened = (sealed: string): string => sealer.openSecret(endpoint._id, sealed);
    const security = {
      mode,
      ...(sandbox ? { sandbox } : {}),
      ...(headerName ? { headerName } : {}),
      ...(sealedSecret === undefined ? {} : { secret: opened(sealedSecret) }),
      ...(sealedFormerSecret === undefined ? {} : { formerSecret: opened(sealedFormerSecret) }),
    };
    const prepared = { url, security };
    known.set(endpoint, prepared);
    return prepared;
  };
  return (endpoint: Endpoint): Prepared | undefined => known.get(endpoint) ?? prepare(endpoint);
};

export const createMakeAttempt = ({ receiver, sealer, now }: Deps): MakeAttempt => {
  const preparedOf = createPreparing({ sealer });
  return async (endpoint, webhookId, body) => {
    const at = now();
    const prepared = preparedOf(endpoint);
    if (!prepared) return { at, error: 'BLOCKED' };
    const { url, security } = prepared;
    const bodySha256 = hash('sha256', body, 'hex');
    return { at, bodySha256, ...(await receiver.send(url, headersOf(security, body, webhookId, at), body)) };
  };
};
