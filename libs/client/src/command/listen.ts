import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import axios from 'axios';
import { UnusableInput } from '../proof/report.ts';
import { verifyWebhook } from '../webhook/verify-webhook.ts';

const HEADER = 'x-assay-signature';
const OWN: readonly string[] = ['host', 'connection', 'content-length', 'transfer-encoding'];

export interface Listening {
  /** What the tenant's webhook has to be. */
  webhook: { mode: 'HMAC'; headerName: string; secret: string };
  port: number;
  close(): void;
}

const lineOf = (body: Buffer, status: number): string => {
  const { event, identityId, identityStatus, evidence } = JSON.parse(body.toString('utf8'));
  const about = evidence ? `${evidence.evidenceOperation} ${evidence.evidenceType} ${evidence.evidenceId}` : '';
  return [new Date().toISOString().slice(11, 19), status, event, identityId, identityStatus, about]
    .join('  ')
    .trimEnd();
};

const NOT_REACHED = 502;

/**
 * The same bytes and headers to the program that is being written; what it answers is what the
 * suite is answered.
 */
const forwarded = async (
  to: string | undefined,
  { headers }: IncomingMessage,
  body: Buffer,
  onFailed: (why: string) => void,
): Promise<number> => {
  if (to === undefined) return 204;
  const passed = Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN.includes(name)));
  const answer = await axios
    .post(to, body, { headers: passed, proxy: false, maxRedirects: 0, timeout: 9000, validateStatus: () => true })
    .catch(({ code = 'error' }: { code?: string }) => {
      onFailed(`${to} does not answer: ${code}; start your program there`);
      return undefined;
    });
  return answer?.status ?? NOT_REACHED;
};

interface Lines {
  print: (line: string) => void;
  printAside: (line: string) => void;
}

/**
 * Receives notifications on this machine, checks their signature, prints a line of each, and hands
 * it on.
 * @throws UnusableInput where the port cannot be had
 */
export const listen = async (
  { port, forward, json }: { port: number; forward?: string | undefined; json?: boolean | undefined },
  { print, printAside }: Lines,
): Promise<Listening> => {
  const webhook = { mode: 'HMAC' as const, headerName: HEADER, secret: randomBytes(24).toString('base64') };
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    if (!verifyWebhook({ ...webhook, body, headers: request.headers })) return void response.writeHead(401).end();
    const status = await forwarded(forward, request, body, printAside);
    print(json ? body.toString('utf8') : lineOf(body, status));
    response.writeHead(status).end();
  };
  const server = createServer((request, response) => {
    // A sender that leaves in the middle, or whose body is no notification, ends nothing but
    // itself.
    receive(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  }).catch(({ code = 'error' }: NodeJS.ErrnoException) => {
    throw new UnusableInput(`port ${port} cannot be listened on: ${code}; give another with --port, or none`);
  });
  return {
    webhook,
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
