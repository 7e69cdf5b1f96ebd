import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { waitFor } from './wait.ts';

/** One webhook as it arrived: raw bytes, headers, and the parsed body. */
export interface ReceivedWebhook {
  raw: Buffer;
  headers: IncomingHttpHeaders;
  body: {
    event: string;
    identityId: string;
    identityStatus: string;
    businessId?: string;
    completedAt?: string;
    expireAt?: string;
    evidence?: { evidenceId: string; evidenceType: string; evidenceOperation: string };
  };
  at: number;
}

export interface WebhookReceiver {
  url: string;
  received: ReceivedWebhook[];
  /**
   * Decides the status of the next answers; 200 by default. It may do something first, such as a
   * call back to the suite.
   */
  answerWith(decide: (webhook: ReceivedWebhook) => number | Promise<number>): void;
  /** The first matching webhook, already received or still to come. */
  next(what: string, matches: (webhook: ReceivedWebhook) => boolean, timeoutMs?: number): Promise<ReceivedWebhook>;
  close(): Promise<void>;
}

/** A real HTTP server on this machine that plays the client's callback endpoint. */
export const startWebhookReceiver = async (): Promise<WebhookReceiver> => {
  const received: ReceivedWebhook[] = [];
  let decide: (webhook: ReceivedWebhook) => number | Promise<number> = () => 200;
  const server = createServer(async (request, response) => {
    const raw = await buffer(request);
    const webhook = { raw, headers: request.headers, body: JSON.parse(raw.toString('utf8')), at: Date.now() };
    received.push(webhook);
    response.writeHead(await decide(webhook)).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`,
    received,
    answerWith: (next) => {
      decide = next;
    },
    next: (what, matches, timeoutMs) => waitFor(`webhook: ${what}`, () => received.find(matches), timeoutMs),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
