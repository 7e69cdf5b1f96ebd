import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { verifyWebhook } from '@assay/client';

interface Received {
  event: string;
  identityId: string;
  evidence?: { evidenceId: string; evidenceOperation: string };
}

/**
 * The relying service's callback endpoint: refuses what is not signed with the secret, keeps the
 * rest.
 */
export const startReceiver = async (security: { mode: 'HMAC'; headerName: string; secret: string }) => {
  const received: Received[] = [];
  let refused = 0;
  const server = createServer(async (request, response) => {
    const raw = await buffer(request);
    const genuine = verifyWebhook({ ...security, body: raw, headers: request.headers });
    if (genuine) received.push(JSON.parse(raw.toString('utf8')) as Received);
    else refused += 1;
    response.writeHead(genuine ? 200 : 401).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`,
    received,
    refused: () => refused,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
